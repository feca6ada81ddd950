// The deliveries of an account's webhooks: the delivery list, and redelivery.

import { describe, expect, it } from 'vitest'
import { attemptsOf, ENV, startDeliveries, statesOf } from '../../setup/deliveries.ts'
import { startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { endJobs } from '../../setup/webhook-jobs.ts'
import { webhookCalls } from './webhook-calls.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { env: { ...ENV, WEBHOOK_TIMEOUT_MS: '2000' } })
const { act, change, dropOne, makeWebhook } = webhookCalls(server, testDatabase)
const ELSEWHERE = 'http://127.0.0.1:2/'

describe('the delivery list', () => {
  it('contains the deliveries of getWebhookDelivery, only for their own webhook and account', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver()
    const webhook = await makeWebhook(receiver.url)
    const other = await makeWebhook(ELSEWHERE, webhook)
    startDeliveries(database)
    await endJobs(database, webhook.accountId)
    await until(async () => (await statesOf(database, webhook.id)).delivered === 1, 'the delivery')
    const path = `/v1/webhooks/${webhook.id}/deliveries`
    const [listed] = (await server.get(path, { key: webhook.key })).json.data
    const answer = await server.get(`${path}/${listed.id}`, { key: webhook.key })
    expect([answer.status, answer.charged, answer.json.data]).toEqual([200, 0, listed])
    const ofOther = await server.get(`/v1/webhooks/${other.id}/deliveries/${listed.id}`, { key: webhook.key })
    expect(ofOther.json.error.message).toContain('The webhook has no delivery with this id.')
    const stranger = await server.openAccount()
    const refused = await server.get(`${path}/${listed.id}`, { key: stranger.key })
    expect(refused.json.error.message).toContain('The account has no webhook with this id.')
    expect((await server.get(`${path}/999999999999999999`, { key: webhook.key })).code).toBe('not_found')
  })

  it('has the body of each attempt as sent, and for a long body its first 4 KiB and its length', async () => {
    const { database } = testDatabase
    let status = 500
    const receiver = await startReceiver((response) => response.writeHead(status).end())
    const webhook = await makeWebhook(receiver.url)
    startDeliveries(database)
    const { attemptId, eventId } = await dropOne(webhook)
    // As long as an event can get: characters of two bytes, so that the cut is not between any two bytes.
    const long = JSON.stringify({ text: `<b>é</b>${'é'.repeat(5_000)}` })
    await database.query('update webhook_events set data = $3 where account_id = $1 and id = $2', [
      webhook.accountId,
      eventId,
      long,
    ])
    status = 200
    await act(webhook, `deliveries/${attemptId}/redeliver`)
    await receiver.until(4)
    await until(async () => (await statesOf(database, webhook.id)).delivered === 1, 'the delivery')
    const { json } = await server.get(`/v1/webhooks/${webhook.id}/deliveries`, { key: webhook.key })
    const [last] = json.data
    const sent = receiver.events[3]!.body
    expect(last.request_bytes).toBe(Buffer.byteLength(sent))
    expect(Buffer.byteLength(last.request_preview)).toBeGreaterThan(4090)
    expect(Buffer.byteLength(last.request_preview)).toBeLessThanOrEqual(4096)
    expect(sent.startsWith(last.request_preview)).toBe(true)

    // Back to a short one: what the first three attempts have sent.
    const short = JSON.stringify(JSON.parse(receiver.events[0]!.body).data)
    await database.query('update webhook_events set data = $3 where account_id = $1 and id = $2', [
      webhook.accountId,
      eventId,
      short,
    ])
    const again = await server.get(`/v1/webhooks/${webhook.id}/deliveries`, { key: webhook.key })
    const listed: { attempt: number; request_preview: string; request_bytes: number }[] = again.json.data
    for (const { attempt, request_preview, request_bytes } of listed.filter((one) => one.attempt < 4)) {
      expect(request_preview).toBe(receiver.events[attempt - 1]!.body)
      expect(request_bytes).toBe(Buffer.byteLength(request_preview))
    }
    expect(listed).toHaveLength(4)
  })
})

describe('a redelivery', () => {
  it('of a dropped event makes exactly one attempt, however many calls are concurrent', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver((response) => response.writeHead(500).end())
    const webhook = await makeWebhook(receiver.url)
    const deliverer = startDeliveries(database)
    const { attemptId, eventId } = await dropOne(webhook)
    await deliverer.stop()
    const answers = await Promise.all([1, 2, 3].map(() => act(webhook, `deliveries/${attemptId}/redeliver`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(answers.find(({ status }) => status === 200)!.json.data).toEqual({
      webhook_id: webhook.id,
      event_id: eventId,
      attempt: 4,
    })
    expect(answers.find(({ status }) => status === 409)!.code).toBe('delivery_in_progress')
    startDeliveries(database)
    await receiver.until(4)
    await until(async () => (await statesOf(database, webhook.id)).dropped === 1, 'the end of the attempt')
    const attempts = await attemptsOf(database, webhook.id)
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4])
    expect(receiver.events).toHaveLength(4)
    expect(new Set(receiver.events.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  it('of a delivered event delivers it again', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver()
    const webhook = await makeWebhook(receiver.url)
    startDeliveries(database)
    await endJobs(database, webhook.accountId)
    await until(async () => (await statesOf(database, webhook.id)).delivered === 1, 'the delivery')
    const { json } = await server.get(`/v1/webhooks/${webhook.id}/deliveries`, { key: webhook.key })
    expect((await act(webhook, `deliveries/${json.data[0].id}/redeliver`)).json.data.attempt).toBe(2)
    await receiver.until(2)
    await until(async () => (await statesOf(database, webhook.id)).delivered === 1, 'the second delivery')
  })

  it('of a waiting event makes its next attempt now, and keeps the later ones', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver((response) => response.writeHead(500).end())
    const webhook = await makeWebhook(receiver.url)
    startDeliveries(database, { env: { WEBHOOK_BACKOFF_MS: '3600000' } })
    await endJobs(database, webhook.accountId)
    await until(async () => (await statesOf(database, webhook.id)).waiting === 1, 'the retry')
    const { json } = await server.get(`/v1/webhooks/${webhook.id}/deliveries`, { key: webhook.key })
    expect((await act(webhook, `deliveries/${json.data[0].id}/redeliver`)).json.data.attempt).toBe(2)
    await receiver.until(2)
    await until(async () => (await statesOf(database, webhook.id)).waiting === 1, 'the last retry')
  })

  it('is refused for an unknown attempt, an attempt of another webhook, and a paused or revoked webhook', async () => {
    const { database } = testDatabase
    const webhook = await makeWebhook(ELSEWHERE)
    const other = await makeWebhook(ELSEWHERE, webhook)
    await change(other, { active: false })
    const deliverer = startDeliveries(database)
    const { attemptId } = await dropOne(webhook)
    await deliverer.stop()
    const path = `deliveries/${attemptId}/redeliver`
    for (const answer of [await act(other, path), await act(webhook, 'deliveries/999999999/redeliver')])
      expect([answer.status, answer.code]).toEqual([404, 'not_found'])
    await change(webhook, { active: false })
    const paused = await act(webhook, path)
    expect([paused.code, paused.json.error.message]).toEqual([
      'webhook_inactive',
      'The webhook is paused. Resume it with PATCH /v1/webhooks/<id>, then repeat the call.',
    ])
    await server.send('DELETE', `/v1/webhooks/${webhook.id}`, { key: webhook.key })
    expect((await act(webhook, path)).json.error.message).toMatch(/^The webhook is revoked/)
    expect(await attemptsOf(database, webhook.id)).toHaveLength(3)
  })
})
