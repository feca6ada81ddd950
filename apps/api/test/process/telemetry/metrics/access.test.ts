import { describe, expect, it } from 'vitest'
import { exchange, head } from '../../../setup/raw-http.ts'
import { withTestDatabase } from '../../../setup/test-database.ts'
import { withTestServer } from '../../../setup/test-server.ts'

const TOKEN = 'a-token-of-the-operator'
const testDatabase = withTestDatabase()
const open = withTestServer(testDatabase)
const guarded = withTestServer(testDatabase, { env: { METRICS_TOKEN: TOKEN } })

describe('/metrics without METRICS_TOKEN', () => {
  it('serves this machine, in the format of Prometheus', async () => {
    const response = await fetch(`${open.url}/metrics`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(await response.text()).toContain('# TYPE lotline_http_request_duration_seconds histogram')
  })

  it.each([
    ['x-forwarded-for', '127.0.0.1'],
    ['x-forwarded-for', ''],
    ['forwarded', 'for=127.0.0.1'],
    ['x-real-ip', '127.0.0.1'],
    ['via', '1.1 proxy'],
    ['x-forwarded-proto', 'https'],
    ['x-forwarded-host', 'localhost'],
  ])('treats a request with %s: %s as another machine’s', async (name, value) => {
    const response = await fetch(`${open.url}/metrics`, { headers: { [name]: value } })
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('METRICS_TOKEN')
  })

  it('does not serve a page whose own name resolves to this machine', async () => {
    const [answer] = await exchange(open.port, [
      head('GET', '/metrics', { Host: 'evil.example', Connection: 'close' }),
    ])
    expect(answer?.status).toBe(403)
  })

  it('requires no API key and counts as no call', async () => {
    const response = await fetch(`${open.url}/metrics`)
    expect(response.headers.has('ratelimit')).toBe(false)
  })
})

describe('/metrics with METRICS_TOKEN', () => {
  it('serves clients that send the token, also through a proxy', async () => {
    for (const headers of [{}, { 'x-forwarded-for': '203.0.113.7' }]) {
      const authorization = `Bearer ${TOKEN}`
      const response = await fetch(`${guarded.url}/metrics`, { headers: { ...headers, authorization } })
      expect(response.status).toBe(200)
    }
  })

  it.each([undefined, 'Bearer wrong', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, TOKEN, 'Bearer '])(
    'refuses %s, even on this machine',
    async (authorization) => {
      const response = await fetch(`${guarded.url}/metrics`, {
        headers: authorization ? { authorization } : {},
      })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
      expect(await response.text()).not.toContain(TOKEN)
    },
  )
})
