// What an account does with its webhooks besides creating and revoking them: change, pause, test, and rotate the secret.

import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { createDeliveryQueue } from '../../../src/work/webhooks/delivery-queue.ts'
import { createSendLock } from '../../../src/work/webhooks/send-lock.ts'
import { attemptsOf, ENV, startDeliveries, statesOf } from '../../setup/deliveries.ts'
import { type ReceivedEvent, startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { endJobs } from '../../setup/webhook-jobs.ts'
import { webhookCalls } from './webhook-calls.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { env: { ...ENV, WEBHOOK_TIMEOUT_MS: '2000' } })
const { act, change, makeWebhook } = webhookCalls(server, testDatabase)
const ELSEWHERE = 'http://127.0.0.1:2/'

function isGenuine({ body, headers }: ReceivedEvent, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

describe.each([
  ['PATCH /v1/webhooks/{id} (updateWebhook)', 'PATCH', '', { active: false }],
  ['POST /v1/webhooks/{id}/test (testWebhook)', 'POST', '/test', undefined],
  ['POST /v1/webhooks/{id}/rotate-secret (rotateWebhookSecret)', 'POST', '/rotate-secret', undefined],
  ['POST …/redeliver (redeliverWebhookEvent)', 'POST', '/deliveries/1/redeliver', undefined],
])('%s', (_name, method, path, body) => {
  it('returns 404 not_found for an unknown webhook or one of another account, and changes nothing', async () => {
    const [mine, theirs] = [await server.openAccount(), await makeWebhook(ELSEWHERE)]
    for (const id of [theirs.id, randomUUID()]) {
      const sent = { key: mine.key, ...(body && { body }) }
      const answer = await server.send(method, `/v1/webhooks/${id}${path}`, sent)
      expect([answer.status, answer.code, answer.charged]).toEqual([404, 'not_found', 0])
    }
    const { json } = await server.get('/v1/webhooks', { key: theirs.key })
    expect(json.data[0].active).toBe(true)
  })
})

describe('changing a webhook', () => {
  it('changes the given fields, keeps the others, and is idempotent', async () => {
    const webhook = await makeWebhook(ELSEWHERE)
    const body = { events: ['job.failed', 'watch.changes'], description: 'Second' }
    const first = await change(webhook, body)
    expect([first.status, first.charged]).toEqual([200, 0])
    expect(first.json.data).toMatchObject({ id: webhook.id, url: ELSEWHERE, active: true, ...body })
    expect((await change(webhook, body)).json.data).toEqual(first.json.data)
    expect((await change(webhook, {})).json.data).toEqual(first.json.data)
    expect((await change(webhook, { events: [] })).json.data).toEqual(first.json.data)
    const { json } = await server.get('/v1/webhooks', { key: webhook.key })
    expect(json.data).toEqual([first.json.data])
  })

  it('sends a waiting delivery to the new URL, signed with the same secret', async () => {
    const { database } = testDatabase
    const old = await startReceiver((response) => response.writeHead(500).end())
    const fresh = await startReceiver()
    const webhook = await makeWebhook(old.url)
    startDeliveries(database, { env: { WEBHOOK_BACKOFF_MS: '600' } })
    await endJobs(database, webhook.accountId)
    const isTried = async () => (await attemptsOf(database, webhook.id))[0]?.ended_at != null
    await until(isTried, 'the first attempt')
    await change(webhook, { url: fresh.url })
    await fresh.until(1)
    expect(old.events).toHaveLength(1)
    expect(fresh.events[0]!.headers['webhook-attempt']).toBe('2')
    expect(isGenuine(fresh.events[0]!, webhook.secret)).toBe(true)
  })

  it.each([
    ['another URL', { url: 'http://127.0.0.1:3/' }],
    ['a pause', { active: false }],
  ])('lets no request begin that was claimed before %s', async (_what, body) => {
    const { database } = testDatabase
    const webhook = await makeWebhook(ELSEWHERE)
    await endJobs(database, webhook.accountId)
    const queue = createDeliveryQueue(database)
    const claimed = await queue.claim(64, 60_000, { perAccount: 64, perWebhook: 16 })
    const delivery = claimed.find(({ webhookId }) => webhookId === webhook.id)!
    await change(webhook, body)
    const write = async () => {
      throw new Error('A request began after the change.')
    }
    expect(await createSendLock(database).pass({ ...delivery, write })).toBe(false)
    await Promise.all(claimed.map((one) => queue.abort(one)))
  })

  it('that pauses it drops waiting events, writes no new events for it, and resumes with later ones', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver((response) => response.writeHead(500).end())
    const webhook = await makeWebhook(receiver.url)
    startDeliveries(database, { env: { WEBHOOK_BACKOFF_MS: '300' } })
    await endJobs(database, webhook.accountId)
    await receiver.until(1)
    const paused = await change(webhook, { active: false })
    expect(paused.json.data).toMatchObject({ active: false, revoked_at: null })
    await endJobs(database, webhook.accountId)
    await until(async () => (await statesOf(database, webhook.id)).dropped === 1, 'the drop')
    expect(await statesOf(database, webhook.id)).toEqual({ dropped: 1 })
    expect(receiver.events).toHaveLength(1)
    receiver.answer = (response) => response.writeHead(204).end()
    expect((await change(webhook, { active: true })).json.data.active).toBe(true)
    await endJobs(database, webhook.accountId)
    await until(async () => (await statesOf(database, webhook.id)).delivered === 1, 'the delivery')
  })

  it('is refused for a revoked webhook, and for an invalid URL', async () => {
    const webhook = await makeWebhook(ELSEWHERE)
    expect((await change(webhook, { url: 'ftp://127.0.0.1/' })).code).toBe('invalid_url')
    await server.send('DELETE', `/v1/webhooks/${webhook.id}`, { key: webhook.key })
    const [test, rotation] = [await act(webhook, 'test'), await act(webhook, 'rotate-secret')]
    for (const answer of [await change(webhook, { active: true }), test, rotation])
      expect([answer.status, answer.code]).toEqual([409, 'webhook_inactive'])
  })
})

describe('testing a webhook', () => {
  it('sends one signed ping, returns the response, and lists no delivery', async () => {
    const receiver = await startReceiver((response) => response.writeHead(200).end('thanks'))
    const webhook = await makeWebhook(receiver.url)
    const answer = await act(webhook, 'test')
    expect([answer.status, answer.charged]).toEqual([200, 0])
    expect(answer.json.data).toEqual({
      event_id: expect.stringMatching(/^evt_/),
      url: receiver.url,
      delivered: true,
      status_code: 200,
      error: null,
      response_preview: 'thanks',
    })
    const [event] = receiver.events
    expect(event!.json).toMatchObject({ id: answer.json.data.event_id, type: 'webhook.ping', data: {} })
    expect(isGenuine(event!, webhook.secret)).toBe(true)
    expect(receiver.events).toHaveLength(1)
    const { json } = await server.get(`/v1/webhooks/${webhook.id}/deliveries`, { key: webhook.key })
    expect(json.data).toEqual([])
  })

  it('reports with 200 a receiver that refuses, and one that does not respond in time', async () => {
    const receiver = await startReceiver((response) => response.writeHead(503).end('no'))
    const webhook = await makeWebhook(receiver.url)
    expect((await act(webhook, 'test')).json.data).toMatchObject({ delivered: false, status_code: 503 })
    receiver.answer = () => {}
    const error = 'The receiver did not answer within 2 seconds.'
    const late = await act(webhook, 'test')
    expect(late.json.data).toMatchObject({ delivered: false, status_code: null, error })
  })

  it('works for a paused webhook', async () => {
    const receiver = await startReceiver()
    const webhook = await makeWebhook(receiver.url)
    await change(webhook, { active: false })
    expect((await act(webhook, 'test')).json.data).toMatchObject({ delivered: true, status_code: 204 })
  })
})

describe('rotating a secret', () => {
  it('lets the old secret also sign for a day', async () => {
    const receiver = await startReceiver()
    const webhook = await makeWebhook(receiver.url)
    const { json } = await act(webhook, 'rotate-secret')
    expect(json.data).toMatchObject({ webhook_id: webhook.id, secret: expect.stringMatching(/^whsec_/) })
    const hours = (Date.parse(json.data.old_secret_until) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThanOrEqual(24.01)
    await act(webhook, 'test')
    for (const secret of [webhook.secret, json.data.secret])
      expect(isGenuine(receiver.events[0]!, secret)).toBe(true)
  })

  it('lets only the new secret sign with overlap_hours=0', async () => {
    const receiver = await startReceiver()
    const webhook = await makeWebhook(receiver.url)
    const { json } = await act(webhook, 'rotate-secret?overlap_hours=0')
    expect(json.data.old_secret_until).toBeNull()
    await act(webhook, 'test')
    expect(isGenuine(receiver.events[0]!, webhook.secret)).toBe(false)
    expect(isGenuine(receiver.events[0]!, json.data.secret)).toBe(true)
  })

  it('leaves at most five signing secrets, however often it is repeated', async () => {
    const receiver = await startReceiver()
    const webhook = await makeWebhook(receiver.url)
    const secrets = [webhook.secret]
    for (let count = 0; count < 6; count++)
      secrets.push((await act(webhook, 'rotate-secret')).json.data.secret)
    await act(webhook, 'test')
    expect(secrets.map((secret) => isGenuine(receiver.events[0]!, secret))).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
      true,
    ])
  })
})

describe('GET /v1/webhooks/{id} (getWebhook)', () => {
  it('returns a listed webhook without its secret, even after it is revoked', async () => {
    const webhook = await makeWebhook(ELSEWHERE)
    const read = () => server.get(`/v1/webhooks/${webhook.id}`, { key: webhook.key })
    const listed = async () => (await server.get('/v1/webhooks', { key: webhook.key })).json.data[0]
    const answer = await read()
    expect([answer.status, answer.charged, answer.json.data]).toEqual([200, 0, await listed()])
    expect(answer.text).not.toContain(webhook.secret)
    await server.send('DELETE', `/v1/webhooks/${webhook.id}`, { key: webhook.key })
    expect((await read()).json.data).toEqual(await listed())
    expect((await read()).json.data.active).toBe(false)
    await testDatabase.database.query(
      "update webhooks set revoked_at = now() - interval '31 days' where id = $1",
      [webhook.id],
    )
    expect((await read()).code).toBe('not_found')
  })

  it('finds no webhook of another account', async () => {
    const webhook = await makeWebhook(ELSEWHERE)
    const { key } = await server.openAccount()
    for (const id of [webhook.id, randomUUID()]) {
      const answer = await server.get(`/v1/webhooks/${id}`, { key })
      expect([answer.status, answer.code]).toEqual([404, 'not_found'])
    }
  })
})
