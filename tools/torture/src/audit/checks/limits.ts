// Limits: one call of a key at a time, in order of arrival, never more a minute than its plan allows, never a charge above
// what its client allows or its key has left in the period, and none of a connector that was revoked.

import type { AnswerRecord, CallFacts, QuestionRecord } from '../../records.ts'
import type { Books, Period } from '../books.ts'
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

/** A period of a limit, and what it counts as far as the postings have been read. */
interface CountedPeriod extends Period {
  counted: number
  /** What was held in it for each job that has not ended. */
  readonly held: Map<string, number>
}

/** The periods of each limit, the present one last. */
function periodsOfLimits({ keys, periods }: Books): ReadonlyMap<string, CountedPeriod[]> {
  const present = keys.flatMap(({ limit, used, limit_id, counted_after }) =>
    limit_id === null
      ? []
      : [{ limit_id, counted_after: counted_after!, used: used!, credits: limit!, isPresent: true }],
  )
  const all = [...periods, ...present].map((period) => ({ ...period, counted: 0, held: new Map() }))
  return new Map(groupBy(all, ({ limit_id }) => limit_id))
}

/**
 * In no period has a key with a limit been charged, and held for its jobs, more than that; and the limit has counted the same. What
 * a job is not charged comes back to the period in which it was held, if that still runs.
 */
export const noKeyAboveItsLimit: Check = ({ books }, tell) => {
  const keyOf = new Map(books.usage.map(({ request_id, job_id, key_id }) => [job_id ?? request_id, key_id]))
  const limitOf = new Map(books.keys.map(({ id, limit_id }) => [id, limit_id]))
  const limits = periodsOfLimits(books)
  let looked = 0
  // In the order in which they were posted in each account.
  for (const { id, kind, job_id, request_id, amount, held_change } of books.postings) {
    const limit = limitOf.get(keyOf.get(job_id ?? request_id ?? '') ?? '') ?? ''
    const period = limits.get(limit)?.findLast(({ counted_after }) => id > counted_after)
    if (!period) continue
    looked++
    const held = period.held.get(job_id ?? '') ?? 0
    if (kind === 'hold') period.held.set(job_id!, held + held_change)
    // What a job is charged was counted when it was held.
    if (kind === 'hold') period.counted += held_change
    else if (kind === 'release') period.counted -= Math.min(held, -held_change)
    else if (kind === 'charge' && job_id === null) period.counted -= amount
    if (period.counted > period.credits)
      tell(`limit ${limit} of ${period.credits} credits: its keys have spent ${period.counted} in one period`)
  }
  for (const [limit, periods] of limits)
    for (const { counted, used, counted_after } of periods)
      if (counted !== used)
        tell(
          `limit ${limit} has counted ${used} credits since ${counted_after}, and its keys have spent ${counted}`,
        )
  return looked
}

/**
 * Once a connector is revoked, no call with it that is sent afterwards succeeds or is charged: not the next one, and not at another
 * process. Each of these calls asks for a home of its own, so one without an answer is found in the books too.
 */
export const endedConnectorsGetNothing: Check = ({ records, books }, tell) => {
  const endOf = new Map(records.ended.map(({ keyId, endAt }) => [keyId, endAt]))
  const isAfter = ({ keyId, sentAt }: CallFacts) =>
    sentAt > (endOf.get(keyId ?? '') ?? Number.POSITIVE_INFINITY)
  const late = [...records.answer, ...records.lost].filter(isAfter)
  // 429: so many calls with ended keys make their address one that guesses, which is refused before a key is looked up.
  for (const call of late)
    if (call.kind === 'answer' && call.status !== 401 && call.status !== 429 && call.status < 500)
      tell(`key ${call.keyId} was revoked, and ${call.requestId} after that was answered with ${call.status}`)
  const lateCalls = new Set(late.map(({ keyId, path }) => `${keyId} ${path}`))
  for (const { key_id, endpoint, request_id } of books.usage)
    if (lateCalls.has(`${key_id} ${endpoint}`))
      tell(`key ${key_id} was revoked, and ${request_id} after that has a usage row`)
  return late.length
}

/** Of calls, the limit is in a header or in their path; of jobs, in their hold and in what clients were shown. */
export const noChargeAboveItsLimit: Check = ({ records, books }, tell) => {
  const holds = new Map(books.holds.map((hold) => [hold.job_id, hold]))
  let looked = 0
  for (const { path, maxCredits, charged, jobId, requestId } of records.answer) {
    const inPath = /[?&]max_credits=(\d+)/.exec(path)?.[1]
    const limit = Math.min(maxCredits ?? Number.POSITIVE_INFINITY, Number(inPath ?? Number.POSITIVE_INFINITY))
    if (limit === Number.POSITIVE_INFINITY || charged === null) continue
    looked++
    if (charged > limit) tell(`${requestId} was charged ${charged} credits with a limit of ${limit}`)
    if (jobId !== undefined && holds.get(jobId)?.max_amount !== limit)
      tell(`job ${jobId} was started with a limit of ${limit}, and has ${holds.get(jobId)?.max_amount}`)
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
