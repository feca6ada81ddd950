// The pages' access to the service. Pages have no database access and no other way in. The service implements this port
// (apps/api/src/interfaces/console/console-api.ts) with the functions that the `lotline` command uses.

import type { ChangeResult, FormId } from './change.ts'
import type { ImportsApi } from './imports-port.ts'
import type { ConsoleRole } from './permissions.ts'

export type * from './change.ts'
export type * from './imports-port.ts'

export interface ConsolePlan {
  readonly id: string
  readonly title: string
  readonly creditsPerCycle: number
  readonly rateLimitPerMinute: number
  readonly topUps: boolean
}

export interface ConsoleAccount {
  readonly account_id: string
  readonly email: string | null
  readonly status: 'active' | 'suspended'
  readonly plan: string
  readonly credits_per_cycle: number
  readonly rate_limit_per_minute: number
  readonly denied_operations: readonly string[]
  readonly balance: number
  readonly held: number
  readonly available: number
  readonly grant_left: number
  readonly granted_this_cycle: number
  readonly renews_at: Date | null
  readonly next_plan: { readonly plan: string; readonly credits_per_cycle: number } | null
  readonly live_keys: number
  readonly created_at: Date
}

export interface AccountKey {
  readonly key_id: string
  readonly name: string
  readonly last4: string
  readonly revoked: boolean
  readonly created_at: Date
  readonly last_used_at: Date | null
  readonly credit_limit: { readonly credits: number; readonly per: string } | null
}

export interface AccountCall {
  readonly at: Date
  readonly endpoint: string
  readonly status: number
  readonly units: number
  readonly credits: number
}

/** A change of the balance or of the held credits. */
export interface ConsolePosting {
  readonly created_at: Date
  readonly kind: string
  readonly amount: number
  readonly held_change: number
  readonly balance: number
  readonly reason: string | null
  readonly reference: string | null
  readonly operator: string | null
}

export interface AccountDetail {
  readonly account: ConsoleAccount
  readonly keys: readonly AccountKey[]
  /** The latest entries, latest first. */
  readonly calls: readonly AccountCall[]
  readonly postings: readonly ConsolePosting[]
  readonly trail: readonly ConsoleTrailEntry[]
}

export interface ConsoleTrailEntry {
  readonly id: number
  readonly at: Date
  readonly operator: string
  readonly via: 'command' | 'console'
  /** How the operator had signed in to the console. */
  readonly sign_in: 'link' | 'passkey' | null
  readonly action: string
  readonly account_id: string | null
  readonly object: string | null
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

export interface ConsoleAccountFilter {
  /** Part of an email address, the beginning of an account's id, or the id or the name of a key. */
  readonly text: string
  readonly plan: string
  readonly status: string
  readonly limit: number
}

/** Input of a form, already validated: numbers are whole and within bounds. */
export interface AccountOrder {
  readonly plan: string
  readonly email?: string
  readonly credits?: number
  readonly ratePerMinute?: number
}

export interface PlanOrder {
  readonly plan: string
  readonly credits?: number
  readonly ratePerMinute?: number
  /** Even if the account loses credits. */
  readonly atOnce: boolean
}

export interface TopUpOrder {
  /** Credits, above 0. */
  readonly amount: number
  readonly reason: string
  readonly reference?: string
}

export interface ConsoleSource {
  readonly name: string
  readonly kind: 'reso' | 'file'
  readonly state: 'paused' | 'syncing' | 'held' | 'failing' | 'waiting'
  /** The import that waits for a decision, and why. */
  readonly held: { readonly id: number; readonly why: string } | null
  /** Seconds since the newest change that was applied. */
  readonly lagSeconds: number | null
  readonly syncedAt: Date | null
  readonly dueAt: Date | null
  readonly failures: number
  readonly lastError: string | null
  /** Why the latest sweep of a feed was refused, until a sweep succeeds. */
  readonly sweepError: string | null
  /** Records that the feed states and that are not stored. null: not known. */
  readonly missingRecords: number | null
  /** Counts by name, such as `records` and `rejected`. */
  readonly counts: Readonly<Record<string, number>>
  /** The server's limits: calls or bytes in one window, which is given in seconds. */
  readonly quotas: readonly {
    readonly window: number
    readonly unit: 'calls' | 'bytes'
    readonly used: number
    readonly limit: number
  }[]
  /** Until then the server accepts no calls. */
  readonly blockedUntil: Date | null
}

export interface ConsoleRejectedRow {
  readonly source: string
  /** The position: a line of a file, or the key of a record. */
  readonly place: string
  readonly reason: string
}

export interface DataSet {
  /** undefined: there are too many to count them here. */
  readonly counts:
    | readonly { readonly source: string; readonly kind: string; readonly homes: number }[]
    | undefined
  /** The database's estimate of the total. */
  readonly estimate: number
  readonly imports: readonly {
    readonly name: string
    readonly imported_at: Date
    readonly read_rows: number
    readonly rejected_rows: number
    readonly warnings: number
  }[]
  readonly rejected: readonly ConsoleRejectedRow[]
  /** Longitude, latitude, and zpid of some homes. */
  readonly homes: readonly (readonly [longitude: number, latitude: number, zpid: string])[]
}

export interface ProviderState {
  readonly name: string
  /** The state of its circuit breaker. `open`: it gets no queries. */
  readonly circuit: 'closed' | 'open'
  /** undefined: no change since the process started. */
  readonly changedAt: Date | undefined
}

export interface Providers {
  /** In query order. */
  readonly providers: readonly ProviderState[]
  /** Answers of a provider other than the first, since the process started. */
  readonly fallbacks: number
  /** Queries of all accounts, latest hour first. */
  readonly hours: readonly { readonly hour: Date; readonly queries: number; readonly accounts: number }[]
}

export interface ConsoleQueues {
  readonly jobs: readonly {
    readonly type: string
    readonly status: 'queued' | 'running'
    readonly jobs: number
    readonly oldest_seconds: number
  }[]
  readonly outbox: { readonly due: number; readonly lag_seconds: number }
  readonly watches: { readonly changes: number; readonly due: number }
  readonly paused: readonly { readonly reason: string; readonly count: number }[]
  readonly live: readonly ConsoleLiveJob[]
}

export interface ConsoleLiveJob {
  readonly job_id: string
  readonly account_id: string
  readonly type: string
  readonly status: string
  readonly progress_done: number
  readonly progress_total: number | null
  readonly created_at: Date
}

export interface ConsoleFailingWebhook {
  readonly id: string
  readonly account_id: string
  readonly email: string | null
  readonly url: string
  readonly active: boolean
  readonly attempts: number
  readonly failed: number
  readonly failed_at: Date
  readonly status_code: number | null
  readonly error: string | null
  readonly delivered_at: Date | null
  readonly open: number
}

export interface Audits {
  /** The start of the audit that this process is running. */
  readonly runningSince: Date | undefined
  /** Why this process's last audit did not finish. */
  readonly failure: string | undefined
  /** Latest first. */
  readonly ended: readonly {
    readonly ended_at: Date
    readonly accounts: number
    readonly holds: number
    readonly postings: number
    readonly usage_rows: number
    readonly drifts: number
  }[]
  /** The first findings of the last audit, if any. */
  readonly findings: readonly {
    readonly check: string
    readonly accountId: string | null
    readonly facts: Readonly<Record<string, unknown>>
  }[]
}

export interface ConsolePurchase {
  readonly id: string
  readonly accountId: string
  readonly email: string | null
  readonly kind: 'pack' | 'plan'
  readonly item: string
  readonly credits: number
  /** In hundredths of the currency. */
  readonly price: number
  readonly currency: string
  readonly payment: 'manual' | 'stripe'
  readonly state: 'open' | 'paid' | 'refused' | 'cancelled' | 'failed'
  readonly operator: string | null
  readonly reason: string | null
  readonly createdAt: Date
}

/** A change of credits that waits for a second person. */
export interface ConsoleApproval {
  readonly id: string
  readonly accountId: string
  /** The command that does the same, such as `credits.topup`. */
  readonly action: string
  readonly credits: number
  readonly request: Readonly<Record<string, unknown>>
  readonly operator: string
  readonly via: 'command' | 'console'
  readonly createdAt: Date
  /** Why the signed-in operator cannot approve it. */
  readonly obstacle: string | undefined
}

export interface ConsoleOperator {
  readonly name: string
  readonly role: ConsoleRole
  readonly passkeys: number
  readonly lastSignIn: Date | null
}

/** An open session of the console. */
export interface ConsoleSession {
  readonly id: string
  readonly operator: string
  readonly role: ConsoleRole
  readonly signIn: 'link' | 'passkey'
  readonly startedAt: Date
  readonly lastUsedAt: Date | null
  /** The address of the browser at its sign-in, and at its last use. */
  readonly firstAddress: string | null
  readonly lastAddress: string | null
  readonly userAgent: string | null
}

export interface ConsoleOperators {
  readonly operators: readonly ConsoleOperator[]
  readonly sessions: readonly ConsoleSession[]
  readonly hasSharedSignIn: boolean
  /** A change of more credits needs a second person. null: there is no limit. */
  readonly creditLimit: number | null
}

export interface ConsoleApi extends ImportsApi {
  readonly plans: readonly ConsolePlan[]
  /** Maximum characters of a reason or a reference. */
  readonly maxReasonLength: number
  /** Newest first. undefined: the search took too long. */
  findAccounts(filter: ConsoleAccountFilter): Promise<readonly ConsoleAccount[] | undefined>
  getAccount(id: string): Promise<AccountDetail | undefined>
  createAccount(form: FormId, order: AccountOrder): Promise<ChangeResult<{ accountId: string; key: string }>>
  /** `waiting`: nothing was changed yet, because a second person must approve it. */
  setPlan(form: FormId, id: string, order: PlanOrder): Promise<ChangeResult<'now' | 'later' | 'waiting'>>
  setStatus(form: FormId, id: string, status: ConsoleAccount['status']): Promise<ChangeResult<undefined>>
  topUp(form: FormId, id: string, order: TopUpOrder): Promise<ChangeResult<'credits' | 'waiting'>>
  /** Latest first; at most `limit` of each. */
  readPurchases(
    limit: number,
  ): Promise<{ readonly open: readonly ConsolePurchase[]; readonly closed: readonly ConsolePurchase[] }>
  approvePurchase(form: FormId, id: string): Promise<ChangeResult<'approved' | 'waiting'>>
  refusePurchase(form: FormId, id: string, reason: string | undefined): Promise<ChangeResult<undefined>>
  /** In alphabetical order. */
  readSources(): Promise<readonly ConsoleSource[]>
  readDataSet(): Promise<DataSet>
  readProviders(): Promise<Providers>
  readQueues(): Promise<ConsoleQueues>
  /** Most failures in the last 24 hours first. */
  readFailingWebhooks(limit: number): Promise<readonly ConsoleFailingWebhook[]>
  /** Changes of credits that wait for a second person, oldest first. */
  readApprovals(limit: number): Promise<readonly ConsoleApproval[]>
  approveCredits(form: FormId, id: string): Promise<ChangeResult<undefined>>
  refuseCredits(form: FormId, id: string): Promise<ChangeResult<undefined>>
  readOperators(): Promise<ConsoleOperators>
  endSession(form: FormId, id: string): Promise<ChangeResult<undefined>>
  readAudits(): Promise<Audits>
  /** Starts an audit without waiting for it, unless one is running. */
  startAudit(form: FormId): void
  /** Latest first. `before`: only entries before the one with this id. */
  readTrail(filter: {
    readonly before?: number
    readonly limit: number
  }): Promise<readonly ConsoleTrailEntry[]>
}
