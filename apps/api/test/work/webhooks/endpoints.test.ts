import { randomUUID } from 'node:crypto'
import type { WebhookEventType } from '@lotline/contract'
import { describe, expect, it } from 'vitest'
import type { OpenedAccount } from '../../../src/money/accounts/open-account.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { endJobs } from '../../setup/webhook-jobs.ts'
import { BAD_URLS, INWARD_HOSTS, PUBLIC_HOSTS } from './addresses.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const URL_ = 'https://hooks.example.com/lotline'
const ALL: readonly WebhookEventType[] = ['job.succeeded', 'job.failed', 'job.timed_out', 'job.aborted']

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { env: { SECRETS_KEY: KEY } })

async function create(account: OpenedAccount, body: object = { url: URL_ }) {
  return server.post('/v1/webhooks', body, { key: account.key })
}

async function list(account: OpenedAccount) {
  return (await server.get('/v1/webhooks', { key: account.key })).json.data
}

describe('POST /v1/webhooks (createWebhook)', () => {
  it('returns the webhook and its secret, for free', async () => {
    const account = await server.openAccount()
    const answer = await create(account, { url: URL_, events: ['job.failed'], description: 'Production' })
    expect([answer.status, answer.charged]).toEqual([201, 0])
    expect(answer.json.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: URL_,
      events: ['job.failed'],
      active: true,
      credits_threshold: null,
      description: 'Production',
      created_at: expect.any(String),
      revoked_at: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
  })

  it('subscribes to all four job events by default', async () => {
    const { json } = await create(await server.openAccount())
    expect(json.data).toMatchObject({ events: ALL, description: '' })
  })

  it('never shows the secret again, and keeps it encrypted', async () => {
    const account = await server.openAccount()
    const { secret, id } = (await create(account)).json.data
    expect(JSON.stringify(await list(account))).not.toContain('secret')
    const { rows } = await testDatabase.database.query<{ kept: string }>(
      `select row_to_json(s)::text || encode(sealed, 'base64') || encode(sealed, 'hex') as kept
       from webhook_secrets s where webhook_id = $1`,
      [id],
    )
    expect(rows).toHaveLength(1)
    const bytes = Buffer.from(secret.slice(6), 'base64')
    for (const form of ['base64', 'hex'] as const) expect(rows[0]!.kept).not.toContain(bytes.toString(form))
  })

  it('keeps the url as it was sent', async () => {
    const url = 'https://HOOKS.example.com:443/a%2fb?token=1%202&x#y'
    expect((await create(await server.openAccount(), { url })).json.data.url).toBe(url)
  })

  it('accepts two webhooks with the same url', async () => {
    const account = await server.openAccount()
    expect([(await create(account)).status, (await create(account)).status]).toEqual([201, 201])
    expect(await list(account)).toHaveLength(2)
  })

  it.each([
    ['an empty list', []],
    ['null', null],
  ])('accepts %s of events as all four', async (_what, events) => {
    const answer = await create(await server.openAccount(), { url: URL_, events })
    expect([answer.status, answer.json.data.events]).toEqual([
      201,
      ['job.succeeded', 'job.failed', 'job.timed_out', 'job.aborted'],
    ])
  })

  it.each([
    ['an unknown event', ['job.succeeded', 'job.started']],
    ['an event named twice', ['job.failed', 'job.failed']],
    ['an event of another kind', ['property.sold']],
    ['no list', 'job.failed'],
    ['numbers', [1]],
  ])('refuses %s of events with invalid_events', async (_what, events) => {
    const answer = await create(await server.openAccount(), { url: URL_, events })
    expect([answer.status, answer.code]).toEqual([400, 'invalid_events'])
  })

  it.each([
    ['no url', { description: 'x' }, 'missing_input'],
    ['a url that is no text', { url: 5 }, 'invalid_url'],
    ['a url that is null', { url: null }, 'invalid_url'],
    ['a url of 2,049 characters', { url: `${URL_}/${'a'.repeat(2049 - URL_.length - 1)}` }, 'invalid_url'],
    ['a description of 501 characters', { url: URL_, description: 'a'.repeat(501) }, 'invalid_parameter'],
    ['a description that is no text', { url: URL_, description: 5 }, 'invalid_parameter'],
    ['a body that is no JSON', '{', 'invalid_json'],
  ])('refuses %s', async (_what, body, code) => {
    const { key } = await server.openAccount()
    const answer = await server.post('/v1/webhooks', body, { key })
    expect([answer.status, answer.code]).toEqual([400, code])
  })

  it('refuses every invalid or internal url with invalid_url', async () => {
    const { key } = await server.openAccount()
    const urls = [...INWARD_HOSTS.map(([host]) => `https://${host}/hook`), ...BAD_URLS.map(([url]) => url)]
    for (const url of urls) {
      const answer = await server.post('/v1/webhooks', { url }, { key })
      expect([url, answer.status, answer.code]).toEqual([url, 400, 'invalid_url'])
    }
  })

  it('accepts urls of public hosts, in every form that the contract calls a URI', async () => {
    const { key } = await server.openAccount()
    for (const host of PUBLIC_HOSTS) {
      const answer = await server.post('/v1/webhooks', { url: `https://${host}/hook` }, { key })
      expect([host, answer.status]).toEqual([host, 201])
    }
  })

  it('allows 100 live webhooks, even for concurrent calls; a revoked one makes room', async () => {
    const account = await server.openAccount()
    const answers = await Promise.all(Array.from({ length: 104 }, () => create(account)))
    const limited = answers.filter(({ status }) => status === 409)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100)
    expect(limited.map(({ code }) => code)).toEqual(Array(4).fill('webhook_limit'))
    const first = answers.find(({ status }) => status === 201)!.json.data
    await server.send('DELETE', `/v1/webhooks/${first.id}`, { key: account.key })
    expect((await create(account)).status).toBe(201)
    expect((await create(account)).status).toBe(409)
    expect(await list(account)).toHaveLength(101)
  })
})

describe('GET /v1/webhooks (listWebhooks)', () => {
  it("lists only the account's own webhooks, latest first, including revoked ones", async () => {
    const [mine, theirs] = [await server.openAccount(), await server.openAccount()]
    await create(theirs)
    const one = (await create(mine, { url: `${URL_}/1` })).json.data
    await create(mine, { url: `${URL_}/2` })
    await server.send('DELETE', `/v1/webhooks/${one.id}`, { key: mine.key })
    const webhooks = await list(mine)
    expect(webhooks.map(({ url, active }: { url: string; active: boolean }) => [url, active])).toEqual([
      [`${URL_}/2`, true],
      [`${URL_}/1`, false],
    ])
    expect(webhooks[1].revoked_at).toEqual(expect.any(String))
  })

  it('lists all live webhooks and the last 100 revoked ones, for 30 days', async () => {
    const account = await server.openAccount()
    const old = (await create(account, { url: `${URL_}/live` })).json.data
    await testDatabase.database.query(
      `update webhooks set created_at = created_at - interval '1 year' where id = $1`,
      [old.id],
    )
    const revoke = (from: number, to: number) =>
      testDatabase.database.query(
        `insert into webhooks (account_id, url, events, created_at, revoked_at)
         select $1, 'https://hooks.example.com/' || i, array['job.failed'], now() - interval '60 days',
           now() - interval '30 days 1 minute' + i * interval '2 minutes'
         from generate_series($2::integer, $3::integer) as i`,
        [account.accountId, from, to],
      )
    const names = async () =>
      (await list(account)).map(({ url }: { url: string }) => url.slice(26)).toSorted()
    await revoke(0, 3)
    expect(await names()).toEqual(['1', '2', '3', 'lotline/live'])
    await revoke(4, 150)
    const last = Array.from({ length: 100 }, (_, index) => String(index + 51))
    expect(await names()).toEqual([...last, 'lotline/live'].toSorted())
  })

  it('returns an empty list if there are none', async () => {
    expect(await list(await server.openAccount())).toEqual([])
  })
})

const UNKNOWN_IDS = [
  'no-uuid',
  '1',
  '%00',
  'urn:uuid:2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47',
  '{}',
  randomUUID(),
]

describe('DELETE /v1/webhooks/{id} (deleteWebhook)', () => {
  it('returns 204 without a body, also the second time, which changes nothing', async () => {
    const account = await server.openAccount()
    const { id } = (await create(account)).json.data
    const path = `/v1/webhooks/${id}`
    const first = await server.send('DELETE', path, { key: account.key })
    expect([first.status, first.text, first.charged]).toEqual([204, '', 0])
    const [revoked] = await list(account)
    expect(revoked).toMatchObject({ active: false })
    expect((await server.send('DELETE', path, { key: account.key })).status).toBe(204)
    expect(await list(account)).toEqual([revoked])
  })

  it('returns 404 not_found for an id of another account, an unknown id, and a malformed id', async () => {
    const [mine, theirs] = [await server.openAccount(), await server.openAccount()]
    const foreign = (await create(theirs)).json.data.id
    for (const id of [...UNKNOWN_IDS, foreign]) {
      const answer = await server.send('DELETE', `/v1/webhooks/${id}`, { key: mine.key })
      expect([id, answer.status, answer.code]).toEqual([id, 404, 'not_found'])
    }
    expect((await list(theirs))[0].active).toBe(true)
  })
})

describe('GET /v1/webhooks/{id}/deliveries (listWebhookDeliveries)', () => {
  it('returns 404 not_found for an id of another account, an unknown id, and a malformed id', async () => {
    const [mine, theirs] = [await server.openAccount(), await server.openAccount()]
    const foreign = (await create(theirs)).json.data.id
    for (const id of [...UNKNOWN_IDS, foreign]) {
      const answer = await server.get(`/v1/webhooks/${id}/deliveries`, { key: mine.key })
      expect([id, answer.status, answer.code]).toEqual([id, 404, 'not_found'])
    }
  })

  it('is empty before the first attempt, also for a revoked webhook', async () => {
    const account = await server.openAccount()
    const { id } = (await create(account)).json.data
    await endJobs(testDatabase.database, account.accountId)
    for (const _ of [1, 2]) {
      const answer = await server.get(`/v1/webhooks/${id}/deliveries`, { key: account.key })
      expect([answer.status, answer.json.data, answer.charged]).toEqual([200, [], 0])
      await server.send('DELETE', `/v1/webhooks/${id}`, { key: account.key })
    }
  })

  it('refuses a limit outside 1 to 200 instead of clamping it', async () => {
    const account = await server.openAccount()
    const { id } = (await create(account)).json.data
    const path = `/v1/webhooks/${id}/deliveries?limit=`
    for (const limit of ['0', '201', '-1', '1.5', 'x']) {
      const answer = await server.get(path + limit, { key: account.key })
      expect([limit, answer.status, answer.code]).toEqual([limit, 400, 'invalid_parameter'])
    }
    for (const limit of ['1', '200', ''])
      expect((await server.get(path + limit, { key: account.key })).status).toBe(200)
  })
})

describe('With private networks allowed (createWebhook)', () => {
  const open = withTestServer(testDatabase, {
    env: { SECRETS_KEY: KEY, WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'on' },
  })

  it('http and private hosts are accepted, but still no invalid URLs', async () => {
    const { key } = await open.openAccount()
    for (const url of ['http://127.0.0.1:9000/hook', 'http://receiver/hook', 'https://10.0.0.1/']) {
      expect((await open.post('/v1/webhooks', { url }, { key })).status).toBe(201)
    }
    for (const url of ['ftp://127.0.0.1/', 'http://user@127.0.0.1/']) {
      expect((await open.post('/v1/webhooks', { url }, { key })).code).toBe('invalid_url')
    }
  })
})
