// Looking up all entries of a job, in their order: what batches do, and the second stage of chained jobs. It resumes
// after the last entry that was stored, and ends early when the credits, or the records asked for, are used up: the
// entries that are then left out are listed.

import { type JobSkipped, messageOf, type Stage } from '@lotline/contract'
import { cutInput } from '../failure-reasons.ts'
import { cutBy, type Ending, failed, SUCCEEDED, type TruncatedBy } from '../job.ts'
import { inOrder } from '../run/in-order.ts'
import type { JobRun } from '../run/run.ts'
import type { FailedEntry, NewRow, SkippedEntries } from '../store/checkpoint.ts'
import { findStale } from '../store/stale-records.ts'
import { type LookedUp, type LookUpRules, type LookupEntry, lookUp } from './look-up.ts'

export interface AllRules extends LookUpRules {
  /** The stage whose price a record has. */
  readonly stage: Stage
  /** The most records, those that are free among them. */
  readonly maxItems: number
  /** Credits that are held for something else. */
  readonly reserved: number
}

const AT_A_TIME = 8
/** Single records are small beside the units of buildings. */
const AHEAD = 64
const BUILDINGS_AHEAD = 8
/** In one statement, but for a building that has more units. */
const ROWS_AT_A_TIME = 500
/** How often a record that imports keep replacing is looked up again. */
const MAX_LOOKS = 3

/** The left-out entries that a job shows wherever it is shown; the others it shows only by itself. */
const MAX_SKIPPED = 20

/** What is written with each step. */
interface LookupProgress {
  /** The first entry that is not done. */
  readonly next: number
  /**
   * What ended it, perhaps in the middle of the next building. A worker that claims the job before it is settled only has
   * to settle it.
   */
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
  // A lookup beyond `maxItems` would query the provider and never be paid.
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

  /** Ends it before the entry that is next, of which `returned` records could still be given. */
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

/** What an import has replaced between its look-up and now is looked up again. */
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

/** Entries that fail do not fail the job, unless all of them did, and not because there is nothing to find. */
async function judgeFailures(run: JobRun, entries: number): Promise<Ending> {
  const { accountId, jobId } = run.job
  const { rows } = await run.tools.database.query<Failures>(FAILURES, [accountId, jobId])
  const { broken, late, ours } = rows[0]!
  if (entries === 0 || broken < entries) return SUCCEEDED
  if (ours === entries) return failed('internal_error', messageOf('internal_error', 'job', {}))
  return late === entries
    ? failed('upstream_timeout', messageOf('upstream_timeout', 'job', {}))
    : failed('upstream_error', messageOf('upstream_error', 'job', {}))
}

// Which rows of an entry are taken where not all can be: a building's own record is free, but only beside a unit that is
// charged.
export interface RowBounds {
  /** The most rows. */
  readonly room: number
  /** The most charged rows. Default: all. */
  readonly affordable?: number
}

/** The first rows, as many as the bounds allow. Where only one fits, it is one that is charged. */
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
