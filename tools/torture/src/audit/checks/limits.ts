// Limits: one call of a key at a time, in order of arrival, never more a minute than its plan allows, and never a charge above
// what its client allows.

import type { AnswerRecord, QuestionRecord } from '../../records.ts'
import { type Check, groupBy } from '../check.ts'
import type { Evidence } from '../evidence.ts'

/**
 * Two calls of one key never work at the same time. Seen from the provider: each call asks for a home of its own, and
 * was answered with it. A query whose call went wrong says nothing, since the service may have given it up before the
 * provider knew.
 */
export const oneInFlightForEachKey: Check = ({ records }, tell) => {
  const answered = new Map<string, QuestionRecord>()
  for (const query of records.query) {
    const isUsed = query.end === 'answered' && (query.fault === null || query.fault === 'delay')
    if (query.zpid === null || !isUsed) continue
    const earlier = answered.get(query.zpid)
    if (!earlier || query.endedAt < earlier.endedAt) answered.set(query.zpid, query)
  }
  const succeeded = records.answer.filter(({ status, ownZpid }) => status === 200 && ownZpid !== undefined)
  let looked = 0
  for (const [keyId, calls] of groupBy(succeeded, (call) => call.keyId)) {
    const work = calls.flatMap(({ ownZpid }) => answered.get(ownZpid!) ?? [])
    work.sort((a, b) => a.arrivedAt - b.arrivedAt)
    looked += work.length
    let busyUntil = Number.NEGATIVE_INFINITY
    for (const { zpid, arrivedAt, endedAt } of work) {
      if (arrivedAt < busyUntil) {
        tell(
          `key ${keyId}: ${zpid} was asked for ${(busyUntil - arrivedAt).toFixed(1)} ms before the call before it was over`,
        )
      }
      busyUntil = Math.max(busyUntil, endedAt)
    }
  }
  return looked
}

/**
 * Sent closer together than this, it is not known which came first: one process reads in the order of sending; of several,
 * each has first to get a turn on this machine's processors.
 */
const APART_MS = { single: 10, scaled: 300 }
/** What is answered after the key's turn has come. */
const AFTER_THE_QUEUE = new Set([200, 404, 502, 504])

/** Calls of one burst, sent one after the other on open connections, are answered one after the other. */
export const inOrderOfArrival: Check = ({ records, kind }, tell) => {
  // A process of several that stands still has not yet taken in what was sent to it first.
  const isDisturbed = ({ sentAt, endAt }: AnswerRecord) =>
    kind === 'scaled' && records.fault.some((fault) => sentAt < fault.endAt + 1_000 && endAt > fault.at)
  let looked = 0
  for (const [burst, calls] of groupBy(records.answer, (call) => call.burst ?? null)) {
    const inOrder = calls
      .filter(({ status, code }) => AFTER_THE_QUEUE.has(status) && code !== 'service_unavailable')
      .sort((a, b) => a.sentAt - b.sentAt)
    for (const [at, call] of inOrder.entries()) {
      const before = inOrder[at - 1]
      if (!before || isDisturbed(before) || isDisturbed(call) || call.sentAt - before.sentAt < APART_MS[kind])
        continue
      looked++
      if (call.headAt < before.headAt) {
        tell(`burst ${burst}: call ${call.call} was answered before call ${before.call}, which came first`)
      }
    }
  }
  return looked
}

const MINUTE_MS = 60_000
/** Between the admission and the moment that is booked for it. In a store the admission is some round trip earlier. */
const STAMPED_WITHIN_MS = { single: 50, scaled: 1_000 }

/** How many calls a minute each key may make. */
function limitsOf({ books }: Evidence): ReadonlyMap<string, number> {
  const rates = new Map(books.accounts.map(({ id, rate }) => [id, rate]))
  return new Map(books.keys.map(({ id, account_id }) => [id, rates.get(account_id) ?? 0]))
}

/** From the booked moments of admission. */
export const windowAsBooked: Check = (evidence, tell) => {
  const { books, kind } = evidence
  const limits = limitsOf(evidence)
  for (const [keyId, ofKey] of groupBy(books.usage, ({ key_id }) => key_id)) {
    const limit = limits.get(keyId) ?? 0
    // A chained job's two rows are one call.
    const calls = new Map(ofKey.map(({ request_id, created_at }) => [request_id, created_at]))
    const times = [...calls.values()].sort((a, b) => a - b)
    for (let at = limit; at < times.length; at++) {
      const apart = times[at]! - times[at - limit]!
      if (apart < MINUTE_MS - STAMPED_WITHIN_MS[kind]) {
        tell(`key ${keyId}: ${limit + 1} calls within ${apart} ms, and ${limit} are allowed`)
      }
    }
  }
  return books.usage.length
}

/** From what clients saw: a call was admitted some time between its sending and the head of its answer. */
export const windowAsSeen: Check = (evidence, tell) => {
  const { records, books } = evidence
  const limits = limitsOf(evidence)
  const booked = new Set(books.usage.map(({ request_id }) => request_id))
  const admitted = records.answer.filter(({ requestId }) => requestId !== null && booked.has(requestId))
  for (const [keyId, calls] of groupBy(admitted, (call) => call.keyId)) {
    const limit = limits.get(keyId) ?? 0
    // Where fewer calls were made than a minute allows there is nothing to find.
    if (calls.length <= limit) continue
    calls.sort((a, b) => a.sentAt - b.sentAt)
    for (const [from, { sentAt }] of calls.entries()) {
      let count = 0
      for (let at = from; at < calls.length && calls[at]!.sentAt < sentAt + MINUTE_MS; at++) {
        if (calls[at]!.headAt < sentAt + MINUTE_MS) count++
      }
      if (count > limit) {
        tell(`key ${keyId}: ${count} calls were admitted within a minute, and ${limit} are allowed`)
        break
      }
    }
  }
  return admitted.length
}

/** At no posting has a key with a limit been charged, and held for its jobs, more than that; and the limit has counted the same. */
export const noKeyAboveItsLimit: Check = ({ books }, tell) => {
  const keyOf = new Map(books.usage.map(({ request_id, job_id, key_id }) => [job_id ?? request_id, key_id]))
  const counted = new Map(books.keys.filter(({ limit }) => limit !== null).map(({ id }) => [id, 0]))
  const limitOf = new Map(books.keys.map(({ id, limit }) => [id, limit ?? Number.POSITIVE_INFINITY]))
  let looked = 0
  // In the order in which they were posted in each account.
  for (const { kind, job_id, request_id, amount, held_change } of books.postings) {
    const key = keyOf.get(job_id ?? request_id ?? '')
    const before = key === undefined ? undefined : counted.get(key)
    if (key === undefined || before === undefined) continue
    looked++
    // What a job is charged was counted when it was held.
    const now = before + (kind !== 'charge' ? held_change : job_id === null ? -amount : 0)
    counted.set(key, now)
    if (now > limitOf.get(key)!) tell(`key ${key} has spent ${now} credits of a limit of ${limitOf.get(key)}`)
  }
  for (const { id, limit, used } of books.keys)
    if (limit !== null && used !== counted.get(id))
      tell(`the limit of key ${id} has counted ${used} credits, and it has spent ${counted.get(id)}`)
  return looked
}

/** Of calls, the limit is in their path (`max_credits`); of jobs, in their hold and in what clients were shown. */
export const noChargeAboveItsLimit: Check = ({ records, books }, tell) => {
  let looked = 0
  for (const { path, charged, requestId } of records.answer) {
    const limit = /[?&]max_credits=(\d+)/.exec(path)?.[1]
    if (limit === undefined || charged === null) continue
    looked++
    if (charged > Number(limit)) tell(`${requestId} was charged ${charged} credits with a limit of ${limit}`)
  }
  for (const { job_id, amount, charged, max_amount } of books.holds) {
    if (max_amount === null) continue
    looked++
    if (amount > max_amount || charged > max_amount)
      tell(`job ${job_id} held ${amount} and was charged ${charged} credits with a limit of ${max_amount}`)
  }
  for (const { job } of records.job) {
    if (job.max_credits === undefined) continue
    looked++
    if (job.credits_held > job.max_credits || job.credits_charged > job.max_credits)
      tell(`job ${job.id} was seen with ${job.credits_held} credits held and a limit of ${job.max_credits}`)
  }
  return looked
}
