// One job at work, as the code of its type sees it: what to do, how far it has come, and the few things it can do about
// it. It keeps in memory what the database has, as each write answers it.

import { affordableRows, operations, type PriceStage, priceOfStage, type Stage } from '@lotline/contract'
import type { Logger } from 'pino'
import type { LookupBudget, RecordCache } from '../../../data/record-cache.ts'
import {
  type Asking,
  creditOf,
  type DataSource,
  type FoundRows,
  type LocalSemaphore,
  type Provider,
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
  /** Failed lookups of the accounts. Absent: they are not counted. */
  readonly budget?: LookupBudget
  /** The sites whose listing URLs are read, and where the links of search rows lead. */
  readonly sites: ListingSites
  /** What is said of the sources of rows. */
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

/** So that a larger plan is noticed although the day of a smaller one is not over. */
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
  /** Of the rows that name no source of their own. */
  #source: DataSource | null
  /** Of several, the only one to ask: the job keeps the provider that it began with. */
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

  /** Result rows that are stored. */
  get rowCount(): number {
    return this.#rowCount
  }

  /** Those of them that are charged. */
  get units(): number {
    return this.#units
  }

  /** Credits. */
  get held(): number {
    return this.#held
  }

  /**
   * Credits that it can count on; null: nothing is known to limit them. A hold grows in whole steps: one that is not was cut, by
   * the client's limit or by what the account or the key has.
   */
  get expected(): number | null {
    return this.#held % HOLD_STEP === 0 ? this.job.maxCredits : this.#held
  }

  /** What its stages cost: the prices that it was accepted with, although those of the contract may have changed since. */
  get prices(): readonly PriceStage[] {
    return this.job.prices ?? operations[this.job.operation].price.stages
  }

  /** The price of its stage of that name. */
  priceOf(stage: Stage): PriceStage {
    const priced = this.prices.find((one) => one.stage === stage)
    if (!priced) throw new Error(`${this.job.operation} has no ${stage ?? 'single'} stage.`)
    return priced
  }

  /** Whether to leave the work now, at a checkpoint: the process ends, or another account's job needs the place. */
  get stopping(): boolean {
    return this.#lease.stopping || this.#lease.yielding
  }

  get signal(): AbortSignal {
    return this.#lease.signal
  }

  /** What each query to the provider carries. */
  get asking(): Asking {
    const { accountId } = this.job
    const asking = { signal: this.signal, accountId, owner: { account: accountId, background: true } }
    if (this.#provider !== null) return { ...asking, provider: this.#provider }
    return {
      ...asking,
      // What is remembered does not show which provider answers now.
      ...(this.#hasStandIns && { fresh: true }),
      answeredBy: (name) => {
        this.#answeredBy ??= name
      },
    }
  }

  get #hasStandIns(): boolean {
    return (this.tools.provider.members ?? []).length > 1
  }

  /** Asks the source, again and again while there is hope. */
  ask<T>(query: RetriedQuery, ask: () => Promise<T>): Promise<T> {
    if (this.#provider !== null || !this.#hasStandIns) {
      return this.#providerRetry.ask(query, ask)
    }
    // One after the other, until one has answered: two at a time could be answered by different ones.
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
   * The rows, each with `source` that is not of the source of the job's first row, or that does not name its listing office
   * otherwise. The first one is stored once, with the next checkpoint: a result of 100,000 rows would say it as often.
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

  /** A checkpoint. @throws {LeaseLost} and has written nothing when the job is not this worker's any more. */
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
   * Pauses the job: no worker claims it for `ms` milliseconds, a minute at most. The work is to be left right after it, as
   * `unfinished`. @throws {LeaseLost}
   */
  async waitFor(ms: number): Promise<void> {
    const { accountId, jobId, token } = this.job
    const waits = await this.tools.database.query(WAIT, [accountId, jobId, token, Math.min(ms, MAX_WAIT_MS)])
    if (waits.rowCount === 0) throw new LeaseLost()
  }

  /**
   * Makes sure that this many charged rows of a stage are covered by the hold, as far as the account has the credits. Answers how many
   * can be: `rows`, more or fewer.
   *
   * @param reserved credits of the hold that are for something else
   * @param most the most rows that the stage can come to: the hold does not grow beyond their price
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
   * Sees to it that `wanted` credits are held, in steps, as far as the account has them: never its last one. Answers
   * what is held then.
   *
   * @param most credits beyond which the hold does not grow
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
   * What keeps the job from one more row in each of these stages: the client's limit, if that pays for no more rows than there
   * are, or else the smaller of the account's credits and the limit of the key.
   *
   * @param rows what there is, in each of the stages
   * @param reserved credits of the hold that are for something else
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

/** The same source, as it was first read, with the latest time at which it changed one of the rows. */
function laterOf(known: DataSource | null, found: DataSource): DataSource {
  if (!known) return found
  const [earlier, later] = [known.source_updated_at, found.source_updated_at]
  // ISO 8601 in UTC sorts as text.
  return later !== null && (earlier === null || later > earlier)
    ? { ...known, source_updated_at: later }
    : known
}
