// Sign-in to the portal over HTTP: the start and end of sessions, and their protection against misuse.

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFailedKeys } from '../../../src/money/accounts/failed-keys.ts'
import { issueKey, revokeKey } from '../../../src/money/accounts/keys.ts'
import { createSignInLink } from '../../../src/money/accounts/portal-sessions.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, withTestServer } from '../../setup/test-server.ts'
import { lotlineWith } from '../cli/run-lotline.ts'
import { createVisitor, signedIn } from './visitor.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const db = () => testDatabase.database

const HOUR_S = 3600

describe('a session', () => {
  it('begins with a key, in a cookie that scripts and other sites cannot use, for 60 minutes', async () => {
    const { key, keyId } = await server.openAccount()
    const visitor = createVisitor(server)
    const { status, headers, to } = await visitor.signIn(key)
    expect({ status, to }).toEqual({ status: 303, to: '/portal' })
    expect(headers.get('set-cookie')).toMatch(
      /^lotline_session=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    expect((await visitor.get('/portal')).text).toContain('credits available')
    const { rows } = await db().query<{ seconds: number; stored: string }>(
      `select round(extract(epoch from expires_at - now())) as seconds, encode(id_hash, 'base64') as stored
       from browser_sessions where subject = $1`,
      [keyId],
    )
    expect(Number(rows[0]!.seconds)).toBeGreaterThan(HOUR_S - 60)
    expect(Number(rows[0]!.seconds)).toBeLessThanOrEqual(HOUR_S)
    expect(visitor.cookie).not.toContain(rows[0]!.stored.slice(0, 40))
  })

  it("does not begin with a connector's token", async () => {
    const { accountId } = await server.openAccount()
    const { key } = await issueKey(db(), accountId, { oauthClient: 'agent', oauthGrant: randomBytes(32) })
    expect((await server.get('/v1/me', { key })).status).toBe(200)
    const { status, headers } = await createVisitor(server).signIn(key)
    expect({ status, cookie: headers.get('set-cookie') }).toEqual({ status: 401, cookie: null })
  })

  it('ends when it expires, at sign-out, and immediately when its key is revoked or expires', async () => {
    const { key, keyId, accountId } = await server.openAccount()
    const isOpen = async (visitor: { get: typeof timed.get }) =>
      (await visitor.get('/portal')).text.includes('Sign out')
    const timed = await signedIn(server, key)
    const signedOut = await signedIn(server, key)
    await db().query(
      `update browser_sessions set expires_at = now() where subject = $1 and expires_at = (
      select min(expires_at) from browser_sessions where subject = $1)`,
      [keyId],
    )
    expect(await isOpen(timed)).toBe(false)
    expect(await isOpen(signedOut)).toBe(true)

    const { cookie } = signedOut
    const { status, to, headers } = await signedOut.post('/portal/sign-out')
    expect({ status, to }).toEqual({ status: 303, to: '/portal' })
    expect(headers.get('set-cookie')).toMatch(/^lotline_session=; Max-Age=0;/)
    signedOut.cookie = cookie
    expect(await isOpen(signedOut)).toBe(false)

    const revoked = await signedIn(server, key)
    await revokeKey(db(), keyId)
    expect(await isOpen(revoked)).toBe(false)
    expect((await revoked.get('/portal/keys')).to).toBe('/portal')

    const shortLived = await issueKey(db(), accountId, { expiresAt: new Date(Date.now() + HOUR_S * 1000) })
    const expired = await signedIn(server, shortLived.key)
    expect(await isOpen(expired)).toBe(true)
    await db().query('update api_keys set expires_at = now() where id = $1', [shortLived.keyId])
    expect(await isOpen(expired)).toBe(false)
  })

  it('gets a new id: an id planted before the sign-in does not work, and the earlier session ends', async () => {
    const { key } = await server.openAccount()
    const planted = `lotline_session=${'p'.repeat(43)}`
    const visitor = createVisitor(server)
    visitor.cookie = planted
    await visitor.post('/portal/session', { key }, { csrf: undefined })
    expect(visitor.cookie).not.toBe(planted)
    const first = visitor.cookie
    await visitor.signIn(key)
    expect(visitor.cookie).not.toBe(first)
    for (const cookie of [planted, first]) {
      expect((await Object.assign(createVisitor(server), { cookie }).get('/portal')).text).not.toContain(
        'Sign out',
      )
    }
    expect((await visitor.get('/portal')).text).toContain('Sign out')
  })

  it('is one of at most 50 of its key: a further sign-in ends the oldest', async () => {
    const { key, keyId } = await server.openAccount()
    const oldest = await signedIn(server, key)
    await db().query(
      `insert into browser_sessions (id_hash, audience, subject, expires_at)
       select sha256(n::text::bytea), 'portal', $1, now() + interval '61 minutes' from generate_series(1, 49) n`,
      [keyId],
    )
    expect((await oldest.get('/portal')).text).toContain('Sign out')
    const latest = await signedIn(server, key)
    expect((await oldest.get('/portal')).text).not.toContain('Sign out')
    expect((await latest.get('/portal')).text).toContain('Sign out')
  })

  it('is not a credential for the API: /v1 reads no cookie', async () => {
    const { key } = await server.openAccount()
    const { cookie } = await signedIn(server, key)
    expect((await server.get('/v1/me', { headers: { cookie } })).code).toBe('missing_api_key')
  })

  it('makes calls with its key: each has a usage row, and counts in the rate window', async () => {
    const { key, keyId, accountId } = await server.openAccount({ ratePerMinute: 3 })
    const visitor = await signedIn(server, key)
    await visitor.get('/portal/keys')
    await visitor.get('/portal')
    const { rows } = await db().query<{ endpoint: string }>(
      'select endpoint from usage_rows where account_id = $1 and key_id = $2 order by id',
      [accountId, keyId],
    )
    expect(rows.map(({ endpoint }) => endpoint)).toEqual(['/v1/keys', '/v1/me', '/v1/usage/summary'])
    const { status, text } = await visitor.get('/portal/jobs')
    expect(status).toBe(429)
    expect(text).toContain('rate_limited')
    expect(text).toMatch(/Try again in \d+ seconds/)
  })

  it('has only the permissions of its key', async () => {
    const { accountId } = await server.openAccount()
    const { key } = await issueKey(db(), accountId, { allowedOperations: ['getAccount', 'summarizeUsage'] })
    const visitor = await signedIn(server, key)
    expect((await visitor.get('/portal')).status).toBe(200)
    const refused = await visitor.get('/portal/keys')
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('key_not_allowed')
  })
})

describe('sign-in with a key', () => {
  it('fails with a wrong key, and shows no part of it', async () => {
    const visitor = createVisitor(server)
    const { status, text } = await visitor.signIn('lot_NoSuchKeyNoSuchKeyNoSuchKeyNoSuchKeyNo')
    expect(status).toBe(401)
    expect(text).toContain('This key does not work')
    expect(text).not.toContain('NoSuchKey')
    expect(visitor.cookie).toBe('')
  })

  it('counts a failure against its address: guesses are refused with 429', async () => {
    const guarded = await startTestServer(testDatabase, { parts: { failedKeys: createFailedKeys() } })
    try {
      const visitor = createVisitor(guarded)
      const statuses = new Set<number>()
      for (let at = 0; at < 200 && !statuses.has(429); at++)
        statuses.add((await visitor.signIn(`guess ${at}`)).status)
      expect([...statuses]).toEqual([401, 429])
      const { headers } = await visitor.signIn('guess')
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
    } finally {
      await guarded.close()
    }
  })
})

describe('a sign-in link', () => {
  it('signs in once: opening it does not use it up, the first use works, the second is refused', async () => {
    const { accountId } = await server.openAccount()
    const { token } = await createSignInLink(db(), accountId)
    const path = `/portal/link/${token}`
    const visitor = createVisitor(server)
    expect((await visitor.get(path)).status).toBe(200)
    expect((await visitor.get(path)).text).toContain('Sign in')
    const first = await visitor.post(path)
    expect({ status: first.status, to: first.to }).toEqual({ status: 303, to: '/portal' })
    expect((await visitor.get('/portal')).text).toContain(accountId)
    const other = createVisitor(server)
    const second = await other.post(path)
    expect(second.status).toBe(410)
    expect(other.cookie).toBe('')
  })

  it('signs in one browser, even if several use it at the same time', async () => {
    const { accountId } = await server.openAccount()
    const { token } = await createSignInLink(db(), accountId)
    const uses = await Promise.all(
      Array.from({ length: 8 }, () => createVisitor(server).post(`/portal/link/${token}`)),
    )
    expect(uses.map(({ status }) => status).sort()).toEqual([303, ...Array(7).fill(410)])
  })

  it('works for 5 minutes, and only its hash is stored', async () => {
    const { accountId } = await server.openAccount()
    const { token, expiresAt } = await createSignInLink(db(), accountId)
    const { rows } = await db().query<{ age: number }>(
      'select extract(epoch from $1::timestamptz - now()) as age from one_time_links where token_hash = sha256($2::bytea)',
      [expiresAt.toISOString(), token],
    )
    expect(Number(rows[0]!.age)).toBeGreaterThan(240)
    expect(Number(rows[0]!.age)).toBeLessThanOrEqual(300)
    await db().query('update one_time_links set expires_at = now() where token_hash = sha256($1::bytea)', [
      token,
    ])
    expect((await createVisitor(server).post(`/portal/link/${token}`)).status).toBe(410)
  })

  it('uses one key of the account for the portal, and another one after that was revoked', async () => {
    const { accountId } = await server.openAccount()
    const signInByLink = async () => {
      const visitor = createVisitor(server)
      const { token } = await createSignInLink(db(), accountId)
      await visitor.post(`/portal/link/${token}`)
      return visitor
    }
    const keys = async () => {
      const { rows } = await db().query<{ id: string; name: string }>(
        'select id, name from api_keys where account_id = $1 and for_portal order by created_at',
        [accountId],
      )
      return rows
    }
    const first = await signInByLink()
    await signInByLink()
    expect(await keys()).toMatchObject([{ name: 'Portal' }])
    await revokeKey(db(), (await keys())[0]!.id)
    expect((await first.get('/portal')).text).not.toContain('Sign out')
    expect((await (await signInByLink()).get('/portal')).text).toContain('Sign out')
    expect(await keys()).toHaveLength(2)
  })

  it('is created by `lotline portal link`', async () => {
    const { accountId } = await server.openAccount()
    const env = { DATABASE_URL: testDatabase.url, PUBLIC_URL: 'https://api.example.com' }
    const made = await lotlineWith(env)('portal', 'link', accountId, '--json')
    expect(made.code, made.stderr).toBe(0)
    expect(made.json).toMatchObject({ account_id: accountId, expires_at: expect.any(String) })
    const { origin, pathname } = new URL(made.json.url)
    expect(origin).toBe('https://api.example.com')
    expect((await createVisitor(server).post(pathname)).status).toBe(303)
    const unknown = await lotlineWith(env)('portal', 'link', crypto.randomUUID())
    expect(unknown.code).toBe(1)
    expect(unknown.stderr).toMatch(/There is no account/)
  })
})

describe('a portal form', () => {
  const foreign = [
    ['another origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['no origin', { origin: undefined }],
    ['no token', { csrf: undefined }],
    ['a wrong token', { csrf: 'x'.repeat(43) }],
  ] as const

  it.each(foreign)('with %s changes nothing', async (_name, changed) => {
    const { key, accountId } = await server.openAccount()
    const visitor = await signedIn(server, key)
    const { status } = await visitor.post('/portal/keys', { name: 'Attack' }, changed)
    expect(status).toBe(403)
    const { rows } = await db().query('select from api_keys where account_id = $1', [accountId])
    expect(rows).toHaveLength(1)
  })

  it('with the token of another session changes nothing', async () => {
    const { key } = await server.openAccount()
    const [visitor, attacker] = [await signedIn(server, key), await signedIn(server, key)]
    const csrf = await attacker.token()
    expect((await visitor.post('/portal/keys', { name: 'Attack' }, { csrf })).status).toBe(403)
    expect((await visitor.post('/portal/keys', { name: 'Own' })).status).toBe(200)
  })

  it.each(['/portal/session', `/portal/link/${'a'.repeat(43)}`])(
    'of another site does not sign in, at %s',
    async (path) => {
      const { key } = await server.openAccount()
      const visitor = createVisitor(server)
      const { status } = await visitor.post(path, { key }, { origin: 'https://evil.example' })
      expect(status).toBe(403)
      expect(visitor.cookie).toBe('')
    },
  )

  it('of more than 64 KiB is refused', async () => {
    const { status } = await createVisitor(server).post('/portal/session', { key: 'x'.repeat(70_000) })
    expect(status).toBe(413)
  })
})

describe('behind https (PUBLIC_URL)', () => {
  let secure: Awaited<ReturnType<typeof startTestServer>>
  beforeAll(async () => {
    secure = await startTestServer(testDatabase, { env: { PUBLIC_URL: 'https://api.example.com' } })
  })
  afterAll(() => secure.close())

  it('the cookie is only sent over https and only for this host, and forms must come from PUBLIC_URL', async () => {
    const { key } = await server.openAccount()
    const visitor = createVisitor(secure)
    expect((await visitor.signIn(key)).status).toBe(403)
    const { headers } = await visitor.post('/portal/session', { key }, { origin: 'https://api.example.com' })
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-lotline_session=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    )
    expect((await visitor.get('/portal')).text).toContain('Sign out')
  })
})

it('pages and redirects cannot be framed, cached, or read by other sites, and run no inline scripts', async () => {
  const { key } = await server.openAccount()
  const visitor = await signedIn(server, key)
  for (const path of ['/portal', '/portal/keys', '/portal/no-such-page', '/portal/assets/portal.js']) {
    const { headers, text } = await visitor.get(path)
    expect(headers.get('content-security-policy'), path).toBe(
      "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    expect(headers.get('x-frame-options'), path).toBe('DENY')
    expect(headers.get('access-control-allow-origin'), path).toBeNull()
    expect(headers.get('referrer-policy'), path).toBe('same-origin')
    expect(headers.get('cache-control'), path).toBe(path.includes('assets') ? 'no-cache' : 'no-store')
    if (!path.includes('assets')) expect(text, path).not.toMatch(/<script(?! src=)|<style|\sstyle=|\son\w+=/)
  }
})

it('a suspended account or one without credits sees why nothing works', async () => {
  const empty = await server.openAccount({ credits: 0 })
  const page = await (await signedIn(server, empty.key)).get('/portal')
  expect(page.status).toBe(402)
  expect(page.text).toContain('No credits left')
  const suspended = await server.openAccount()
  const visitor = await signedIn(server, suspended.key)
  await db().query(`update accounts set status = 'suspended' where id = $1`, [suspended.accountId])
  await expect.poll(async () => (await visitor.get('/portal')).status).toBe(403)
  expect((await visitor.get('/portal')).text).toContain('Account suspended')
})

it('PORTAL=off serves no portal', async () => {
  const off = await startTestServer(testDatabase, { env: { PORTAL: 'off' } })
  try {
    expect((await createVisitor(off).get('/portal')).status).toBe(404)
  } finally {
    await off.close()
  }
})

describe('a form with U+0000 in a field', () => {
  it('is refused, whatever the form is for', async () => {
    const { key } = await server.openAccount()
    const visitor = await signedIn(server, key)
    const paths = ['session', 'link/x', 'sign-out', 'keys', 'webhooks', 'watches', 'explore', 'billing/order']
    for (const path of paths) {
      for (const fields of [{ name: 'a\0b' }, { 'na\0me': 'x' }])
        expect((await visitor.post(`/portal/${path}`, fields)).status, path).toBe(400)
    }
    expect((await visitor.get('/portal')).text).toContain('Sign out')
  })
})

describe('a sign-in link in a message', () => {
  it('is not used up by the HEAD or GET of programs that check links', async () => {
    const { accountId } = await server.openAccount()
    const { token } = await createSignInLink(db(), accountId)
    for (const method of ['HEAD', 'HEAD', 'GET', 'HEAD']) {
      const { status, headers } = await fetch(`${server.url}/portal/link/${token}`, { method })
      expect(status).toBeLessThan(500)
      expect(headers.get('set-cookie')).toBeNull()
    }
    const visitor = createVisitor(server)
    const { to } = await visitor.post(`/portal/link/${token}`)
    expect([to, (await visitor.get('/portal')).text.includes('Sign out')]).toEqual(['/portal', true])
  })
})
