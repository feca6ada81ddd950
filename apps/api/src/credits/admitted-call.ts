// What the ledger knows of a call: the columns that all of its usage rows begin with.

/** An admitted call, as its usage row names it. */
export interface AdmittedCall {
  readonly accountId: string
  readonly keyId: string
  readonly requestId: string
  /** Request path. */
  readonly endpoint: string
  /** operationId; null when no operation matched. */
  readonly operation: string | null
  readonly actor: 'detail' | 'search' | 'account'
  readonly admittedAt: Date
}

/** Calls as arrays, one for each column: account, key, request, endpoint, operation, actor, moment of admission. */
export function columnsOf(calls: readonly AdmittedCall[]) {
  return [
    calls.map((call) => call.accountId),
    calls.map((call) => call.keyId),
    calls.map((call) => call.requestId),
    calls.map((call) => call.endpoint),
    calls.map((call) => call.operation),
    calls.map((call) => call.actor),
    calls.map((call) => call.admittedAt.toISOString()),
  ] as const
}
