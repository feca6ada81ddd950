import { first, type Plant, remove } from './plant.ts'

export const WEBHOOKS: readonly Plant[] = [
  {
    name: 'an event that was not written',
    named: ['one event for each ended job and live webhook'],
    change: ({ deliveries, jobs }, { webhook, revoked, lost }) => {
      // A DELETE whose answer was lost may have been carried out.
      const deleted = lost.filter(({ operation }) => operation === 'deleteWebhook')
      const gone = new Set([
        ...revoked.map(({ webhookId }) => webhookId),
        ...deleted.map(({ path }) => path.split('/').at(-1)!),
      ])
      const kept = new Set(webhook.map(({ webhookId }) => webhookId).filter((id) => !gone.has(id)))
      // Of the job that ended last: an event from the moment in which its webhook was made could rightly be missing.
      const endOf = new Map(jobs.map(({ id, completed_at }) => [id, completed_at ?? 0]))
      const [last] = deliveries
        .filter(({ webhook_id, subject_type }) => kept.has(webhook_id) && subject_type === 'job')
        .sort((a, b) => endOf.get(b.subject_id)! - endOf.get(a.subject_id)!)
      remove(deliveries, last!)
    },
  },
  {
    name: 'an event that was written twice',
    named: ['one event for each ended job and live webhook'],
    change: ({ deliveries }, { webhook }) => {
      const known = new Set(webhook.map(({ webhookId }) => webhookId))
      deliveries.push({
        ...first(deliveries, ({ webhook_id }) => known.has(webhook_id)),
        event_id: 'another',
      })
    },
  },
  {
    name: 'an event of another kind than the job’s end',
    named: ['one event for each ended job and live webhook'],
    change: ({ deliveries }) => {
      deliveries[0]!.type = 'job.aborted'
    },
  },
  {
    name: 'an event that no receiver has accepted and that counts as delivered',
    named: ['an event is delivered, or tried three times'],
    change: (_, { delivery }) => void delivery.splice(0, delivery.length),
  },
  {
    name: 'a fourth attempt',
    named: ['an event is delivered, or tried three times'],
    change: ({ deliveries }) => {
      deliveries[0]!.attempts = 4
    },
  },
  {
    name: 'an event that was given up too early',
    named: ['an event is delivered, or tried three times'],
    change: ({ deliveries, webhooks }) => {
      const live = new Set(webhooks.filter(({ revoked_at }) => revoked_at === null).map(({ id }) => id))
      Object.assign(
        first(deliveries, ({ webhook_id }) => live.has(webhook_id)),
        { state: 'dropped', attempts: 2 },
      )
    },
  },
  {
    name: 'a repetition under another id',
    named: ['a delivery keeps its id and text'],
    change: (_, { delivery }) =>
      void delivery.push({ ...delivery[0]!, attempt: 2, webhookId: 'msg_another' }),
  },
  {
    name: 'a wrong signature',
    named: ['signatures are valid'],
    change: (_, { delivery }, { hookSecrets }) => {
      first(delivery, ({ hook }) => hookSecrets.has(hook)).body += ' '
    },
  },
  {
    name: 'a request that came after DELETE',
    named: ['nothing is sent after DELETE'],
    change: (_, { delivery, revoked }) => {
      delivery.push({ ...delivery[0]!, hook: revoked[0]!.hook, at: revoked[0]!.endAt + 6_000 })
    },
  },
  {
    name: 'a request that was let through after DELETE',
    named: ['nothing is sent after DELETE'],
    change: ({ deliveries, webhooks }) => {
      const revokedAt = new Map(webhooks.map(({ id, revoked_at }) => [id, revoked_at]))
      const delivery = first(deliveries, ({ webhook_id }) => revokedAt.get(webhook_id) !== null)
      delivery.last_sent_at = revokedAt.get(delivery.webhook_id)! + 1
    },
  },
]
