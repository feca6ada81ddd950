// The ledger: grants, holds, charges, usage rows, and their audit.

export { MAX_REASON_LENGTH } from './credits/adjust.ts'
export { ArchiveError, type ArchiveOptions, archiveBooks } from './credits/archive/write-archive.ts'
export { auditLedger, type Drift, findLastAudit } from './credits/audit.ts'
export { chargeEvents, type EventCharge, type EventPrice } from './credits/charge-events.ts'
export { renewIfDue } from './credits/cycles.ts'
export { listLatestCalls, listPostings } from './credits/history.ts'
export { growHold, HOLD_STEP, placeHold, releaseHold, type StageCost, settleHold } from './credits/holds.ts'
export {
  type Balance,
  type CallToSettle,
  CLIENT_DISCONNECTED,
  createLedger,
  type Ledger,
  type Settlement,
} from './credits/ledger.ts'
export { ChargeLost, recover } from './credits/lost-answers.ts'
export { readUsage, type UsageEntry } from './credits/read-usage.ts'
export { type EventRefund, refundEvents } from './credits/refund-events.ts'
export { availableCredits, isKeyShort } from './credits/settlement.ts'
export { recordAccepted } from './credits/usage.ts'
export { summarizeUsage, type UsageSumRow } from './credits/usage-summary.ts'
