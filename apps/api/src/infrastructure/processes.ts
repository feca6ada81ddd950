// Which processes share a database: leases of the API process and of the secrets' keys.

export {
  type ApiProcessLease,
  joinProcesses,
  type ProcessLease,
  SOLE_PROCESS,
  START_TIMEOUT_MS,
} from './processes/api-process-lease.ts'
export { identifyThisProcess, isKnownDead, type ProcessIdentity } from './processes/process-identity.ts'
export { joinSecretsKeyHolders, type SecretsKeyLease } from './processes/secrets-key-lease.ts'
