// Actions of operators on accounts and purchases, audits, and their trail.

export {
  adjustAccount,
  createAccount,
  refundAccount,
  setPlan,
  setStatus,
  topUpAccount,
} from './operator/account-actions.ts'
export { auditAsOperator, MAX_STORED_FINDINGS, readAudits, writeAudit } from './operator/audit.ts'
export { findLost, type LostInRestore } from './operator/lost-in-restore.ts'
export { approveOrder, refuseOrder } from './operator/purchase-actions.ts'
export {
  createOperatorLink,
  findOperatorSession,
  type OperatorSession,
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
