// Calls without a valid key, many of them from one address.

import { afterEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/infrastructure/database/database.ts'
import { sourceAddressReader } from '../../../src/interfaces/http/source-address.ts'
import { createFailedKeys } from '../../../src/money/accounts/failed-keys.ts'
import { createApiKey, issueKey } from '../../../src/money/accounts/keys.ts'
import { resumeAccount, suspendAccount } from '../../../src/money/accounts/suspend.ts'
import { createTestDatabase } from '../../setup/test-database.ts'
import { startTestServer } from '../../setup/test-server.ts'

const cleanUps: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function startServer(env: Record<string, string> = {}) {
  const { database, drop } = await createTestDatabase()
  cleanUps.push(drop)
  let lookUps = 0
  const counted: Database = {
    ...database,
    query: ((...args: Parameters<Database['query']>) => {
      if (args[2]?.name === 'find_principals') lookUps++
      return database.query(...args)
    }) as Database['query'],
  }
  const clock = { now: 0 }
  const failedKeys = createFailedKeys(() => clock.now)
  const server = await startTestServer({ database: counted }, { parts: { failedKeys }, env })
  cleanUps.push(() => server.close())
  const guess = (headers: Record<string, string> = {}) =>
    server.get('/v1/me', { key: createApiKey(), headers })
  return { server, database, clock, guess, lookUps: () => lookUps }
}

describe('calls with unknown keys from one address', () => {
  it('get 401 sixty times and then 429, with one database query for many of them', async () => {
    const { guess, clock, lookUps } = await startServer()
    for (let at = 0; at < 60; at++) expect((await guess()).status).toBe(401)
    const before = lookUps()
    for (const answer of await Promise.all(Array.from({ length: 200 }, () => guess()))) {
      expect([answer.status, answer.code, answer.charged]).toEqual([429, 'rate_limited', 0])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
    }
    // One by one, they would be 200.
    expect(lookUps() - before).toBeLessThan(60)
    clock.now += 1_000
    expect([(await guess()).status, (await guess()).status]).toEqual([401, 429])
  })

  it('count missing, malformed, unknown, and revoked keys, and former connector tokens', async () => {
    const { server, database, guess } = await startServer()
    const account = await server.openAccount()
    const { key, accountId } = await server.openAccount()
    const change = (text: string) =>
      database.query(`update api_keys set ${text} where account_id = $1`, [accountId])
    await change("oauth_client = 'agent'")
    expect((await server.get('/v1/me', { key })).status).toBe(200)
    // As a refresh does.
    await change("hash = sha256('another token')")
    await database.query('update api_keys set revoked_at = now() where account_id = $1', [account.accountId])
    const calls = [() => server.get('/v1/me'), () => server.get('/v1/me', { key: 'nonsense' }), guess]
    for (const call of [...calls, () => server.get('/v1/me', { key: account.key })])
      for (let at = 0; at < 15; at++) expect((await call()).status).toBe(401)
    for (const call of [...calls, () => server.get('/v1/me', { key: account.key })])
      expect((await call()).status).toBe(429)
    // The first time, the process finds that the token has ended.
    expect((await server.get('/v1/me', { key })).status).toBe(429)
    for (let at = 0; at < 5; at++) expect((await server.get('/v1/me', { key })).status).toBe(429)
  })

  it('do not block valid keys, not even one issued meanwhile', async () => {
    const { server, database, guess } = await startServer()
    const account = await server.openAccount()
    for (let at = 0; at < 70; at++) await guess()
    expect((await guess()).status).toBe(429)
    expect((await server.get('/v1/me', { key: account.key })).status).toBe(200)
    const { key } = await issueKey(database, account.accountId)
    expect((await server.get('/v1/me', { key })).status).toBe(200)
  })

  it('do not block a key that was just created or rotated, or whose account was just resumed', async () => {
    const { server, database, guess } = await startServer()
    const { key, accountId } = await server.openAccount()
    for (let at = 0; at < 70; at++) await guess()
    const statusOf = async (text: string) => (await server.get('/v1/me', { key: text })).status
    for (let times = 0; times < 10; times++) {
      const made = await server.post('/v1/keys', { name: `Key ${times}` }, { key })
      expect([made.status, await statusOf(made.json.data.key)]).toEqual([201, 200])
      const rotated = await server.post(`/v1/keys/${made.json.data.id}/rotate`, {}, { key })
      expect(await statusOf(rotated.json.data.key)).toBe(200)
      expect((await guess()).status).toBe(429)
      expect((await server.send('DELETE', `/v1/keys/${rotated.json.data.id}`, { key })).status).toBe(204)
    }
    await suspendAccount(database, accountId)
    await expect.poll(() => statusOf(key)).toBe(403)
    await resumeAccount(database, accountId)
    expect(await statusOf(key)).toBe(200)
  })

  it('are counted by the forwarded address only if a trusted proxy wrote it', async () => {
    const direct = await startServer()
    for (let at = 0; at < 60; at++) await direct.guess({ 'X-Forwarded-For': `203.0.113.${at}` })
    expect((await direct.guess({ 'X-Forwarded-For': '203.0.113.99' })).status).toBe(429)

    const proxied = await startServer({ TRUSTED_PROXIES: '127.0.0.1, ::1' })
    for (let at = 0; at < 60; at++)
      await proxied.guess({ 'X-Forwarded-For': `198.51.100.${at}, 203.0.113.1` })
    expect((await proxied.guess({ 'X-Forwarded-For': '198.51.100.99, 203.0.113.1' })).status).toBe(429)
    expect((await proxied.guess({ 'X-Forwarded-For': '203.0.113.1, 203.0.113.2' })).status).toBe(401)
  })
})

describe('the source address', () => {
  const read = sourceAddressReader(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])

  it.each([
    ['192.0.2.1', undefined, '192.0.2.1'],
    ['192.0.2.1', '203.0.113.1', '192.0.2.1'],
    ['127.0.0.1', '203.0.113.1', '203.0.113.1'],
    ['::ffff:127.0.0.1', '203.0.113.1', '203.0.113.1'],
    ['10.1.2.3', '198.51.100.1, 203.0.113.1, 10.9.9.9', '203.0.113.1'],
    ['10.1.2.3', 'nonsense', '10.1.2.3'],
    ['10.1.2.3', '203.0.113.1, nonsense', '10.1.2.3'],
    ['10.1.2.3', '10.1.1.1', '10.1.1.1'],
    ['fd00::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    [undefined, '203.0.113.1', ''],
  ])('of a connection from %s with X-Forwarded-For %s is %s', (remote, forwarded, expected) => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    expect(read({ socket: { remoteAddress: remote }, headers })).toBe(expected)
  })
})
