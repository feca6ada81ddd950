// The keys of the clients of an external issuer (OAUTH_ISSUER): what they spend, how long they last, and how many there are.

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { forgetConnector } from '../../src/accounts/keys.ts'
import { createExternalIssuer } from '../../src/oauth/external-issuer.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'
import { callTool, freePort } from './oauth-client.ts'

const [port, issuerPort] = [await freePort(), await freePort()]
const origin = `http://127.0.0.1:${port}`
const issuer = `http://127.0.0.1:${issuerPort}`
const env = { PUBLIC_URL: origin, OAUTH_ISSUER: issuer, OAUTH_ISSUER_ALLOW_PRIVATE_NETWORK: 'on' }
const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { port, env })
const signing = await generateKeyPair('ES256')

beforeAll(async () => {
  const keys = [{ ...(await exportJWK(signing.publicKey)), kid: 'first', alg: 'ES256' }]
  const httpServer = createServer((request, response) => {
    if (front.hangs) return void front.taken++
    const body = request.url === '/jwks' ? { keys } : { issuer, jwks_uri: `${issuer}/jwks` }
    response.end(JSON.stringify(body))
  }).listen(issuerPort, '127.0.0.1')
  await once(httpServer, 'listening')
  return () => {
    httpServer.close()
    httpServer.closeAllConnections()
  }
})

function mint(account: string, client = 'agent-1', scope = 'read jobs watches') {
  return new SignJWT({ client_id: client, scope, lotline_account: account })
    .setProtectedHeader({ alg: 'ES256', kid: 'first', typ: 'at+jwt' })
    .setIssuer(issuer)
    .setAudience(`${origin}/mcp`)
    .setExpirationTime('10m')
    .sign(signing.privateKey)
}
/** Whether the issuer takes requests and never answers them, and how many it took. */
const front = { hangs: false, taken: 0 }
const connectorsOf = async (key: string) =>
  (await server.get('/v1/keys', { key })).json.data.filter(
    ({ oauth_client }: { oauth_client?: string }) => oauth_client !== undefined,
  )

describe('an issuer that does not answer', () => {
  it('does not keep calls waiting whose keys are known', async () => {
    const clock = { now: 0 }
    const verifier = createExternalIssuer({
      ...{ issuer, audience: `${origin}/mcp`, accountClaim: 'lotline_account', onProblem: () => {} },
      ...{ network: { allowPrivateNetworks: true }, now: () => clock.now },
    })
    const token = await mint(randomUUID())
    expect(await verifier.verify(token)).toBeDefined()
    front.hangs = true
    try {
      clock.now += 6 * 60_000
      const answers = await Promise.all(Array.from({ length: 5 }, () => verifier.verify(token)))
      answers.push(await verifier.verify(token))
      for (const answer of answers) expect(answer).toMatchObject({ clientId: 'agent-1' })
      // The request for the metadata is still under way: it would fail, and the next place be asked.
      expect(front.taken).toBe(1)
    } finally {
      front.hangs = false
    }
  })
})

describe('a client of the issuer', () => {
  it('ends when it was not used for 30 days, and goes on as the same key with its next token', async () => {
    const { key, accountId } = await server.openAccount({ credits: 1_000 })
    const token = await mint(accountId)
    const { database } = testDatabase
    const daysLeft = async () => {
      const [{ expires_at: end }] = await connectorsOf(key)
      return Math.round((Date.parse(end) - Date.now()) / 86_400_000)
    }
    const pass = (interval: string) =>
      database.query(
        `update api_keys set expires_at = expires_at - $2::interval where account_id = $1 and expires_at is not null`,
        [accountId, interval],
      )
    expect((await callTool(origin, token)).status).toBe(200)
    expect(await daysLeft()).toBe(30)
    await pass('10 days')
    expect(await daysLeft()).toBe(20)
    expect((await callTool(origin, token)).status).toBe(200)
    expect(await daysLeft()).toBe(30)
    const [{ id }] = await connectorsOf(key)
    await pass('31 days')
    expect(await connectorsOf(key)).toMatchObject([{ id, active: false }])
    expect((await callTool(origin, token)).status).toBe(200)
    expect(await connectorsOf(key)).toMatchObject([{ id, active: true }])
    // What its user ends stays ended.
    expect((await server.send('DELETE', `/v1/keys/${id}`, { key })).status).toBe(204)
    await pass('31 days')
    expect((await callTool(origin, token)).status).toBe(401)
  })

  it('costs nothing once its key is revoked: its watches are paused until another key resumes and pays for them', async () => {
    const { key, keyId, accountId } = await server.openAccount({ credits: 1_000 })
    const token = await mint(accountId)
    const watch = { name: 'mine', zpids: ['1'] }
    const { id } = (await server.post('/v1/watches', watch, { key: token })).json.data
    const { id: connector } = (await connectorsOf(key))[0]
    const evaluating = server.app.watches.start()
    const read = async () => (await server.get(`/v1/watches/${id}`, { key })).json.data
    const until = (expected: object) =>
      expect.poll(read, { timeout: 20_000, interval: 20 }).toMatchObject(expected)
    try {
      await until({ status: 'active' })
      expect((await server.send('DELETE', `/v1/keys/${connector}`, { key })).status).toBe(204)
      // A client that is admitted again starts with a new key: what the old one did stays paused.
      expect(await forgetConnector(testDatabase.database, connector)).toBe(true)
      expect((await callTool(origin, token)).status).toBe(200)
      await until({ status: 'paused', paused_reason: 'requested' })
      const resumed = await server.send('PATCH', `/v1/watches/${id}`, { key, body: { paused: false } })
      expect(resumed.json.data).toMatchObject({ status: 'active', paused_reason: null })
    } finally {
      await evaluating.stop()
    }
    const { rows } = await testDatabase.database.query('select key_id from watches where id = $1', [id])
    expect(rows).toEqual([{ key_id: keyId }])
  })
})
