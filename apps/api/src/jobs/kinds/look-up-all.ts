// Looking up all entries of a job, in their order: what batches do, and the second stage of chained jobs. It resumes
// after the last entry that was stored, and ends early when the credits, or the records asked for, are used up.

import { CUT_BY_CREDITS, type Ending, failed, SUCCEEDED } from '../job.ts'
import { inOrder } from '../run/in-order.ts'
import type { Run } from '../run/run.ts'
import type { FailedEntry, NewRow } from '../store/checkpoint.ts'
import { findStale } from '../store/stale-records.ts'
import { type Entry, type LookedUp, type LookUpRules, lookUp } from './look-up.ts'

export interface AllRules extends LookUpRules {
  /** The most records. */
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

/** What is written with each step. */
interface Progress {
  /** The first entry that is not done. */
  readonly next: number
  /**
   * The credits ended it, perhaps in the middle of the building that is next: whoever takes the job up before it is
   * settled has nothing left to do but settle.
   */
  readonly isCut?: boolean
}

export async function lookUpAll(
  run: Run,
  entries: readonly Entry[],
  rules: AllRules,
): Promise<Ending | 'unfinished'> {
  const begun = (run.job.chainStage === 'search' ? null : run.job.checkpoint) as Progress | null
  if (begun?.isCut) return CUT_BY_CREDITS
  const from = begun?.next ?? 0
  const left = entries.slice(from)
  const ahead = rules.units === 'disabled' ? AHEAD : BUILDINGS_AHEAD
  let next = from
  let rows: NewRow[] = []
  let failures: FailedEntry[] = []

  async function store(isCut = false): Promise<void> {
    await run.store({ rows, failures, done: next, checkpoint: { next, isCut } satisfies Progress })
    rows = []
    failures = []
  }

  const answers = inOrder(left, { atATime: AT_A_TIME, ahead }, (entry) => lookUp(run, entry, rules))
  for await (const ready of answers) {
    for (const answer of await lookAgain(run, ready, left.slice(next - from), rules)) {
      const charged = run.units + countCharged(rows)
      if (charged >= rules.maxItems) break
      if ('waitMs' in answer) {
        await store()
        await run.waitFor(answer.waitMs)
        return 'unfinished'
      }
      if ('failure' in answer) failures.push({ ...answer.failure, position: next })
      else {
        const wanted = Math.min(countCharged(answer.rows), rules.maxItems - charged)
        const held = await run.hold(charged + wanted + rules.reserved)
        const affordable = Math.min(wanted, Math.max(0, held - rules.reserved - charged))
        rows.push(...firstCharged(answer.rows, affordable))
        if (affordable < wanted) {
          await store(true)
          return CUT_BY_CREDITS
        }
      }
      next++
      if (rows.length >= ROWS_AT_A_TIME) await store()
    }
    await store()
    if (run.units >= rules.maxItems) return SUCCEEDED
    if (run.stopping && next < entries.length) return 'unfinished'
  }
  return run.rowCount > 0 ? SUCCEEDED : judgeFailures(run, entries.length)
}

function countCharged(rows: readonly NewRow[]): number {
  return rows.filter((row) => row.charged).length
}

/** A building's own record comes before its units and is free; but where none of them can be paid it does not come alone. */
function firstCharged(rows: readonly NewRow[], count: number): readonly NewRow[] {
  const charged = countCharged(rows)
  if (count === 0 && charged > 0) return []
  return rows.slice(0, rows.length - charged + count)
}

/** What an import has replaced between its look-up and now is looked up again. */
async function lookAgain(
  run: Run,
  answers: readonly LookedUp[],
  entries: readonly Entry[],
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
        run.tools.records.forget(answer.cached.zpid)
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
async function judgeFailures(run: Run, entries: number): Promise<Ending> {
  const { accountId, jobId } = run.job
  const { rows } = await run.tools.database.query<Failures>(FAILURES, [accountId, jobId])
  const { broken, late, ours } = rows[0]!
  if (entries === 0 || broken < entries) return SUCCEEDED
  if (ours === entries)
    return failed('internal_error', 'Every entry failed on our side. Nothing was charged.')
  return late === entries
    ? failed(
        'upstream_timeout',
        'The listing source answered for none of the entries in time. Nothing was charged.',
      )
    : failed('upstream_error', 'The listing source failed for every entry. Nothing was charged.')
}
