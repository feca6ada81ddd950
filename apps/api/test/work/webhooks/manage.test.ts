// What an account does with its webhooks besides creating and revoking them: change, pause, test, a new secret, an event
// once more.

import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import type { OpenedAccount } from '../../../src/money/accounts/open-account.ts'
import { createDeliveryQueue } from '../../../src/work/webhooks/delivery-queue.ts'
import { createSendLock } from '../../../src/work/webhooks/send-lock.ts'
import { attemptsOf, ENV, startDeliveries, statesOf } from '../../setup/deliveries.ts'
import { type ReceivedEvent, startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { type TestResponse, withTestServer } from '../../setup/test-server.ts'
import { endJobs } from '../../setup/webhook-jobs.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { env: { ...ENV, WEBHOOK_TIMEOUT_MS: '2000' } })
const ELSEWHERE = 'http://127.0.0.1:2/'

interface CreatedWebhook extends OpenedAccount {
  readonly id: string
  readonly secret: string
}

async function makeWebhook(url: string, account?: OpenedAccount): Promise<CreatedWebhook> {
  const owner = account ?? (await server.openAccount())
  const { json } = await server.post('/v1/webhooks', { url }, { key: owner.key })
  expect(json.data, JSON.stringify(json)).toBeDefined()
  return { ...owner, id: json.data.id, secret: json.data.secret }
}

const change = ({ id, key }: Pick<CreatedWebhook, 'id' | 'key'>, body: object): Promise<TestResponse> =>
  server.send('PATCH', `/v1/webhooks/${id}`, { key, body })

const act = ({ id, key }: Pick<CreatedWebhook, 'id' | 'key'>, action: string): Promise<TestResponse> =>
  server.send('POST', `/v1/webhooks/${id}/${action}`, { key })

function isGenuine({ body, headers }: ReceivedEvent, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

/** An event of the webhook that was dropped after its three attempts, and the id of the last one. */
async function dropOne(webhook: CreatedWebhook): Promise<{ attemptId: number; eventId: string }> {
  await endJobs(testDatabase.database, webhook.accountId)
  await until(async () => (await statesOf(testDatabase.database, webhook.id)).dropped === 1, 'the drop')
  const { json } = await server.get(`/v1/webhooks/${webhook.id}/deliveries`, { key: webhook.key })
  return { attemptId: json.data[0].id, eventId: json.data[0].event_id }
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
