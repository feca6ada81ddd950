// What is served beside /v1: without a key, without a bill, and with the contract as it is.

import { openapi } from '@lotline/contract'
import { clientView } from '@lotline/contract/client-view'
import openapi30 from '@lotline/contract/openapi-3.0.json' with { type: 'json' }
import { afterEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { DatabaseUnavailable } from '../../../src/infrastructure/database/database.ts'
import { createBreakableDatabase } from '../../setup/breakable-database.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'

const testDatabase = withTestDatabase()
const database = createBreakableDatabase(() => testDatabase.database)
const server = withTestServer({ database })

afterEach(() => {
  database.fault = undefined
  server.app.stopping = false
})

describe('/healthz and /readyz', () => {
  it('return 200 in normal operation', async () => {
    const health = await server.get('/healthz')
    expect([health.status, health.json]).toEqual([200, { status: 'ok' }])
    const ready = await server.get('/readyz')
    expect([ready.status, ready.json]).toEqual([200, { status: 'ready' }])
  })

  it('differ when the database is unavailable: alive, but not ready', async () => {
    database.fault = () => new DatabaseUnavailable('no route to db-7.internal')
    expect((await server.get('/healthz')).status).toBe(200)
    const ready = await server.get('/readyz')
    expect(ready.status).toBe(503)
    expect(ready.text).not.toContain('db-7')
  })

  it('differ when the process is stopping: alive, but not ready', async () => {
    server.app.stopping = true
    expect((await server.get('/healthz')).status).toBe(200)
    expect((await server.get('/readyz')).status).toBe(503)
  })
})

describe.each([
  ['/openapi.json', openapi, /^application\/json/, (text: string): unknown => JSON.parse(text)],
  ['/openapi-3.0.json', openapi30, /^application\/json/, (text: string): unknown => JSON.parse(text)],
  ['/openapi.yaml', openapi, /^application\/yaml/, (text: string): unknown => parse(text)],
] as const)('%s', (path, document, type, read) => {
  it.each([
    ['the view for clients', '', clientView(document)],
    ['the whole contract with view=full', '?view=full', document],
  ])('is %s, verbatim, with its own ETag', async (_, query, expected) => {
    const answer = await server.get(path + query)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(type)
    expect(read(answer.text)).toEqual(expected)
    const tag = answer.headers.get('etag')!
    const again = (of: string) => server.get(path + of, { headers: { 'if-none-match': tag } })
    expect((await again(query)).status).toBe(304)
    expect((await again(query === '' ? '?view=full' : '')).status).toBe(200)
  })

  it.each(['small', '', 'full&view=full'])('refuses the view "%s"', async (view) => {
    const { status, json } = await server.get(`${path}?view=${view}`)
    expect([status, json.error.code, json.error.details]).toEqual([
      400,
      'invalid_parameter',
      { parameter: 'view' },
    ])
  })
})

describe('/docs/reference', () => {
  it('serves our own copy of the contract, and loads nothing from other hosts', async () => {
    const page = await server.get('/docs/reference/')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    const elsewhere = [...page.text.matchAll(/(?:src|href)="(https?:[^"]+)"/g)].map(([, url]) => url)
    expect(elsewhere).toEqual([])
    const scripts = [...page.text.matchAll(/<script[^>]+src="([^"]+)"/g)].map(([, path]) => path!)
    expect(scripts.length).toBeGreaterThan(0)
    const texts: string[] = []
    for (const script of scripts) {
      const loaded = await server.get(new URL(script, `${server.url}/docs/reference/`).pathname)
      expect(loaded.status).toBe(200)
      expect(loaded.headers.get('content-type')).toMatch(/javascript/)
      texts.push(loaded.text)
    }
    expect(texts.join()).toContain(`url: '/docs/openapi.json'`)
  })

  it('also works without the slash', async () => {
    expect((await server.get('/docs/reference')).status).toBe(200)
  })
})

it.each([
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/openapi-3.0.json',
  '/openapi.yaml',
  '/docs',
  '/docs/jobs',
  '/docs/reference/',
  '/llms.txt',
])('%s allows no method except GET, and returns the error envelope', async (path) => {
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const answer = await server.send(method, path)
    expect([404, 405]).toContain(answer.status)
    expect(answer.json.error.request_id).toBe(answer.headers.get('x-request-id'))
  }
})

it('a request of a public route is not counted as a call', async () => {
  const { rows } = await testDatabase.database.query('select 1 from usage_rows')
  expect(rows).toEqual([])
})
