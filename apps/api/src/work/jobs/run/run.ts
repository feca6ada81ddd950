// A running job, as the code of its type sees it: its input, its progress, and its operations. Its memory mirrors the database: each write
// returns the new state.

import { affordableRows, operations, type PriceStage, priceOfStage, type Stage } from '@lotline/contract'
import type { Logger } from 'pino'
import type { LookupBudget, RecordCache } from '../../../data/record-cache.ts'
import {
  creditOf,
  type DataSource,
  type FoundRows,
  type LocalSemaphore,
  type Provider,
  type QueryContext,
  type SourceDirectory,
} from '../../../data/sources.ts'
import type { ListingSites } from '../../../domain/site-urls.ts'
import { growHold, HOLD_STEP } from '../../../money/credits.ts'
import { type Lease, LeaseLost } from '../../loop/lease.ts'
import { MAX_PAUSE_MS } from '../job.ts'
import { type CheckpointWrite, type StoredCounts, writeStep } from '../store/checkpoint.ts'
import type { ClaimedJob } from '../store/claim-jobs.ts'
import type { SettleTools } from '../store/settle-job.ts'
import { ProviderRetry, type ProviderRetryOptions, type RetriedQuery } from './provider-retry.ts'

export interface JobTools extends SettleTools {
  readonly log: Logger
  readonly provider: Provider
  readonly records: RecordCache
  /** The accounts' failed-lookup budgets. Absent: failed lookups are not counted. */
  readonly budget?: LookupBudget
  /** The sites of accepted listing URLs and of the links in search rows. */
  readonly sites: ListingSites
  /** Attribution of the sources of rows. */
  readonly sources: SourceDirectory
  readonly providerRetry: ProviderRetryOptions
  /** Search pages in memory at a time, over all jobs of this process. */
  readonly pages: LocalSemaphore
}

const LOCK_MINE = `
  select set_config('idle_in_transaction_session_timeout', '${MAX_PAUSE_MS}', true)
  from jobs where account_id = $1 and id = $2 and lease_token = $3 for update`

const WAIT = `
  update jobs set not_before = now() + $4::float8 * interval '1 ms'
  where account_id = $1 and id = $2 and lease_token = $3`

const KEEP_PROVIDER = `
  update jobs set provider = coalesce(provider, $4)
  where account_id = $1 and id = $2 and lease_token = $3 returning provider`

/** Checks the plan again after this time, so that an upgrade takes effect before the day ends. */
const MAX_WAIT_MS = 60_000

export class JobRun {
  readonly job: ClaimedJob
  readonly tools: JobTools
  readonly #lease: Lease
  readonly #providerRetry: ProviderRetry
  #rowCount: number
  #units: number
  #held: number
  #shortOf: 'credits' | 'key_limit'
  #hasProgress: boolean
  /** The source of rows that do not name their own. */
  #source: DataSource | null
  /** The provider that this job began with, if there are several. The job queries no other. */
  #provider: string | null
  #answeredBy: string | undefined
  #firstQuery: Promise<unknown> = Promise.resolve()

  constructor(tools: JobTools, job: ClaimedJob, lease: Lease) {
    this.tools = tools
    this.job = job
    this.#lease = lease
    this.#rowCount = job.rowCount
    this.#units = job.units
    this.#held = job.held
    this.#shortOf = job.shortOf ?? 'credits'
    this.#provider = job.provider
    this.#source = job.source
    this.#hasProgress = job.rowCount > 0 || job.searchUnits > 0 || job.coverage !== null
    this.#providerRetry = new ProviderRetry(tools.providerRetry, lease, () => this.#hasProgress)
  }

  /** Stored result rows. */
  get rowCount(): number {
    return this.#rowCount
  }

  /** Charged result rows. */
  get units(): number {
    return this.#units
  }

  /** Held credits. */
  get held(): number {
    return this.#held
  }

  /**
   * Credits that the job can count on; null: no known limit. A hold grows in whole steps, so any other amount was cut by the client's
   * limit, the account's credits, or the key's limit.
   */
  get expected(): number | null {
    return this.#held % HOLD_STEP === 0 ? this.job.maxCredits : this.#held
  }

  /** The prices of its stages when the job was accepted. The contract's prices may have changed since. */
  get prices(): readonly PriceStage[] {
    return this.job.prices ?? operations[this.job.operation].price.stages
  }

  /** The price of one stage. */
  priceOf(stage: Stage): PriceStage {
    const priced = this.prices.find((one) => one.stage === stage)
    if (!priced) throw new Error(`${this.job.operation} has no price for the stage "${stage ?? 'single'}".`)
    return priced
  }

  /** Whether to stop at this checkpoint: the process is stopping, or another account's job needs the place. */
  get stopping(): boolean {
    return this.#lease.stopping || this.#lease.yielding
  }

  get signal(): AbortSignal {
    return this.#lease.signal
  }

  /** Options of each query to the provider. */
  get asking(): QueryContext {
    const { accountId } = this.job
    const asking = { signal: this.signal, accountId, owner: { account: accountId, background: true } }
    if (this.#provider !== null) return { ...asking, provider: this.#provider }
    return {
      ...asking,
      // Cached answers do not show which provider currently answers.
      ...(this.#hasStandIns && { fresh: true }),
      answeredBy: (name) => {
        this.#answeredBy ??= name
      },
    }
  }

  get #hasStandIns(): boolean {
    return (this.tools.provider.members ?? []).length > 1
  }

  /** Queries the source and retries while a retry can succeed. */
  ask<T>(query: RetriedQuery, ask: () => Promise<T>): Promise<T> {
    if (this.#provider !== null || !this.#hasStandIns) {
      return this.#providerRetry.ask(query, ask)
    }
    // Providers are queried one after the other until one has answered: concurrent queries could be answered by different providers.
    const mine = this.#firstQuery.then(async () => {
      const answer = await this.#providerRetry.ask(query, ask)
      if (this.#provider === null && this.#answeredBy !== undefined)
        await this.#keepProvider(this.#answeredBy)
      return answer
    })
    this.#firstQuery = mine.catch(() => {})
    return mine
  }

  async #keepProvider(name: string): Promise<void> {
    const { accountId, jobId, token } = this.job
    const { rows } = await this.tools.database.query<{ provider: string }>(KEEP_PROVIDER, [
      accountId,
      jobId,
      token,
      name,
    ])
    if (!rows[0]) throw new LeaseLost()
    this.#provider = rows[0].provider
  }

  /**
   * Adds `source` to each row whose source or listing office differs from the job's first row. The first source is stored once, with the
   * next checkpoint; 100,000 rows would otherwise repeat it.
   */
  nameSources<Row extends { readonly zpid: string; readonly brokerName?: unknown }>(
    found: FoundRows,
    rows: readonly Row[],
  ): readonly Row[] {
    const { one, of, sharedOf } = this.tools.sources.describe(found, new Date())
    const isFirst = (source: DataSource) => !this.#source || creditOf(this.#source) === creditOf(source)
    if (one && isFirst(one)) this.#source = laterOf(this.#source, one)
    return rows.map((row) => {
      const shared = one ?? sharedOf(row.zpid)
      if (!shared) return row
      const own = of(row.zpid)!
      if (!isFirst(shared)) return { ...row, source: own }
      this.#source = laterOf(this.#source, shared)
      const isComplete = typeof row.brokerName === 'string' || own.attribution === shared.attribution
      return isComplete ? row : { ...row, source: own }
    })
  }

  /** Stores a checkpoint. @throws {LeaseLost} if this worker no longer has the job; nothing is written then */
  async store(step: CheckpointWrite): Promise<StoredCounts> {
    this.#lease.signal.throwIfAborted()
    const stored = await writeStep(this.tools.database, this.job, {
      ...step,
      ...(this.#source && { source: this.#source }),
    })
    this.#lease.hasProgress = true
    this.#rowCount = stored.rowCount
    this.#units = stored.units
    this.#hasProgress ||= stored.rowCount > 0 || step.coverage !== undefined || (step.searchUnits ?? 0) > 0
    return stored
  }

  /**
   * Pauses the job: no worker claims it for `ms` milliseconds, at most a minute. The caller must then return `unfinished`. @throws
   * {LeaseLost}
   */
  async waitFor(ms: number): Promise<void> {
    const { accountId, jobId, token } = this.job
    const waits = await this.tools.database.query(WAIT, [accountId, jobId, token, Math.min(ms, MAX_WAIT_MS)])
    if (waits.rowCount === 0) throw new LeaseLost()
  }

  /**
   * Extends the hold to cover this many charged rows of a stage, as far as the account's credits allow. Returns how many rows the hold
   * covers, which may be more or fewer. @param reserved held credits for another purpose @param most the maximum rows of the stage; the
   * hold never exceeds their price
   */
  async afford(
    stage: PriceStage,
    rows: number,
    { reserved = 0, most = Number.POSITIVE_INFINITY } = {},
  ): Promise<number> {
    const bound = most === Number.POSITIVE_INFINITY ? most : reserved + priceOfStage(stage, most)
    const held = await this.hold(reserved + priceOfStage(stage, rows), bound)
    return affordableRows([stage], held - reserved)
  }

  /**
   * Extends the hold in steps toward `wanted` credits. It never takes the account's last credit. Returns the held credits. @param most the
   * upper bound of the hold, in credits
   */
  async hold(wanted: number, most = Number.POSITIVE_INFINITY): Promise<number> {
    const bound = Math.min(most, this.job.maxCredits ?? most)
    while (this.#held < wanted) {
      const by = Math.min(HOLD_STEP, bound - this.#held)
      if (by < 1 || !(await this.#grow(by))) break
    }
    return this.#held
  }

  /**
   * The limit that stops the job from storing one more row in each of these stages: the client's limit if it pays for no more rows;
   * otherwise the smaller of the account's credits and the key's limit. @param rows the row count of each stage @param reserved held
   * credits for another purpose
   */
  shortOf(
    stages: readonly PriceStage[],
    rows: number,
    reserved = 0,
  ): 'credits' | 'max_credits' | 'key_limit' {
    const { maxCredits } = this.job
    return maxCredits !== null && affordableRows(stages, maxCredits - reserved) <= rows
      ? 'max_credits'
      : this.#shortOf
  }

  async #grow(by: number): Promise<boolean> {
    const { accountId, jobId, token } = this.job
    const grown = await this.tools.database.transaction(async (tx) => {
      const mine = await tx.query(LOCK_MINE, [accountId, jobId, token], { name: 'lock_my_job' })
      if (mine.rows.length === 0) throw new LeaseLost()
      return growHold(tx, { accountId, jobId, by })
    })
    this.#held = grown.amount
    if (!grown.grown) this.#shortOf = grown.because === 'key_limit' ? 'key_limit' : 'credits'
    this.tools.onBalance(accountId, grown)
    return grown.grown
  }
}

/** The source as it was first read, with the latest time at which it changed one of the rows. */
function laterOf(known: DataSource | null, found: DataSource): DataSource {
  if (!known) return found
  const [earlier, later] = [known.source_updated_at, found.source_updated_at]
  // ISO 8601 times in UTC sort as text.
  return later !== null && (earlier === null || later > earlier)
    ? { ...known, source_updated_at: later }
    : known
}
