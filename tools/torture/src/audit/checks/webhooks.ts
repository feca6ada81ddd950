// Webhooks: one event for each ended job and live webhook, three attempts at most, signed, and none after DELETE.

import { Webhook } from 'standardwebhooks'
import { type Check, groupBy, TERMINAL } from '../check.ts'

/** A job's events are written some time after the moment that it bears as its end: a freeze may lie between. */
const COMMIT_WITHIN_MS = 15_000

export const oneEventForEachWebhook: Check = ({ records, books, wallClockOffsetMs }, tell) => {
  const ofJobs = books.deliveries.filter(({ subject_type }) => subject_type === 'job')
  const told = groupBy(ofJobs, ({ webhook_id, subject_id }) => `${webhook_id} ${subject_id}`)
  const accountOf = new Map(books.keys.map(({ id, account_id }) => [id, account_id]))
  const jobs = groupBy(books.jobs, ({ account_id }) => account_id)
  const revoked = new Map(records.revoked.map((one) => [one.webhookId, one]))
  // A DELETE whose answer was lost may have been carried out.
  const sent = groupBy(
    [...records.answer, ...records.lost].filter(({ operation }) => operation === 'deleteWebhook'),
    ({ path }) => path.split('/').at(-1)!,
  )
  let looked = 0
  for (const { webhookId, keyId, events, endAt } of records.webhook) {
    const liveFrom = endAt + wallClockOffsetMs
    const askedAt = Math.min(...(sent.get(webhookId) ?? []).map(({ sentAt }) => sentAt))
    const revokedBy = (revoked.get(webhookId)?.endAt ?? Infinity) + wallClockOffsetMs
    for (const { id, status, completed_at: at } of jobs.get(accountOf.get(keyId) ?? '') ?? []) {
      if (at === null || !TERMINAL.has(status)) continue
      const count = told.get(`${webhookId} ${id}`)?.length ?? 0
      const isWanted = events.includes(`job.${status}`)
      const isSurelyLive = at > liveFrom + 1 && at < askedAt + wallClockOffsetMs - COMMIT_WITHIN_MS
      looked++
      if (count > 1) tell(`webhook ${webhookId} has ${count} events of job ${id}`)
      if (count > 0 && !isWanted)
        tell(`webhook ${webhookId} received an event of job ${id} and was not subscribed to it`)
      if (count === 0 && isWanted && isSurelyLive) tell(`webhook ${webhookId} received no event of job ${id}`)
      if (count > 0 && at > revokedBy)
        tell(`webhook ${webhookId} was revoked and received an event of job ${id}`)
    }
  }
  for (const { webhook_id, subject_id, type } of ofJobs) {
    const job = books.jobs.find(({ id }) => id === subject_id)
    if (`job.${job?.status}` !== type)
      tell(`webhook ${webhook_id} was told ${type} of job ${subject_id}, which is ${job?.status}`)
  }
  return looked
}

/** Every event is delivered, or was tried three times; and what counts as delivered was accepted. */
export const eventsAreDeliveredOrTried: Check = ({ records, books }, tell) => {
  const hookOf = new Map(books.webhooks.map(({ id, url }) => [id, new URL(url).pathname]))
  const revoked = new Set(books.webhooks.filter(({ revoked_at }) => revoked_at !== null).map(({ id }) => id))
  const accepted = new Set(
    records.delivery
      .filter(({ answered }) => answered === 'accepted')
      .map(({ hook, webhookId }) => `${hook} ${webhookId}`),
  )
  for (const { webhook_id, event_id, state, attempts } of books.deliveries) {
    const name = `event ${event_id} for webhook ${webhook_id}`
    if (attempts > 3) tell(`${name} has ${attempts} attempts`)
    if (state === 'delivered') {
      if (!accepted.has(`${hookOf.get(webhook_id)} ${event_id}`))
        tell(`${name} is delivered, and no receiver accepted it`)
    } else if (state !== 'dropped') tell(`${name} is still ${state}`)
    else if (attempts < 3 && !revoked.has(webhook_id)) tell(`${name} was dropped after ${attempts} attempts`)
  }
  return books.deliveries.length
}

/** Seen from the receivers: one id for each job, attempts 1 to 3, and a text that does not change. */
export const deliveriesKeepTheirId: Check = ({ records }, tell) => {
  for (const [about, all] of groupBy(records.delivery, ({ hook, body }) => `${hook} ${jobOf(body)}`)) {
    const ids = new Set(all.map(({ webhookId }) => webhookId))
    if (ids.size > 1) tell(`${about} came under ${[...ids].join(' and ')}`)
    const attempts = all.map(({ attempt }) => attempt)
    if (attempts.some((attempt) => !(attempt >= 1 && attempt <= 3)))
      tell(`${about} came as attempts ${attempts}`)
    const told = new Set(all.map(({ body }) => JSON.stringify((JSON.parse(body) as JobDelivery).data)))
    if (told.size > 1) tell(`${about} was told in ${told.size} ways`)
  }
  return records.delivery.length
}

interface JobDelivery {
  readonly data: { readonly job: { readonly id: string } }
}

function jobOf(body: string): string {
  return (JSON.parse(body) as JobDelivery).data.job.id
}

export const signaturesAreValid: Check = ({ records, hookSecrets }, tell) => {
  let looked = 0
  for (const { hook, webhookId, timestamp, signature, body } of records.delivery) {
    const secret = hookSecrets.get(hook)
    // The answer that would have shown it was lost.
    if (secret === undefined) continue
    looked++
    const due = new Webhook(secret).sign(webhookId ?? '', new Date(Number(timestamp) * 1_000), body)
    if (!signature?.split(' ').includes(due))
      tell(`a delivery of ${webhookId} to ${hook} is signed ${signature}`)
  }
  return looked
}

/**
 * Between a request's head and our writing it down: its way through a network that is being troubled, on a machine that is
 * busy. The books know when each request was let through, by the clock that also revoked the webhook.
 */
const ON_ITS_WAY_MS = 5_000

export const nothingAfterDelete: Check = ({ books, records }, tell) => {
  const sent = groupBy(books.deliveries, ({ webhook_id }) => webhook_id)
  for (const { id, revoked_at } of books.webhooks) {
    if (revoked_at === null) continue
    for (const { event_id, last_sent_at } of sent.get(id) ?? []) {
      if (last_sent_at !== null && last_sent_at > revoked_at)
        tell(`${event_id} was sent to webhook ${id} ${Math.round(last_sent_at - revoked_at)} ms after DELETE`)
    }
  }
  const deliveries = groupBy(records.delivery, ({ hook }) => hook)
  for (const { hook, endAt } of records.revoked) {
    for (const { at, webhookId } of deliveries.get(hook) ?? []) {
      if (at > endAt + ON_ITS_WAY_MS)
        tell(`${webhookId} came to ${hook} ${Math.round(at - endAt)} ms after DELETE`)
    }
  }
  return records.revoked.length
}
