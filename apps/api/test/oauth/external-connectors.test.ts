// The keys of the clients of an external issuer (OAUTH_ISSUER): what they spend, how long they last, and how many there are.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { forgetConnector } from '../../src/accounts/keys.ts'
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
const connectorsOf = async (key: string) =>
  (await server.get('/v1/keys', { key })).json.data.filter(
    ({ oauth_client }: { oauth_client?: string }) => oauth_client !== undefined,
  )

describe('a client of the issuer', () => {
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
