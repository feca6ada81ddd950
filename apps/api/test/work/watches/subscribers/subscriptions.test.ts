// Subscribers over the API and the links in mails: which are refused, how often strangers are asked, and what a link can do.

import { beforeAll, describe, expect, it } from 'vitest'
import { removeExpired } from '../../../../src/work/retention/remove-expired.ts'
import { withTestDatabase } from '../../../setup/test-database.ts'
import { withTestServer } from '../../../setup/test-server.ts'
import { home, homes } from '../watch-tools.ts'
import { confirmPathIn, FILTERS, subscriberTools, unsubscribePathIn } from './subscriber-tools.ts'

const testDatabase = withTestDatabase()
const tools = subscriberTools(testDatabase)
const withoutMail = withTestServer(testDatabase)
const { importHomes, subscribe, subscribeAndConfirm, evaluateTo, sendDigests, mailsTo } = tools

beforeAll(() => importHomes(homes(1, 21)))

const watchWith = (subscriber: unknown) => ({ name: 'Seattle', filters: FILTERS, subscriber })
const create = (key: string, subscriber: unknown, headers = {}) =>
  tools.server.post('/v1/watches', watchWith(subscriber), { key, headers })
const patch = (key: string, id: string, body: object) =>
  tools.server.send('PATCH', `/v1/watches/${id}`, { key, body })
const subscriberOf = async (key: string, id: string) =>
  (await tools.server.get(`/v1/watches/${id}`, { key })).json.data.subscriber
const countOf = async (accountId: string) =>
  (await tools.db().query('select from watches where account_id = $1', [accountId])).rows.length

describe('a subscriber', () => {
  it('with an address is refused by a service that sends no mail, and no watch is created', async () => {
    const { key, accountId } = await withoutMail.openAccount()
    const answer = await withoutMail.post('/v1/watches', watchWith({ email: 'ana@example.com' }), { key })
    expect([answer.status, answer.code]).toEqual([400, 'invalid_parameter'])
    expect(answer.json.error.details).toEqual({ parameter: 'subscriber.email' })
    expect(await countOf(accountId)).toBe(0)
  })

  it('that is wrong is refused with the place of the value', async () => {
    const { key, accountId } = await tools.server.openAccount()
    const { key: other } = await tools.server.openAccount()
    const url = 'https://example.com/a'
    const foreign = (await tools.server.post('/v1/webhooks', { url }, { key: other })).json?.data?.id
    const wrong = [
      [{}, 'missing_input', undefined],
      [{ email: 'a@example.com', webhook_id: crypto.randomUUID() }, 'invalid_parameter', undefined],
      [{ email: 'not an address' }, 'invalid_parameter', 'subscriber.email'],
      [{ email: 'two@example.com,three@example.com' }, 'invalid_parameter', 'subscriber.email'],
      [{ email: 'a@example.com\r\nBcc: b@example.com' }, 'invalid_parameter', 'subscriber.email'],
      [{ email: 'a@example.com', frequency: 'hourly' }, 'invalid_parameter', 'subscriber.frequency'],
      [{ webhook_id: 'x' }, 'invalid_parameter', 'subscriber.webhook_id'],
      [{ webhook_id: foreign ?? crypto.randomUUID() }, 'invalid_parameter', 'subscriber.webhook_id'],
      ['a@example.com', 'invalid_parameter', 'subscriber'],
    ] as const
    for (const [subscriber, code, parameter] of wrong) {
      const answer = await create(key, subscriber)
      expect([subscriber, answer.status, answer.code]).toEqual([subscriber, 400, code])
      if (parameter !== undefined) expect(answer.json.error.details).toMatchObject({ parameter })
    }
    expect(await countOf(accountId)).toBe(0)
  })

  it('is neither stored nor asked by a dry run, and a repeated call asks once', async () => {
    const { key, accountId } = await tools.server.openAccount()
    const dry = await create(key, { email: 'dry@example.com' }, { prefer: 'dry-run' })
    expect(dry.status).toBe(200)
    expect(await countOf(accountId)).toBe(0)
    const headers = { 'idempotency-key': 'one' }
    const first = await create(key, { email: 'once@example.com' }, headers)
    const second = await create(key, { email: 'once@example.com' }, headers)
    expect(second.json.data).toEqual(first.json.data)
    await tools.run(() => mailsTo('once@example.com').length > 0, 'the mail')
    await tools.run(async () => (await openQuestions()) === 0, 'no more questions')
    expect(mailsTo('once@example.com')).toHaveLength(1)
    expect(mailsTo('dry@example.com')).toEqual([])
  })

  it('keeps its state if the watch is sent back as it was read, and another address must be confirmed', async () => {
    const { key } = await tools.server.openAccount()
    const id = await subscribeAndConfirm(key, 'ivy@example.com')
    const { data: read } = (await tools.server.get(`/v1/watches/${id}`, { key })).json
    expect(read.subscriber.status).toBe('active')
    const sentBack = await patch(key, id, read)
    expect([sentBack.status, sentBack.json.data.subscriber]).toEqual([200, read.subscriber])
    const weekly = await patch(key, id, { subscriber: { email: 'IVY@example.com', frequency: 'weekly' } })
    expect(weekly.json.data.subscriber).toEqual({ ...read.subscriber, frequency: 'weekly' })
    const other = await patch(key, id, { subscriber: { email: 'jo@example.com' } })
    expect(other.json.data.subscriber).toMatchObject({ email: 'jo@example.com', status: 'unconfirmed' })
    const none = await patch(key, id, { subscriber: null })
    expect(none.json.data.subscriber).toBeNull()
    expect((await tools.server.get('/v1/watches', { key })).json.data[0].subscriber).toBeNull()
  })

  it('that was never confirmed is removed after 30 days', async () => {
    const { key } = await tools.server.openAccount()
    const { id } = await subscribe(key, 'kim@example.com')
    await tools
      .db()
      .query("update watch_subscribers set created_at = now() - interval '31 days' where watch_id = $1", [id])
    await removeExpired(tools.db(), 'watch_subscribers')
    expect(await subscriberOf(key, id)).toBeNull()
  })
})

async function openQuestions(): Promise<number> {
  return (await tools.db().query('select from watch_subscribers where ask_at is not null')).rows.length
}

describe('strangers are protected:', () => {
  it('an account asks at most 20 addresses a day, and a refused call creates no watch', async () => {
    const { key, accountId } = await tools.server.openAccount()
    for (let count = 1; count <= 20; count++)
      expect((await create(key, { email: `limit${count}@example.com` })).status).toBe(201)
    const answer = await create(key, { email: 'limit21@example.com' })
    expect([answer.status, answer.code]).toEqual([429, 'rate_limited'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(80_000)
    expect(await countOf(accountId)).toBe(20)
    const { data } = (await tools.server.get('/v1/watches', { key })).json
    // An existing watch can be changed in all other ways.
    expect((await patch(key, data[0].id, { name: 'x', subscriber: data[0].subscriber })).status).toBe(200)
    expect((await patch(key, data[0].id, { subscriber: { email: 'limit22@example.com' } })).status).toBe(429)
  })

  it('a confirmation that the server refused is asked for again later, and was not delivered twice', async () => {
    const { key } = await tools.server.openAccount()
    tools.mail.mode = 'refuses recipients'
    const { json } = await create(key, { email: 'rae@example.com' })
    const stateOf = async () => {
      const { rows } = await tools
        .db()
        .query<{ attempts: number; waits: boolean }>(
          'select ask_attempts as attempts, ask_at > now() as waits from watch_subscribers where watch_id = $1',
          [json.data.id],
        )
      return rows[0]!
    }
    await tools.run(async () => (await stateOf()).waits === true, 'the refused mail')
    expect(await stateOf()).toEqual({ attempts: 1, waits: true })
    tools.mail.mode = 'accepts'
    await tools.db().query('update watch_subscribers set ask_at = now() where watch_id = $1', [json.data.id])
    await tools.run(() => mailsTo('rae@example.com').length > 0, 'the mail')
    await fetch(tools.server.url + confirmPathIn(mailsTo('rae@example.com')[0]!), { method: 'POST' })
    expect((await subscriberOf(key, json.data.id)).status).toBe('active')
    expect(mailsTo('rae@example.com')).toHaveLength(1)
  })

  it('a mailbox is asked at most 3 times a day, by all accounts and in all its spellings', async () => {
    const spellings = ['lee@gmail.com', 'l.ee@gmail.com', 'Lee+1@googlemail.com', 'lee@GMAIL.com']
    const answers: number[] = []
    for (const email of spellings) {
      const { key } = await tools.server.openAccount()
      answers.push((await create(key, { email })).status)
    }
    expect(answers).toEqual([201, 201, 201, 429])
  })

  it('a person who refuses is never mailed because of this account again, and other accounts may ask', async () => {
    const { key, accountId } = await tools.server.openAccount()
    const { id, asked } = await subscribe(key, 'max@example.com')
    const refused = await fetch(tools.server.url + confirmPathIn(asked), {
      method: 'POST',
      body: new URLSearchParams({ refuse: '1' }),
    })
    expect(await refused.text()).toContain('You get no more mail')
    expect((await subscriberOf(key, id)).status).toBe('unsubscribed')
    const again = await create(key, { email: 'max+x@example.com' })
    expect([again.status, again.code]).toEqual([400, 'invalid_parameter'])
    expect(again.json.error.details).toEqual({ parameter: 'subscriber.email' })
    expect(await countOf(accountId)).toBe(1)
    const { key: other } = await tools.server.openAccount()
    expect((await create(other, { email: 'max@example.com' })).status).toBe(201)
  })

  it('a link that unsubscribes from all searches of a sender ends all of them, and of no other sender', async () => {
    const { key } = await tools.server.openAccount()
    const { key: other } = await tools.server.openAccount()
    const email = 'nan@example.com'
    const one = await subscribeAndConfirm(key, email)
    const two = await subscribeAndConfirm(key, email)
    const elsewhere = await subscribeAndConfirm(other, email)
    await importHomes([home(1, { price: 300_000 })])
    await evaluateTo(one, 1)
    const [digest] = await sendDigests(one, email)
    const url = tools.server.url + unsubscribePathIn(digest!)
    for (let time = 0; time < 2; time++)
      expect((await fetch(url, { method: 'POST', body: new URLSearchParams({ all: '1' }) })).status).toBe(200)
    const states = [subscriberOf(key, one), subscriberOf(key, two), subscriberOf(other, elsewhere)]
    expect((await Promise.all(states)).map(({ status }) => status)).toEqual([
      'unsubscribed',
      'unsubscribed',
      'active',
    ])
    expect((await create(key, { email })).code).toBe('invalid_parameter')
  })

  it('a confirmation link works once, and a wrong link changes nothing', async () => {
    const { key } = await tools.server.openAccount()
    const { id, asked } = await subscribe(key, 'oz@example.com')
    const url = tools.server.url + confirmPathIn(asked)
    const wrong = [
      `${url.slice(0, -2)}xx`,
      `${tools.server.url}/subscriptions/confirm/short`,
      `${tools.server.url}/subscriptions/unsubscribe/forged.link`,
    ]
    for (const link of wrong) expect((await fetch(link, { method: 'POST' })).status).toBe(410)
    expect((await subscriberOf(key, id)).status).toBe('unconfirmed')
    const { headers } = await fetch(url)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
    expect((await fetch(url, { method: 'POST' })).status).toBe(200)
    expect((await fetch(url, { method: 'POST' })).status).toBe(410)
    expect((await subscriberOf(key, id)).status).toBe('active')
  })

  it('the link of an earlier subscriber does not unsubscribe the next one', async () => {
    const { key } = await tools.server.openAccount()
    const id = await subscribeAndConfirm(key, 'pat@example.com')
    await importHomes([home(2, { price: 310_000 })])
    await evaluateTo(id, 1)
    const [digest] = await sendDigests(id, 'pat@example.com')
    await patch(key, id, { subscriber: { email: 'quin@example.com' } })
    const answer = await fetch(tools.server.url + unsubscribePathIn(digest!), { method: 'POST' })
    expect(answer.status).toBe(200)
    expect(await subscriberOf(key, id)).toMatchObject({ email: 'quin@example.com', status: 'unconfirmed' })
  })
})

describe('the pages of subscriptions', () => {
  it('do not exist in a service that sends no mail', async () => {
    for (const path of ['confirm', 'unsubscribe'])
      expect((await fetch(`${withoutMail.url}/subscriptions/${path}/x`)).status).toBe(404)
  })
})
