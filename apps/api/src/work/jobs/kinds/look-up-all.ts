// Looks up all entries of a job in order, for batches and for the second stage of chained jobs. It resumes after the last stored entry. It
// stops when the credits or the requested number of records run out, and lists the skipped entries.
// Why: decisions/work/skipped-entries.md

import { formatMessage, type JobSkipped, type Stage } from '@lotline/contract'
import { cutInput } from '../failure-reasons.ts'
import { cutBy, type Ending, failed, SUCCEEDED, type TruncatedBy } from '../job.ts'
import { inOrder } from '../run/in-order.ts'
import type { JobRun } from '../run/run.ts'
import type { FailedEntry, NewRow, SkippedEntries } from '../store/checkpoint.ts'
import { findStale } from '../store/stale-records.ts'
import { type LookedUp, type LookUpRules, type LookupEntry, lookUp } from './look-up.ts'

export interface AllRules extends LookUpRules {
  /** The stage that sets the price of a record. */
  readonly stage: Stage
  /** The maximum number of records, including free ones. */
  readonly maxItems: number
  /** Held credits that are reserved for another purpose. */
  readonly reserved: number
}

const AT_A_TIME = 8
/** Single records are small compared with the units of buildings. */
const AHEAD = 64
const BUILDINGS_AHEAD = 8
/** Entries of one statement. A building with more units than this is the exception. */
const ROWS_AT_A_TIME = 500
/** Maximum lookups of one record that imports keep replacing. */
const MAX_LOOKS = 3

/** Skipped entries that lists of jobs show. `GET /v1/jobs/{jobId}` shows all of them. */
const MAX_SKIPPED = 20

/** The checkpoint of each step. */
interface LookupProgress {
  /** The position of the first entry that is not done. */
  readonly next: number
  /** The reason why the job stopped, possibly within a building. A worker that claims the job before it is settled only settles it. */
  readonly cut?: TruncatedBy | undefined
}

export async function lookUpAll(
  run: JobRun,
  entries: readonly LookupEntry[],
  rules: AllRules,
): Promise<Ending | 'unfinished'> {
  const begun = (run.job.chainStage === 'search' ? null : run.job.checkpoint) as LookupProgress | null
  if (begun?.cut) return cutBy(begun.cut)
  const from = begun?.next ?? 0
  const left = entries.slice(from)
  // The result of a lookup beyond `maxItems` could never be charged, so the provider is not queried.
  const wanted = Math.max(1, rules.maxItems - run.rowCount)
  const ahead = Math.min(wanted, rules.units === 'disabled' ? AHEAD : BUILDINGS_AHEAD)
  const price = run.priceOf(rules.stage)
  let next = from
  let rows: NewRow[] = []
  let failures: FailedEntry[] = []

  async function store(cut?: TruncatedBy, skipped?: SkippedEntries): Promise<void> {
    await run.store({
      rows,
      failures,
      skipped,
      done: next,
      checkpoint: { next, cut } satisfies LookupProgress,
    })
    rows = []
    failures = []
  }

  /** Stops before the next entry. The limit leaves room for `returned` more records. */
  async function cut(by: TruncatedBy, returned = 0): Promise<Ending> {
    await store(by, skippedFrom(entries, next, by, returned))
    return cutBy(by)
  }

  const isFull = () => run.rowCount + rows.length >= rules.maxItems

  const answers = inOrder(left, { atATime: Math.min(AT_A_TIME, ahead), ahead }, (entry) =>
    lookUp(run, entry, rules),
  )
  for await (const ready of answers) {
    for (const answer of await lookAgain(run, ready, left.slice(next - from), rules)) {
      if (isFull()) return cut('max_items')
      if ('waitMs' in answer) {
        await store()
        await run.waitFor(answer.waitMs)
        return 'unfinished'
      }
      if ('failure' in answer) failures.push({ ...answer.failure, position: next })
      else {
        const room = rules.maxItems - run.rowCount - rows.length
        const wanted = takeRows(answer.rows, { room })
        const charged = run.units + countCharged(rows)
        const affordable = await run.afford(price, charged + countCharged(wanted), {
          reserved: rules.reserved,
          most: rules.maxItems,
        })
        const taken = takeRows(answer.rows, { room, affordable: affordable - charged })
        rows.push(...taken)
        if (taken.length < wanted.length)
          return cut(run.shortOf([price], run.units + countCharged(rows), rules.reserved), taken.length)
        if (taken.length < answer.rows.length) return cut('max_items', taken.length)
      }
      next++
      if (rows.length >= ROWS_AT_A_TIME) await store()
    }
    await store()
    if (isFull() && next < entries.length) return cut('max_items')
    if (run.stopping && next < entries.length) return 'unfinished'
  }
  return run.rowCount > 0 ? SUCCEEDED : judgeFailures(run, entries.length)
}

function skippedFrom(
  entries: readonly LookupEntry[],
  from: number,
  reason: TruncatedBy,
  returned: number,
): SkippedEntries {
  const all = entries.slice(from).map(
    ({ text, input = text }, at): JobSkipped => ({
      position: from + at,
      input: cutInput(input),
      reason,
      returned: at === 0 ? returned : 0,
    }),
  )
  return { first: all.slice(0, MAX_SKIPPED), more: all.slice(MAX_SKIPPED), count: all.length }
}

/** Looks up again each record that an import replaced after its lookup. */
async function lookAgain(
  run: JobRun,
  answers: readonly LookedUp[],
  entries: readonly LookupEntry[],
  rules: LookUpRules,
): Promise<readonly LookedUp[]> {
  let current = answers
  for (let look = 1; look < MAX_LOOKS; look++) {
    const copies = current.flatMap((answer) => ('cached' in answer && answer.cached ? [answer.cached] : []))
    const stale = await findStale(run.tools.database, copies)
    if (stale.size === 0) return current
    current = await Promise.all(
      current.map((answer, at) => {
        if (!('cached' in answer) || !answer.cached || !stale.has(answer.cached.zpid)) return answer
        run.tools.records.forget(answer.cached)
        return lookUp(run, entries[at]!, rules)
      }),
    )
  }
  return current
}

const FAILURES = `
  select count(*) filter (where reason in ('upstream_timeout', 'upstream_error', 'internal_error')) as broken,
    count(*) filter (where reason = 'upstream_timeout') as late,
    count(*) filter (where reason = 'internal_error') as ours
  from job_failures where account_id = $1 and job_id = $2`

interface Failures {
  readonly broken: number
  readonly late: number
  readonly ours: number
}

/** Failed entries do not fail the job, unless all of them failed for a reason other than "not found". */
async function judgeFailures(run: JobRun, entries: number): Promise<Ending> {
  const { accountId, jobId } = run.job
  const { rows } = await run.tools.database.query<Failures>(FAILURES, [accountId, jobId])
  const { broken, late, ours } = rows[0]!
  if (entries === 0 || broken < entries) return SUCCEEDED
  if (ours === entries) return failed('internal_error', formatMessage('internal_error', 'job', {}))
  return late === entries
    ? failed('upstream_timeout', formatMessage('upstream_timeout', 'job', {}))
    : failed('upstream_error', formatMessage('upstream_error', 'job', {}))
}

// Selects the rows of an entry when not all of them fit. A building's own record is free only together with a charged unit.
export interface RowBounds {
  /** The maximum number of rows. */
  readonly room: number
  /** The maximum number of charged rows. Default: no limit. */
  readonly affordable?: number
}

/** Takes the first rows, as many as the bounds allow. If only one row fits, it is a charged one. */
export function takeRows(
  rows: readonly NewRow[],
  { room, affordable = Number.POSITIVE_INFINITY }: RowBounds,
): readonly NewRow[] {
  const free = rows.filter(({ charged }) => !charged)
  const charged = rows.filter((row) => row.charged)
  const beside = Math.min(charged.length, affordable, room - free.length)
  if (beside >= 1) return [...free, ...charged.slice(0, beside)]
  return charged.slice(0, Math.max(0, Math.min(affordable, room)))
}

function countCharged(rows: readonly NewRow[]): number {
  return rows.filter(({ charged }) => charged).length
}
