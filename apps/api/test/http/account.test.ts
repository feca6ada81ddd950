import { describe, expect, it } from 'vitest'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)

describe('a request', () => {
  it('answers /v1/me with the account and charges nothing', async () => {
    const { key, accountId } = await server.openAccount({
      plan: 'monthly',
      credits: 1000,
      email: 'ana@example.com',
    })
    const me = await server.get('/v1/me', { key })
    expect(me.status).toBe(200)
    expect(me.json.data).toMatchObject({ id: accountId, email: 'ana@example.com', plan_id: 'monthly' })
    expect(me.charged).toBe(0)
    expect(me.remaining).toBe(1000)
  })

  it('keeps no key, not even one that was sent as part of a path', async () => {
    const { key } = await server.openAccount({ plan: 'monthly' })
    for (const path of [key, key.replace('_', '%5F'), key.slice(4)]) {
      expect((await server.get(`/v1/${path}/me`, { key })).status).toBe(404)
    }
    const usage = await server.get('/v1/usage', { key })
    expect(usage.json.data.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual([
      '/v1/…/me',
      '/v1/lot%…/me',
      '/v1/lot_…/me',
    ])
  })
})
