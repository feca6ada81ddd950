// Refresh tokens of a connector, over two processes of one service: the repetitions that a client may make after a lost response,
// and the uses that end the connector.

import { connect as connectTcp } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REFRESH_GRACE_S, REFRESHES, tokenDigest } from '../../../src/money/oauth/records.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, withTestServer } from '../../setup/test-server.ts'
import { callTool, connect, freePort, registerClient, tokenRequest } from './oauth-client.ts'

const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { port, env: { PUBLIC_URL: origin } })
/** Another process of the same service. */
let other: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  other = await startTestServer(testDatabase, { env: { PUBLIC_URL: origin } })
  // Each process loads its tools with the first call, which takes long on a busy machine.
  const { key } = await server.openAccount()
  expect(await statusesOf(key)).toEqual([200, 200])
})
afterAll(() => other?.close())

async function openConnector() {
  const { key } = await server.openAccount()
  const { clientId, tokens } = await connect(origin, key)
  const refresh = (token: string, at = origin, client = clientId) =>
    tokenRequest(at, { grant_type: 'refresh_token', client_id: client, refresh_token: token })
  return { key, clientId, tokens, refresh }
}

async function refreshed(answer: Promise<{ status: number; body: Record<string, string> }>) {
  const { status, body } = await answer
  expect([status, body.error]).toEqual([200, undefined])
  return body as { access_token: string; refresh_token: string }
}

/** Lets time pass since the first use of a refresh token. */
async function pass(seconds: number, token: string): Promise<void> {
  const { rowCount } = await testDatabase.database.query(
    `update oauth_records set consumed_at = consumed_at - make_interval(secs => $2)
     where model = 'RefreshToken' and id = $1 and consumed_at is not null`,
    [tokenDigest(token), seconds],
  )
  expect(rowCount).toBe(1)
}

/** In each process, the next call with the token. */
const statusesOf = async (token: string) => [
  (await callTool(origin, token)).status,
  (await callTool(other.url, token)).status,
]

describe('a client that lost the response to a refresh', () => {
  it('can repeat it, and the new tokens work', async () => {
    const { clientId, tokens, refresh } = await openConnector()
    const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: tokens.refresh_token }
    const body = new URLSearchParams(form).toString()
    const socket = connectTcp(port, '127.0.0.1').pause()
    socket.write(
      `POST /oauth/token HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/x-www-form-urlencoded\r\n` +
        `content-length: ${body.length}\r\n\r\n${body}`,
    )
    // The service has ended the old access token for a new one, whose response is never read.
    const oldStatus = async () => (await callTool(origin, tokens.access_token)).status
    await expect.poll(oldStatus, { timeout: 20_000, interval: 5 }).toBe(401)
    socket.destroy()

    const again = await refreshed(refresh(tokens.refresh_token, other.url))
    expect(await statusesOf(again.access_token)).toEqual([200, 200])
    const next = await refreshed(refresh(again.refresh_token))
    expect(await statusesOf(next.access_token)).toEqual([200, 200])
    expect(await statusesOf(again.access_token)).toEqual([401, 401])
  })

  it('can repeat it for a minute; a later reuse ends the connector in all processes', async () => {
    const { tokens, refresh } = await openConnector()
    const next = await refreshed(refresh(tokens.refresh_token))
    await pass(REFRESH_GRACE_S, tokens.refresh_token)
    const late = await refresh(tokens.refresh_token, other.url)
    expect([late.status, late.body.error]).toEqual([400, 'invalid_grant'])
    expect(await statusesOf(next.access_token)).toEqual([401, 401])
    expect((await refresh(next.refresh_token)).body.error).toBe('invalid_grant')
  })

  it('cannot repeat it after a call with the new access token: the connector ends', async () => {
    const { tokens, refresh } = await openConnector()
    const next = await refreshed(refresh(tokens.refresh_token))
    expect((await callTool(other.url, next.access_token)).status).toBe(200)
    const stolen = await refresh(tokens.refresh_token)
    expect([stolen.status, stolen.body.error]).toEqual([400, 'invalid_grant'])
    expect(await statusesOf(next.access_token)).toEqual([401, 401])
    expect((await refresh(next.refresh_token, other.url)).body.error).toBe('invalid_grant')
  })

  it('gets tokens that replace the lost ones, which both processes then refuse', async () => {
    const { tokens, refresh } = await openConnector()
    const lost = await refreshed(refresh(tokens.refresh_token))
    const last = await refreshed(refresh(tokens.refresh_token, other.url))
    expect(await statusesOf(lost.access_token)).toEqual([401, 401])
    expect(await statusesOf(last.access_token)).toEqual([200, 200])
    const next = await refreshed(refresh(last.refresh_token))
    expect(await statusesOf(next.access_token)).toEqual([200, 200])
  })

  it('loses the connector if it uses a replaced refresh token, because the token has leaked', async () => {
    const { tokens, refresh } = await openConnector()
    const first = await refreshed(refresh(tokens.refresh_token))
    const second = await refreshed(refresh(tokens.refresh_token, other.url))
    const replaced = await refresh(first.refresh_token)
    expect([replaced.status, replaced.body.error]).toEqual([400, 'invalid_grant'])
    expect(await statusesOf(second.access_token)).toEqual([401, 401])
    expect((await refresh(second.refresh_token, other.url)).body.error).toBe('invalid_grant')
  })

  it('is never served together with a concurrent call with the new access token', async () => {
    for (const [calls, refreshes] of [
      [origin, other.url],
      [other.url, origin],
      [origin, origin],
    ] as const) {
      const { tokens, refresh } = await openConnector()
      const first = await refreshed(refresh(tokens.refresh_token))
      const [call, repeated] = await Promise.all([
        callTool(calls, first.access_token),
        refresh(tokens.refresh_token, refreshes),
      ])
      if (repeated.status === 200) {
        expect(call.status).toBe(401)
        expect(await statusesOf(repeated.body.access_token)).toEqual([200, 200])
      } else {
        expect([repeated.status, repeated.body.error]).toEqual([400, 'invalid_grant'])
        expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant')
      }
      expect(await statusesOf(first.access_token)).toEqual([401, 401])
    }
  })

  it('ends the connector if it reuses a token after a later one was used', async () => {
    const { tokens, refresh } = await openConnector()
    const next = await refreshed(refresh(tokens.refresh_token))
    const last = await refreshed(refresh(next.refresh_token))
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect(await statusesOf(last.access_token)).toEqual([401, 401])
    expect((await refresh(last.refresh_token)).body.error).toBe('invalid_grant')
  })

  it('cannot extend the minute by repeating', async () => {
    const { tokens, refresh } = await openConnector()
    await refreshed(refresh(tokens.refresh_token))
    await pass(REFRESH_GRACE_S / 2, tokens.refresh_token)
    await refreshed(refresh(tokens.refresh_token))
    await pass(REFRESH_GRACE_S / 2, tokens.refresh_token)
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
  })
})

describe('a revocation', () => {
  it('that is interrupted keeps the token, so that the client can repeat it', async () => {
    const { clientId, tokens, refresh } = await openConnector()
    const { database } = testDatabase
    const revoke = (token: string) =>
      fetch(`${origin}/oauth/revoke`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ client_id: clientId, token }).toString(),
      })
    await database.query(`
      create function cut_off() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$;
      create trigger cut_off before update of revoked_at on api_keys for each row execute function cut_off()`)
    try {
      for (const token of [tokens.access_token, tokens.refresh_token])
        expect((await revoke(token)).status).toBe(500)
    } finally {
      await database.query('drop trigger cut_off on api_keys; drop function cut_off')
    }
    expect(await statusesOf(tokens.access_token)).toEqual([200, 200])
    expect((await revoke(tokens.refresh_token)).status).toBe(200)
    expect(await statusesOf(tokens.access_token)).toEqual([401, 401])
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
  })
})

describe('a connector that its user revokes', () => {
  it('gets 401 with its next call in each process, and no further tokens', async () => {
    const { key, tokens, refresh } = await openConnector()
    // Both processes know the key, and would know it for a while.
    expect(await statusesOf(tokens.access_token)).toEqual([200, 200])
    const { json } = await server.get('/v1/keys', { key })
    const { id } = json.data.find(({ oauth_client }: { oauth_client?: string }) => oauth_client !== undefined)
    expect((await server.send('DELETE', `/v1/keys/${id}`, { key })).status).toBe(204)
    const late = await Promise.all([statusesOf(tokens.access_token), statusesOf(tokens.access_token)])
    expect(late.flat()).toEqual([401, 401, 401, 401])
    for (const at of [origin, other.url])
      expect((await refresh(tokens.refresh_token, at)).body.error).toBe('invalid_grant')
  })

  it('is counted in the metrics: its approval, its tokens, and its refusals', async () => {
    const countsOf = async () => {
      const { text } = await server.app.metrics.read()
      const lines = [...text.matchAll(/^lotline_oauth_events_total\{event="(\w+)"\} (\d+)$/gm)]
      return Object.fromEntries(lines.map(([, event, count]) => [event, Number(count)]))
    }
    const before = await countsOf()
    const { tokens, refresh } = await openConnector()
    await refreshed(refresh(tokens.refresh_token))
    await pass(REFRESH_GRACE_S, tokens.refresh_token)
    expect((await refresh(tokens.refresh_token)).status).toBe(400)
    const after = await countsOf()
    const events = ['registered', 'approved', 'connected', 'refreshed', 'refused', 'reused']
    const added = events.map((event) => [event, after[event]! - (before[event] ?? 0)])
    expect(Object.fromEntries(added)).toEqual(Object.fromEntries(events.map((event) => [event, 1])))
  })
})

describe('a refresh token', () => {
  it('can be exchanged at most 60 times per hour for one connector, and the last token stays valid', async () => {
    const { clientId, tokens, refresh } = await openConnector()
    const first = await refreshed(refresh(tokens.refresh_token))
    const { rowCount } = await testDatabase.database.query(
      `update budgets set taken = $1 where kind = 'oauth_refreshes' and subject =
         (select encode(grant_id, 'hex') from oauth_records where model = 'RefreshToken' and id = $2)`,
      [REFRESHES.perHour - 1, tokenDigest(tokens.refresh_token)],
    )
    expect(rowCount).toBe(1)
    const last = await refreshed(refresh(first.refresh_token))
    const response = await fetch(`${origin}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `grant_type=refresh_token&client_id=${clientId}&refresh_token=${last.refresh_token}`,
    })
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '60'])
    expect((await response.json()).error).toBe('temporarily_unavailable')
    expect(await statusesOf(last.access_token)).toEqual([200, 200])
    await testDatabase.database.query(
      `update budgets set ends_at = ends_at - interval '1 hour' where kind = 'oauth_refreshes'`,
    )
    expect((await refresh(last.refresh_token)).status).toBe(200)
  })

  it('that is used concurrently in two processes leaves one valid pair of tokens', async () => {
    const { tokens, refresh } = await openConnector()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => refresh(tokens.refresh_token, at % 2 ? origin : other.url)),
    )
    // Those that a later one has overtaken got nothing, or tokens that it has ended.
    const refused = answers.filter(({ status }) => status !== 200)
    for (const { status, body } of refused) expect([status, body.error]).toEqual([400, 'invalid_grant'])
    const live = []
    for (const { status, body } of answers)
      if (status === 200 && (await callTool(origin, body.access_token)).status === 200) live.push(body)
    expect(live).toHaveLength(1)
    const { rows } = await testDatabase.database.query<{ id: Buffer }>(
      `select id from oauth_records where model = 'RefreshToken' and consumed_at is null and replaced_at is null
         and grant_id = (select oauth_grant from api_keys where hash = $1)`,
      [tokenDigest(live[0].access_token)],
    )
    expect(rows.map(({ id }) => id)).toEqual([tokenDigest(live[0].refresh_token)])
    const next = await refreshed(refresh(live[0].refresh_token))
    expect(await statusesOf(next.access_token)).toEqual([200, 200])
  })

  it('expires with its connector a year after the approval, however often it is used', async () => {
    const { key, tokens, refresh } = await openConnector()
    const grantOf = async () => {
      const { rows } = await testDatabase.database.query<{ days: number }>(
        `select extract(epoch from max(expires_at) - now()) / 86400 as days from oauth_records where model = 'Grant'`,
      )
      return Number(rows[0]!.days)
    }
    expect(Math.round(await grantOf())).toBe(365)
    await testDatabase.database.query(
      `update oauth_records set expires_at = now() + interval '1 minute' where model = 'Grant' and id = (
         select oauth_grant from api_keys where hash = $1)`,
      [tokenDigest(tokens.access_token)],
    )
    const next = await refreshed(refresh(tokens.refresh_token))
    const { json } = await server.get('/v1/keys', { key })
    const { expires_at: end } = json.data.find(({ name }: { name: string }) => name === 'Test agent')
    expect(Date.parse(end)).toBeLessThan(Date.now() + 3_600_000)
    await testDatabase.database.query("update oauth_records set expires_at = now() where model = 'Grant'")
    expect((await refresh(next.refresh_token)).body.error).toBe('invalid_grant')
  })

  it('is not exchanged for a token of another audience, and the attempt ends nothing', async () => {
    const { clientId, tokens } = await openConnector()
    const refreshFor = (resource: string) =>
      tokenRequest(origin, {
        grant_type: 'refresh_token',
        client_id: clientId,
        refresh_token: tokens.refresh_token,
        resource,
      })
    const refused = await refreshFor('https://other.example/mcp')
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_target'])
    expect(await statusesOf(tokens.access_token)).toEqual([200, 200])
    const next = await refreshed(refreshFor(`${origin}/mcp`))
    expect(await statusesOf(next.access_token)).toEqual([200, 200])
  })

  it('does not work for another client, and the attempt ends nothing', async () => {
    const { tokens, refresh } = await openConnector()
    const stranger = await registerClient(origin)
    expect((await refresh(tokens.refresh_token, origin, stranger)).body.error).toBe('invalid_grant')
    const next = await refreshed(refresh(tokens.refresh_token))
    expect((await refresh(tokens.refresh_token, origin, stranger)).body.error).toBe('invalid_grant')
    expect(await statusesOf(next.access_token)).toEqual([200, 200])
  })
})
