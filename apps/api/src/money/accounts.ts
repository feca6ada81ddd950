// Accounts, plans, keys, principals, sessions, and the budgets of free work.

export { changeOwnKey } from './accounts/change-own-key.ts'
export type { PlanChangeResult } from './accounts/change-plan.ts'
export { findDemoKey, keepDemoKey } from './accounts/demo-key.ts'
export { type EmailAddress, readEmailAddress } from './accounts/email-address.ts'
export { endSession } from './accounts/end-sessions.ts'
export {
  ADDRESS_LIMIT,
  type AddressLimit,
  addressAndHost,
  createFailedKeys,
  createGuessLimit,
  createMessageLimit,
  createVisitorLimits,
  type FailedKeys,
  type MessageLimit,
  messagesPerMinute,
  type VisitorLimits,
} from './accounts/failed-keys.ts'
export { type AccountInfo, type AccountSearch, findAccount, listAccounts } from './accounts/find-accounts.ts'
export {
  type CreditLimit,
  findKeyAllowance,
  type KeyAllowance,
  LIMIT_PERIODS,
  type LimitPeriod,
  MAX_KEY_LIMIT,
  setKeyLimit,
} from './accounts/key-limits.ts'
export {
  findKey,
  forgetConnector,
  issueKey,
  type KeyInfo,
  listKeys,
  type NewKey,
  revokeKey,
  rotateKey,
} from './accounts/keys.ts'
export { takeMail } from './accounts/mail-budget.ts'
export { openFirstAccount } from './accounts/open-account.ts'
export {
  createOwnKey,
  findOwnKey,
  type ListedKey,
  listOwnKeys,
  type OwnKey,
  refusePastTime,
  revokeOwnKey,
  rotateOwnKey,
  UNKNOWN_KEY_REFUSAL,
} from './accounts/own-keys.ts'
export { PLANS, type PlanId, plans } from './accounts/plans.ts'
export {
  createPortalSessions,
  createSignInLink,
  type PortalSession,
  type PortalSessions,
  type StartedSession,
  startSession,
  useSignInLink,
} from './accounts/portal-sessions.ts'
export {
  createKeyUse,
  createPrincipals,
  hashKey,
  type KeyUse,
  type Principal,
  type Principals,
} from './accounts/principals.ts'
export { createProviderUsage, listQueriesByHour, type ProviderUsage } from './accounts/provider-usage.ts'
export { readAccount } from './accounts/read-account.ts'
export { deleteLinks, revokeJournaledKeys, setJournaledStatuses } from './accounts/restore-restrictions.ts'
export {
  consumeLink,
  createLink,
  LINK_MINUTES,
  SESSION_MINUTES,
  type SessionBrowser,
  withdrawLinks,
} from './accounts/sign-in.ts'
export {
  createSignInLinks,
  createSignUpLink,
  findAccountsOfMailbox,
  INVITATION_DAYS,
  SIGN_UP_MINUTES,
  signUp,
} from './accounts/sign-up.ts'
export { findTopAccounts, TOP_BY, type TopBy } from './accounts/top-accounts.ts'
