import type { Books } from '../../src/audit/books.ts'
import type { Records } from '../../src/log.ts'
import { type Changeable, first, type Plant, remove } from './plant.ts'

export const JOBS: readonly Plant[] = [
  {
    name: 'a job that stores more than it says',
    named: ['what an account stores is what is there'],
    change: ({ storedJobs }) => {
      storedJobs[0]!.real_bytes++
    },
  },
  {
    name: 'an account that stores more rows than it is said to',
    named: ['what an account stores is what is there'],
    change: ({ storedSums }) => {
      storedSums[0]!.rows--
    },
  },
  {
    name: 'an ended job that still has its request',
    named: ['what an account stores is what is there'],
    change: ({ storedJobs }) => {
      storedJobs[0]!.dropped = false
    },
  },
  {
    name: 'an accepted job that does not exist',
    named: ['no job is lost'],
    change: ({ jobs }, { answer }) => {
      const seen = new Set(answer.map(({ jobId }) => jobId))
      remove(
        jobs,
        first(jobs, ({ id }) => seen.has(id)),
      )
    },
  },
  {
    name: 'an accepted job that never ends',
    named: ['no job is lost'],
    change: ({ jobs }) => {
      jobs[0]!.status = 'running'
    },
  },
  {
    name: 'an ended job that has changed',
    named: ['a job that has ended never changes'],
    change: (_, { job }) => {
      const seen = first(job, (one) => one.job.status === 'succeeded' && countOf(job, one.job.id) > 1)
      seen.job.credits_charged = 77
    },
  },
  {
    name: 'an ended job that runs again',
    named: ['a job that has ended never changes'],
    change: (_, { job }) => {
      const seen = first(job, ({ job: one }) => one.status === 'succeeded')
      job.push({
        ...seen,
        sentAt: seen.endAt + 1,
        endAt: seen.endAt + 2,
        job: { ...seen.job, status: 'running' },
      })
    },
  },
  {
    name: 'two jobs from one Idempotency-Key',
    named: ['an Idempotency-Key starts one job'],
    change: ({ jobs }, { answer }) => {
      const seen = first(
        answer,
        ({ jobId, idempotencyKey }) => jobId !== undefined && idempotencyKey !== undefined,
      )
      answer.push({ ...seen, jobId: first(jobs, ({ id }) => id !== seen.jobId).id })
    },
  },
  {
    name: 'a row of a result that is missing',
    named: ['no row of a result is missing or doubled'],
    change: (books) => remove(books.rows, secondRow(books)),
  },
  {
    name: 'the last row of a result that is missing, and not counted either',
    named: ['no row of a result is missing or doubled'],
    change: ({ rows, jobs }, { order }) => {
      const known = rowsKnown(order)
      const job = first(
        jobs,
        ({ id, status, row_count, truncated_by }) =>
          known.has(id) && status === 'succeeded' && row_count > 0 && truncated_by === null,
      )
      rows.splice(
        rows.findLastIndex(({ job_id }) => job_id === job.id),
        1,
      )
      job.row_count--
    },
  },
  {
    name: 'an entry that a batch says it left out, and did not',
    named: ['no row of a result is missing or doubled'],
    change: ({ jobs }, { order }) => {
      const known = rowsKnown(order)
      const job = first(
        jobs,
        ({ id, type, status }) => known.has(id) && type === 'batch_detail' && status === 'succeeded',
      )
      job.skipped_count++
    },
  },
  {
    name: 'a row of a result that is there twice',
    named: ['no row of a result is missing or doubled'],
    change: (books) => {
      const row = secondRow(books)
      row.id = first(books.rows, ({ job_id, position }) => job_id === row.job_id && position === 0).id
    },
  },
  {
    name: 'a page with the row of another place',
    named: ['every page shows the rows of its place'],
    change: (_, { page }) => void first(page, ({ ids }) => ids.length > 1).ids.reverse(),
  },
]

/** The jobs of which it is known which rows they have. */
function rowsKnown(orders: Changeable<Records>['order']): ReadonlySet<string> {
  return new Set(orders.flatMap(({ jobId, expected }) => (expected ? [jobId] : [])))
}

/** The second row of a job that succeeded: a job that was aborted may have stored some rows. */
function secondRow({ rows, jobs }: Changeable<Books>): Changeable<Books>['rows'][number] {
  const succeeded = new Set(jobs.filter(({ status }) => status === 'succeeded').map(({ id }) => id))
  return first(rows, ({ job_id, position }) => succeeded.has(job_id) && position === 1)
}

function countOf(seen: Changeable<Records>['job'], id: string): number {
  return seen.filter(({ job }) => job.id === id && job.status === 'succeeded').length
}
