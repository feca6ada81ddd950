// Actions of operators on accounts and purchases, audits, and their trail.

export {
  adjustAccount,
  createAccount,
  refundAccount,
  setPlan,
  setStatus,
  topUpAccount,
} from './operator/account-actions.ts'
export {
  approveCredits,
  type CreditDecision,
  isOwnRequest,
  refuseCredits,
} from './operator/approve-credits.ts'
export { auditAsOperator, MAX_STORED_FINDINGS, readAudits, writeAudit } from './operator/audit.ts'
export {
  lockConsole,
  readConsoleAccess,
  setCreditLimit,
  setSharedSignIn,
  unlockConsole,
} from './operator/console-access.ts'
export {
  listPendingCredits,
  type PendingCredits,
  type WaitsForApproval,
  waitsForApproval,
} from './operator/credit-limit.ts'
export { discardHeldImport, releaseHeldImport } from './operator/held-imports.ts'
export { findLost, type LostInRestore } from './operator/lost-in-restore.ts'
export {
  addOperator,
  ENROLLMENT_MINUTES,
  type Enrollment,
  findOperator,
  linkOperator,
  listOperators,
  type OperatorRefusal,
  removeOperator,
  setRole,
} from './operator/named-operators.ts'
export {
  createPasskeyChallenge,
  PasskeyRefused,
  type PasskeySite,
  readEnrollment,
  usePasskey,
  usePasskeyLink,
} from './operator/passkeys.ts'
export { approveOrder, refuseOrder } from './operator/purchase-actions.ts'
export { type RestoredOperators, restoreOperators } from './operator/restore-operators.ts'
export { type OperatorRole, ROLES, SHARED_OPERATOR } from './operator/roles.ts'
export {
  createOperatorLink,
  findOperatorSession,
  type ListedSession,
  listSessions,
  type OperatorSession,
  revokeSessions,
  useOperatorLink,
} from './operator/sessions.ts'
export { type SyncedPurchase, type SyncReport, syncPurchases } from './operator/sync-purchases.ts'
export {
  FormAlreadySent,
  type Operator,
  readTrail,
  recordAction,
  runAsOperator,
  type TrailEntry,
} from './operator/trail.ts'
