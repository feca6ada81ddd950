// The console over HTTP: valid and invalid ways to open an operator's session, and changes that are made once and recorded in the trail.

import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { DatabaseUnavailable } from '../../../src/infrastructure/database/database.ts'
import { createConsole } from '../../../src/interfaces/console/console.ts'
import { findAccount } from '../../../src/money/accounts/find-accounts.ts'
import { createSignInLink, startSession, useSignInLink } from '../../../src/money/accounts/portal-sessions.ts'
import { useOperatorLink } from '../../../src/money/operator/sessions.ts'
import { readTrail } from '../../../src/money/operator/trail.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { createVisitor } from '../portal/visitor.ts'
import { formIdIn, withTestConsole } from './operator.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const console = withTestConsole(server)
const db = () => testDatabase.database

/** The status of a request that names a host. */
function statusFor(host: string, url = console.url): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
      .on('error', reject)
      .end()
  })
}

describe('the console', () => {
  it("is separate from the API: neither serves the other's routes", async () => {
    const operator = await console.signedIn()
    for (const path of ['/v1/me', '/portal', '/healthz', '/metrics', '/docs', '/openapi.json'])
      expect((await operator.get(path)).status, path).toBe(404)
    for (const path of ['/accounts', '/trail', '/link/x']) {
      const { status, text } = await createVisitor(server).get(path)
      expect(status, path).toBe(404)
      expect(text).not.toContain('console')
    }
    const { cookie } = operator
    const asCustomer = await Object.assign(createVisitor(server), { cookie }).get('/portal')
    expect(asCustomer.text).not.toContain('Sign out')
  })

  it('answers only to names of this machine, and to ADMIN_URL', async () => {
    const { port } = new URL(console.url)
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, 'localhost'])
      expect(await statusFor(host), host).toBe(200)
    for (const host of [
      'rebound.example.com',
      `rebound.example.com:${port}`,
      '10.0.0.1',
      '127.0.0.1.example.com',
    ])
      expect(await statusFor(host), host).toBe(421)
    const behindProxy = await createConsole(server.app, { url: 'https://console.example.com' })
    const url = await behindProxy.listen({ host: '127.0.0.1', port: 0 })
    try {
      expect(await statusFor('console.example.com', url)).toBe(200)
      expect(await statusFor('api.example.com', url)).toBe(421)
      const link = url + (await console.link())
      const post = (origin: string) =>
        fetch(link, { method: 'POST', redirect: 'manual', headers: { origin } })
      expect((await post('https://evil.example.com')).status).toBe(403)
      const { status, headers } = await post('https://console.example.com')
      expect(status).toBe(303)
      expect(headers.get('set-cookie')).toMatch(/^__Host-lotline_console=.*; SameSite=Strict; Secure$/)
    } finally {
      await behindProxy.close()
    }
  })

  it('shows nothing and changes nothing without a session', async () => {
    const { accountId } = await server.openAccount()
    const visitor = console.visitor()
    const { status, text } = await visitor.get('/')
    expect(status).toBe(200)
    expect(text).toContain('lotline console link')
    for (const path of ['/accounts', `/accounts/${accountId}`, '/trail', '/none'])
      expect((await visitor.get(path)).to, path).toBe('/')
    expect((await visitor.post(`/accounts/${accountId}/suspend`, { form: randomUUID() })).to).toBe('/')
    expect((await findAccount(db(), accountId))?.status).toBe('active')
  })

  it('cannot be framed, and sends no page to another origin', async () => {
    const { headers } = await (await console.signedIn()).get('/accounts')
    expect(headers.get('content-security-policy')).toContain("default-src 'self'")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('cache-control')).toBe('no-store')
  })
})

describe('an invalid console request', () => {
  it('gets an error page without internal details', async () => {
    const operator = await console.signedIn()
    const send = async (path: string, init: RequestInit = {}) => {
      const headers = { cookie: operator.cookie, origin: console.url, ...(init.headers as object) }
      const response = await fetch(console.url + path, { redirect: 'manual', ...init, headers })
      return { status: response.status, text: await response.text() }
    }
    expect((await send('/accounts?q=%00&plan=gold%00&status=%00')).status).toBe(200)
    expect((await send(`/accounts?q=${'%25_'.repeat(300)}`)).text).toContain('No account fits')
    expect((await send('/trail?before=9999999999999999999')).status).toBe(200)
    expect((await send('/accounts/%00')).status).toBe(404)
    expect((await send('//')).status).toBe(404)
    expect((await send('/accounts/x/y/z')).status).toBe(404)
    expect((await send('/accounts', { method: 'PUT' })).status).toBe(404)
    const json = { 'content-type': 'application/json' }
    expect((await send('/accounts', { method: 'POST', body: '{}', headers: json })).status).toBe(415)
    const long = new URLSearchParams({ email: 'x'.repeat(70_000) })
    expect((await send('/accounts', { method: 'POST', body: long })).status).toBe(413)
    // The database could not store it.
    for (const path of ['/accounts', '/audit', '/sign-out', '/no-such-page']) {
      const body = new URLSearchParams({ email: 'a@example.com\0', csrf: await operator.token() })
      const refused = await send(path, { method: 'POST', body })
      expect([refused.status, refused.text], path).toEqual([400, expect.stringContaining('U+0000')])
    }

    for (const [error, status] of [
      [new DatabaseUnavailable('password for db-7.internal'), 503],
      [new TypeError('password for db-7.internal'), 500],
    ] as const) {
      const query = () => Promise.reject(error)
      const broken = await createConsole({ ...server.app, database: { ...db(), query } }, { url: undefined })
      const url = await broken.listen({ host: '127.0.0.1', port: 0 })
      try {
        const response = await fetch(`${url}/accounts`, { headers: { cookie: operator.cookie } })
        expect(response.status).toBe(status)
        const text = await response.text()
        expect(text).toContain('This did not work')
        expect(text).not.toContain('db-7')
      } finally {
        await broken.close()
      }
    }
  })

  it('the trail is paged, latest entries first', async () => {
    await db().query(
      `insert into operator_actions (operator, via, action, object)
       select 'Pia', 'command', 'test.page', 'entry ' || n || '.' from generate_series(1, 120) n`,
    )
    const operator = await console.signedIn()
    const seen: string[] = []
    for (let path: string | undefined = '/trail'; path !== undefined; ) {
      const { text } = await operator.get(path)
      seen.push(...[...text.matchAll(/entry (\d+)\./g)].map(([, n]) => n!))
      path = /href="(\/trail\?before=\d+)"/.exec(text)?.[1]
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, at) => String(120 - at)))
  })
})

describe("an operator's session", () => {
  it('begins once with a link, in a cookie that scripts and other sites cannot use, for 60 minutes', async () => {
    const link = await console.link('Ana Lopez')
    const visitor = console.visitor()
    expect((await visitor.get(link)).text).toContain('This link works once')
    expect((await visitor.get(link)).status).toBe(200)
    const { headers } = await visitor.post(link, {}, { csrf: undefined })
    expect(headers.get('set-cookie')).toMatch(
      /^lotline_console=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    expect((await visitor.get('/accounts')).text).toContain('Ana Lopez')
    const [entry] = await readTrail(db(), { limit: 1 })
    expect(entry).toMatchObject({ operator: 'Ana Lopez', via: 'console', action: 'console.sign-in' })
    const { rows } = await db().query<{ seconds: number }>(
      `select extract(epoch from expires_at - now())::float8 as seconds from browser_sessions where subject = 'Ana Lopez'`,
    )
    expect(rows[0]!.seconds).toBeGreaterThan(3500)
    expect(rows[0]!.seconds).toBeLessThanOrEqual(3600)
    const again = console.visitor()
    expect((await again.post(link, {}, { csrf: undefined })).status).toBe(410)
    expect(again.cookie).toBe('')
  })

  it('begins only once if several browsers use a link at the same time', async () => {
    const token = (await console.link()).slice('/link/'.length)
    const started = await Promise.all(Array.from({ length: 8 }, () => useOperatorLink(db(), token)))
    expect(started.filter((id) => id !== undefined)).toHaveLength(1)
  })

  it('does not begin with an expired, forged, or portal link', async () => {
    const expired = await console.link()
    await db().query('update one_time_links set expires_at = now()')
    for (const link of [expired, `/link/${'x'.repeat(43)}`, '/link/short'])
      expect((await console.visitor().post(link, {}, { csrf: undefined })).status, link).toBe(410)
  })

  it('and its link do not work in the portal, and portal sessions and links do not work here', async () => {
    const { accountId, keyId } = await server.openAccount()
    const [link, { token }] = [await console.link(), await createSignInLink(db(), accountId)]
    expect(await useSignInLink(db(), link.slice('/link/'.length))).toBeUndefined()
    expect(await useOperatorLink(db(), token)).toBeUndefined()
    const { cookie } = await console.signedIn()
    expect(await server.app.portalSessions.find(cookie.split('=')[1]!)).toBeUndefined()
    const visitor = console.visitor()
    visitor.cookie = `lotline_console=${(await startSession(db(), keyId)).id}`
    expect((await visitor.get('/accounts')).to).toBe('/')
    // Neither link was used up.
    expect(await useSignInLink(db(), token)).toBeDefined()
    expect((await visitor.post(link, {}, { csrf: undefined })).status).toBe(303)
  })

  it('gets a new id: a planted id does not work, and the earlier session ends', async () => {
    const planted = `lotline_console=${'p'.repeat(43)}`
    const visitor = console.visitor()
    visitor.cookie = planted
    await visitor.post(await console.link(), {}, { csrf: undefined })
    expect(visitor.cookie).not.toBe(planted)
    const first = visitor.cookie
    await visitor.post(await console.link(), {}, { csrf: undefined })
    for (const cookie of [planted, first])
      expect((await Object.assign(console.visitor(), { cookie }).get('/accounts')).to).toBe('/')
    expect((await visitor.get('/accounts')).status).toBe(200)
  })

  it('ends at sign-out and when it expires', async () => {
    const operator = await console.signedIn('Leaving')
    const { cookie } = operator
    expect((await operator.post('/sign-out')).to).toBe('/')
    expect((await Object.assign(operator, { cookie }).get('/accounts')).to).toBe('/')
    const timed = await console.signedIn('Timed')
    await db().query(`update browser_sessions set expires_at = now() where subject = 'Timed'`)
    expect((await timed.get('/accounts')).to).toBe('/')
  })

  it('cannot be guessed: an address that sends wrong links and cookies has to wait', async () => {
    const limited = await createConsole(server.app, { url: undefined })
    const { cookie: signedIn } = await console.signedIn()
    const url = await limited.listen({ host: '127.0.0.1', port: 0 })
    try {
      const guess = (cookie: string) => fetch(`${url}/accounts`, { headers: { cookie }, redirect: 'manual' })
      const statuses = new Set<number>()
      for (let at = 0; at < 70; at++) {
        const id = String(at).padStart(43, 'g')
        const response =
          at % 2
            ? await guess(`lotline_console=${id}`)
            : await fetch(`${url}/link/${id}`, { method: 'POST', headers: { origin: url } })
        statuses.add(response.status)
        if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      }
      expect([...statuses].sort()).toEqual([303, 410, 429])
      // While it waits, a link that works is refused too.
      const link = await console.link()
      expect((await fetch(url + link, { method: 'POST', headers: { origin: url } })).status).toBe(429)
      // A signed-in operator continues, and so do other visitors of the service at this address.
      expect((await guess(signedIn)).status).toBe(200)
      expect(server.app.visitorLimits.guesses.waitOf('127.0.0.1')).toBeUndefined()
    } finally {
      await limited.close()
    }
  })
})

describe('a change in the console', () => {
  it("requires a page of the console and the session's token", async () => {
    const { accountId } = await server.openAccount()
    const operator = await console.signedIn()
    const path = `/accounts/${accountId}/suspend`
    const form = { form: randomUUID() }
    for (const origin of ['https://evil.example.com', server.url, 'null', undefined])
      expect((await operator.post(path, form, { origin })).status, origin).toBe(403)
    const other = await console.signedIn()
    for (const csrf of ['', 'x'.repeat(43), await other.token(), undefined])
      expect((await operator.post(path, form, { csrf })).status, csrf).toBe(403)
    expect((await findAccount(db(), accountId))?.status).toBe('active')
    expect((await operator.post(path, form)).to).toBe(`/accounts/${accountId}?done=suspended`)
    expect((await findAccount(db(), accountId))?.status).toBe('suspended')
  })

  it('is made once if its form is sent twice concurrently, and the ledger has the credits once', async () => {
    const { accountId } = await server.openAccount({ plan: 'monthly', credits: 1000 })
    const operator = await console.signedIn('Ana')
    const path = `/accounts/${accountId}/top-up`
    const form = formIdIn((await operator.get(`/accounts/${accountId}`)).text, path)
    const csrf = await operator.token()
    const sent = await Promise.all(
      Array.from({ length: 4 }, () =>
        operator.post(path, { form, amount: '500', reason: 'Invoice 7' }, { csrf }),
      ),
    )
    expect(sent.map(({ status }) => status).sort()).toEqual([303, 422, 422, 422])
    expect(sent.find(({ status }) => status === 422)!.text).toContain('This form was sent before')
    expect((await findAccount(db(), accountId))?.balance).toBe(1500)
    const { rows } = await db().query(
      `select p.amount from postings p join operator_entries e on e.account_id = p.account_id and e.movement_id = p.id
       where p.account_id = $1 and p.kind = 'topup' and e.operator = 'Ana' and e.reason = 'Invoice 7'`,
      [accountId],
    )
    expect(rows).toEqual([{ amount: 500 }])
    const trail = await readTrail(db(), { account: accountId, limit: 10 })
    expect(trail).toMatchObject([
      {
        operator: 'Ana',
        via: 'console',
        action: 'credits.topup',
        before: { balance: 1000 },
        after: { balance: 1500, added: 500, reason: 'Invoice 7' },
      },
    ])
  })

  it('with an unknown account or invalid values changes nothing and shows the reason', async () => {
    const { accountId } = await server.openAccount({ plan: 'free' })
    const operator = await console.signedIn()
    const send = async (path: string, fields: Record<string, string>) => {
      const { status, text } = await operator.post(path, { form: randomUUID(), ...fields })
      return { status, text: text.replaceAll(/<[^>]*>/g, ' ') }
    }
    const before = await findAccount(db(), accountId)
    for (const [path, fields, why] of [
      ['top-up', { amount: '5', reason: 'x' }, 'The free plan takes no top-ups'],
      ['top-up', { amount: '-5', reason: 'x' }, 'takes a whole number from 1'],
      ['top-up', { amount: '1.5', reason: 'x' }, 'takes a whole number from 1'],
      ['top-up', { amount: '5' }, 'The number of credits or the reason is missing'],
      ['plan', { plan: 'gold' }, 'choose one from the list'],
      ['plan', { plan: 'monthly', rate: '0' }, 'takes a whole number from 1 to 100000'],
      ['suspend', { form: 'no-uuid' }, 'The page is out of date'],
    ] as const) {
      const { status, text } = await send(`/accounts/${accountId}/${path}`, fields)
      expect({ path, status }).toEqual({ path, status: 422 })
      expect(text).toContain(why)
    }
    expect(await findAccount(db(), accountId)).toEqual(before)
    expect((await send(`/accounts/${randomUUID()}/suspend`, {})).status).toBe(404)
    expect((await send('/accounts', { plan: 'free', email: 'nobody' })).text).toContain(
      'such as ana@example.com',
    )
    expect(await readTrail(db(), { account: accountId, limit: 10 })).toEqual([])
  })
})
