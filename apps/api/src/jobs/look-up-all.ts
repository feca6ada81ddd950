// Looking up all entries of a job, in their order: what batches do, and the second stage of chained jobs. It is gone on
// with after the last entry that was stored, and ends early when the credits, or the records asked for, are used up.

import type { CachedRecord } from '../listings/record-cache.ts'
import type { FailedEntry, NewRow } from './checkpoint.ts'
import { inOrder } from './in-order.ts'
import { CUT_BY_CREDITS, type Ending, failed, SUCCEEDED } from './job.ts'
import { type Entry, type LookedUp, type LookUpRules, lookUp } from './look-up.ts'
import type { Run } from './run.ts'
import { findStale } from './stale-records.ts'

export interface AllRules extends LookUpRules {
  /** The most records. */
  readonly maxItems: number
  /** Credits that are held for something else. */
  readonly reserved: number
}

const AT_A_TIME = 8
const AHEAD = 64
/** How often a record that imports keep replacing is looked up again. */
const MOST_LOOKS = 3

/** What is written with each step. */
interface Progress {
  readonly next: number
}

export async function lookUpAll(
  run: Run,
  entries: readonly Entry[],
  rules: AllRules,
): Promise<Ending | 'unfinished'> {
  const begun = (run.job.chainStage === 'search' ? null : run.job.checkpoint) as Progress | null
  let next = begun?.next ?? 0
  const left = entries.slice(next)
  const answers = inOrder(left, { atATime: AT_A_TIME, ahead: AHEAD }, (entry) => lookUp(run, entry, rules))
  for await (const ready of answers) {
    const current = await lookAgain(run, ready, left.slice(next - (begun?.next ?? 0)), rules)
    const rows: NewRow[] = []
    const failures: FailedEntry[] = []
    let isCut = false
    let charged = run.units
    for (const answer of current) {
      if (charged >= rules.maxItems) break
      if ('failure' in answer) failures.push({ ...answer.failure, position: next })
      else {
        const wanted = answer.rows.filter((row) => row.charged).length
        const fitting = Math.min(wanted, rules.maxItems - charged)
        const held = await run.hold(charged + fitting + rules.reserved)
        const affordable = Math.max(0, Math.min(fitting, held - rules.reserved - charged))
        isCut = affordable < fitting
        // A building's own record comes first, and alone it would be a row without anything to go with it.
        if (affordable > 0 || wanted === 0)
          rows.push(...answer.rows.slice(0, answer.rows.length - wanted + affordable))
        charged += affordable
      }
      if (isCut) break
      next++
    }
    await run.store({ rows, failures, done: next, checkpoint: { next } satisfies Progress })
    if (isCut) return CUT_BY_CREDITS
    if (charged >= rules.maxItems) return SUCCEEDED
    if (run.stopping && next < entries.length) return 'unfinished'
  }
  return run.rowCount > 0 ? SUCCEEDED : judgeFailures(run, entries.length)
}

/** What an import has replaced between its look-up and now is looked up again. */
async function lookAgain(
  run: Run,
  answers: readonly LookedUp[],
  entries: readonly Entry[],
  rules: LookUpRules,
): Promise<readonly LookedUp[]> {
  let current = answers
  for (let look = 1; look < MOST_LOOKS; look++) {
    const copies = current.flatMap((answer) => ('cached' in answer && answer.cached ? [answer.cached] : []))
    const stale = await findStale(run.tools.database, copies)
    if (stale.size === 0) return current
    current = await Promise.all(
      current.map((answer, at) => {
        if (!('cached' in answer) || !answer.cached || !isStale(answer.cached, stale)) return answer
        run.tools.records.forget(answer.cached.zpid)
        return lookUp(run, entries[at]!, rules)
      }),
    )
  }
  return current
}

function isStale({ zpid }: CachedRecord, stale: ReadonlySet<string>): boolean {
  return stale.has(zpid)
}

const FAILURES = `
  select count(*) as failed, count(*) filter (where code <> 'not_found') as broken,
    count(*) filter (where code = 'upstream_timeout') as late,
    count(*) filter (where code = 'internal_error') as ours
  from job_failures where account_id = $1 and job_id = $2`

interface Failures {
  readonly failed: number
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
