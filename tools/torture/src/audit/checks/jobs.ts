// Jobs: none is lost, none changes after its end, each is started once, and its result is whole.

import { isDeepStrictEqual } from 'node:util'
import { type Check, groupBy, TERMINAL } from '../check.ts'

export const noJobIsLost: Check = ({ records, books }, tell) => {
  const jobs = new Map(books.jobs.map((job) => [job.id, job]))
  const seen = new Set(records.answer.flatMap(({ jobId }) => jobId ?? []))
  for (const id of seen) {
    const job = jobs.get(id)
    if (!job) tell(`job ${id} was accepted and does not exist`)
    else if (!TERMINAL.has(job.status)) tell(`job ${id} was accepted and is still ${job.status}`)
  }
  for (const { id, status } of books.jobs) {
    if (!seen.has(id) && !TERMINAL.has(status)) tell(`job ${id}, whose 202 was lost, is still ${status}`)
  }
  return books.jobs.length
}

/** Only a job that is read by itself has the entries behind the first 20 that failed, and behind the first 20 left out. */
const LISTED = 20

/** What a job has become stays, in the eyes of everyone who looks later. */
export const endedJobsNeverChange: Check = ({ records, books }, tell) => {
  const last = new Map(books.jobs.map((job) => [job.id, job]))
  let looked = 0
  for (const [id, seen] of groupBy(records.job, ({ job }) => job.id)) {
    const ended = seen.filter(({ job }) => TERMINAL.has(job.status)).sort((a, b) => a.endAt - b.endAt)
    const [first] = ended
    if (!first) continue
    looked += ended.length
    for (const { job } of ended) {
      const lengths = [job, first.job].map(({ failures = [] }) => failures.length)
      const comparedTo = Math.max(LISTED, Math.min(...lengths))
      const [one, other] = [job, first.job].map((seen) => ({
        ...seen,
        failures: seen.failures?.slice(0, comparedTo),
        more_skipped: undefined,
      }))
      if (!isDeepStrictEqual(one, other)) {
        tell(`job ${id} was ${JSON.stringify(first.job)} and then ${JSON.stringify(job)}`)
      }
    }
    // Only a request sent after the end was seen is sure to see it.
    const relapse = seen.find(({ sentAt, job }) => sentAt > first.endAt && !TERMINAL.has(job.status))
    if (relapse) tell(`job ${id} had ended as ${first.job.status} and was ${relapse.job.status} again`)
    const row = last.get(id)
    if (
      row?.status !== first.job.status ||
      (row.status === 'succeeded' && row.row_count !== first.job.result_count)
    ) {
      tell(
        `job ${id} was seen ${first.job.status} with ${first.job.result_count} rows, and is ${JSON.stringify(row)}`,
      )
    }
  }
  return looked
}

export const anIdempotencyKeyStartsOneJob: Check = ({ records }, tell) => {
  let looked = 0
  const keyed = groupBy(records.answer, ({ keyId, idempotencyKey, jobId }) =>
    jobId && idempotencyKey ? `${keyId} ${idempotencyKey}` : null,
  )
  for (const [key, answers] of keyed) {
    looked++
    const jobs = new Set(answers.map(({ jobId }) => jobId))
    if (jobs.size > 1) tell(`Idempotency-Key ${key} has started ${[...jobs].join(' and ')}`)
  }
  return looked
}

/**
 * Every entry of a job that succeeded is among its rows or its failures, once; and nothing else is. A batch that was cut
 * counts the entries that are in neither.
 */
export const resultsAreWhole: Check = ({ records, books }, tell) => {
  const rows = groupBy(books.rows, ({ job_id }) => job_id)
  const failures = groupBy(books.failures, ({ job_id }) => job_id)
  const expected = new Map(records.order.map(({ jobId, expected }) => [jobId, expected]))
  let looked = 0
  for (const { id, type, status, row_count, skipped_count, truncated_by } of books.jobs) {
    if (status !== 'succeeded') continue
    const own = rows.get(id) ?? []
    looked += own.length
    if (own.length !== row_count) tell(`job ${id} says ${row_count} rows and has ${own.length}`)
    const gap = own.findIndex(({ position }, at) => position !== at)
    if (gap >= 0) tell(`job ${id} has no row at ${gap}`)
    const ids = [...own, ...(failures.get(id) ?? [])].map((row) => row.id)
    const doubled = ids.find((one, at) => ids.indexOf(one) !== at)
    if (doubled !== undefined) tell(`job ${id} has ${doubled} twice`)
    const wanted = expected.get(id)
    if (!wanted) continue
    const missing = truncated_by === null ? wanted.filter((one) => !ids.includes(one)) : []
    const leftOut = wanted.filter((one) => !ids.includes(one)).length
    if (type === 'batch_detail' && leftOut !== skipped_count)
      tell(`job ${id} left out ${leftOut} entries and says ${skipped_count}`)
    const strange = ids.filter((one) => !wanted.includes(one))
    if (missing.length > 0)
      tell(`job ${id} lacks ${missing.length} of ${wanted.length} rows: ${missing.slice(0, 5)}`)
    if (strange.length > 0)
      tell(`job ${id} has ${strange.length} rows that were not asked for: ${strange.slice(0, 5)}`)
  }
  return looked
}

/** Each page of a result shows the rows that lie at its place, in whichever format and whenever it is read. */
export const pagesAreWhole: Check = ({ records, books }, tell) => {
  const rows = groupBy(books.rows, ({ job_id }) => job_id)
  for (const { jobId, format, offset, limit, total, ids } of records.page) {
    const all = (rows.get(jobId) ?? []).map(({ id }) => id)
    const due = all.slice(offset, offset + limit)
    if (total !== all.length)
      tell(`job ${jobId} as ${format}: ${total} rows in all, and there are ${all.length}`)
    if (!isDeepStrictEqual(due, ids)) {
      const at = due.findIndex((id, index) => id !== ids[index])
      tell(
        `job ${jobId} as ${format} from ${offset}: row ${at} of ${due.length} is ${ids[at]}, not ${due[at]}`,
      )
    }
  }
  return records.page.length
}
