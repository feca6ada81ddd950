// The lifecycle of a call, without HTTP: facts go in and a response comes out. What it looks like on the wire is in
// test/http.

import { describe, expect, it } from 'vitest'
import { type Call, ClientDisconnected } from '../../../src/requests/engine/call.ts'
import type { BodyParts, CallResponse } from '../../../src/requests/engine/response.ts'
import { BODY_LIMIT_BYTES, type BodyBytes } from '../../../src/requests/engine/sent-body.ts'
import { createBreakableDatabase } from '../../setup/breakable-database.ts'
import { createMemoryProvider } from '../../setup/memory-provider.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { type AskedCall, createTestEngine, inputOf } from '../../setup/test-engine.ts'

const testDatabase = withTestDatabase()
const ZPID = '48749425'
const LOOKUP = { id: 'getProperty', path: `/v1/properties/${ZPID}`, params: { zpid: ZPID } } as const
const BOX = { west: -122.375, south: 47.622, east: -122.34, north: 47.65 }

function start(env: Readonly<Record<string, string>> = {}) {
  const provider = createMemoryProvider()
  const database = createBreakableDatabase(() => testDatabase.database)
  return { provider, database, ...createTestEngine({ database }, { provider }, env) }
}

async function usageOf(accountId: string) {
  const { rows } = await testDatabase.database.query<{ status_code: number; credits_charged: number }>(
    'select operation, endpoint, status_code, units, credits_charged from usage_rows where account_id = $1 order by id',
    [accountId],
  )
  return rows
}

function codeOf({ status, code }: CallResponse): [number, string | undefined] {
  return [status, code]
}

/** A body that has not been read yet. `state.read` says whether it was asked for. */
function bytes(text: string, facts: Partial<BodyBytes> = {}) {
  const state = { read: false }
  const body: BodyBytes = {
    type: 'application/json',
    encoding: undefined,
    length: Buffer.byteLength(text),
    async read(limit) {
      state.read = true
      const all = Buffer.from(text)
      return all.length > limit ? undefined : all
    },
    ...facts,
  }
  return { state, body }
}

describe('admit', () => {
  it.each([
    ['no key', {}, 401, 'missing_api_key'],
    ['a key with a wrong checksum', { key: `lot_${'0'.repeat(38)}` }, 401, 'invalid_api_key'],
  ])('refuses a call with %s, and writes no usage row', async (_what, asked, status, code) => {
    const { admit } = start()
    const response = (await admit({ ...LOOKUP, ...asked })) as CallResponse
    expect(codeOf(response)).toEqual([status, code])
    expect(response.headers['www-authenticate']).toBe('Bearer realm="lotline"')
  })

  it('counts each call in the rate window of its key, and refuses the first one above the limit', async () => {
    const { call, openAccount } = start()
    const { key, accountId } = await openAccount({ ratePerMinute: 2 })
    expect((await call({ ...LOOKUP, key })).response.headers.ratelimit).toMatch(/r=1;/)
    expect((await call({ ...LOOKUP, key })).response.status).toBe(200)
    const { response } = await call({ ...LOOKUP, key })
    expect(codeOf(response)).toEqual([429, 'rate_limited'])
    expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(2)
    expect(await usageOf(accountId)).toHaveLength(2)
  })

  it('returns 503 if the database cannot look up the key', async () => {
    const { admit, openAccount, database } = start()
    const { key } = await openAccount()
    const { DatabaseUnavailable } = await import('../../../src/infrastructure/database/database.ts')
    database.fault = () => new DatabaseUnavailable('gone')
    const response = (await admit({ ...LOOKUP, key })) as CallResponse
    expect(codeOf(response)).toEqual([503, 'service_unavailable'])
    expect(response.headers['retry-after']).toBe('2')
  })
})

describe('perform', () => {
  it('charges for its result, and writes the usage row before the response is returned', async () => {
    const { admit, engine, openAccount } = start()
    const { key, accountId } = await openAccount({ credits: 10 })
    const call = (await admit({ ...LOOKUP, key })) as Call
    const response = await engine.perform(call, inputOf(LOOKUP))
    expect(await usageOf(accountId)).toMatchObject([
      { operation: 'getProperty', endpoint: LOOKUP.path, status_code: 200, units: 1, credits_charged: 1 },
    ])
    expect(response).toMatchObject({
      status: 200,
      headers: { 'x-credits-charged': '1', 'x-credits-remaining': '9' },
    })
    expect(JSON.parse((response.body as BodyParts).join(''))).toMatchObject({
      data: { zpid: ZPID },
      request_id: call.requestId,
    })
    call.end()
  })

  it('passes a cached record on without copying its bytes', async () => {
    const { admit, engine, openAccount } = start()
    const { key } = await openAccount()
    const records: unknown[] = []
    for (let time = 0; time < 3; time++) {
      const call = (await admit({ ...LOOKUP, key })) as Call
      const { body } = await engine.perform(call, inputOf(LOOKUP))
      records.push((body as BodyParts)[1])
      call.end()
    }
    expect(Buffer.isBuffer(records[1])).toBe(true)
    // The very same bytes, not equal ones.
    expect(records[2]).toBe(records[1])
  })

  it('accepts a body that the front end has already parsed', async () => {
    const { call, openAccount } = start()
    const { key } = await openAccount()
    const body = { value: { filters: { bbox: BOX } } }
    const { json, response } = await call({ id: 'searchListings', key, body })
    expect([response.status, (json as { data: object[] }).data.length > 0]).toEqual([200, true])
  })

  it('returns rows as streamed text if CSV is accepted', async () => {
    const { call, openAccount } = start()
    const { key } = await openAccount()
    const body = { value: { filters: { bbox: BOX } } }
    const { text, response } = await call({ id: 'searchListings', key, body, accept: 'text/csv' })
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(text.trimEnd().split('\r\n')).toHaveLength(Number(response.headers['x-row-count']) + 1)
  })

  it.each<[string, AskedCall, number, string]>([
    ['an unknown path', {}, 404, 'not_found'],
    ['a method that the path does not have', { method: 'PUT', path: '/v1/me' }, 405, 'method_not_allowed'],
    ['a parameter given twice', { id: 'listUsage', query: { limit: ['1', '2'] } }, 400, 'invalid_parameter'],
    ['a wrong parameter', { ...LOOKUP, params: { zpid: 'abc' } }, 400, 'invalid_zpid'],
    ['no body where one is needed', { id: 'searchListings' }, 400, 'missing_input'],
  ])('refuses %s, free, with a usage row', async (_what, asked, status, code) => {
    const { call, openAccount, provider } = start()
    const { key, accountId } = await openAccount()
    const { response } = await call({ ...asked, key })
    expect(codeOf(response)).toEqual([status, code])
    expect(await usageOf(accountId)).toMatchObject([{ status_code: status, credits_charged: 0 }])
    expect(provider.asked).toBe(0)
    if (status === 405) expect(response.headers.allow).toBe('GET, HEAD')
  })

  it('refuses an operation that the plan excludes before the body is read', async () => {
    const { call, openAccount } = start()
    const { key, accountId } = await openAccount()
    await testDatabase.database.query('update accounts set denied_operations = $2 where id = $1', [
      accountId,
      ['searchListings'],
    ])
    const { state, body } = bytes('{')
    const { response } = await call({ id: 'searchListings', key, body })
    expect([codeOf(response), state.read]).toEqual([[403, 'plan_not_allowed'], false])
  })

  it.each([
    ['of another type', { type: 'text/plain' }, 415, 'unsupported_media_type'],
    ['without a type', { type: undefined }, 415, 'unsupported_media_type'],
    ['that is compressed', { encoding: 'gzip' }, 415, 'unsupported_media_type'],
    ['announced as too long', { length: BODY_LIMIT_BYTES + 1 }, 413, 'payload_too_large'],
  ] as const)('refuses a body %s without reading it', async (_what, facts, status, code) => {
    const { call, openAccount } = start()
    const { key } = await openAccount()
    const { state, body } = bytes('{}', facts)
    const { response } = await call({ id: 'searchListings', key, body })
    expect([codeOf(response), state.read]).toEqual([[status, code], false])
  })

  it('refuses a body that is too long, and one that is not JSON', async () => {
    const { call, openAccount } = start()
    const { key } = await openAccount()
    const long = bytes(' '.repeat(BODY_LIMIT_BYTES + 1), { length: undefined })
    const broken = bytes('{')
    const answers = [
      await call({ id: 'searchListings', key, body: long.body }),
      await call({ id: 'searchListings', key, body: broken.body }),
    ]
    expect(answers.map(({ response }) => codeOf(response))).toEqual([
      [413, 'payload_too_large'],
      [400, 'invalid_json'],
    ])
  })

  it('reads no body of an operation without one', async () => {
    const { call, openAccount } = start()
    const { key } = await openAccount()
    const { state, body } = bytes('{', { type: 'text/plain' })
    const { response } = await call({ id: 'getAccount', key, body })
    expect([response.status, state.read]).toEqual([200, false])
  })

  it('charges nothing if the client disconnects while its body is read, and writes a row with 499', async () => {
    const { admit, engine, openAccount } = start()
    const { key, accountId } = await openAccount()
    const call = (await admit({ id: 'searchListings', key })) as Call
    const { body } = bytes('{}', {
      async read() {
        call.disconnect()
        throw new Error('aborted')
      },
    })
    const response = await engine.perform(call, inputOf({ body }))
    call.end()
    expect([response.status, response.body]).toEqual([499, undefined])
    expect(await usageOf(accountId)).toMatchObject([{ status_code: 499, credits_charged: 0 }])
  })
})

describe("a key's slot", () => {
  it('is held until the response is sent', async () => {
    const { admit, engine, app, openAccount } = start()
    const { key } = await openAccount()
    const first = (await admit({ ...LOOKUP, key })) as Call
    await engine.perform(first, inputOf(LOOKUP))
    const second = (await admit({ ...LOOKUP, key })) as Call
    const waiting = engine.perform(second, inputOf(LOOKUP))
    expect(await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 50, 'waits'))])).toBe(
      'waits',
    )
    first.end()
    expect((await waiting).status).toBe(200)
    second.end()
    expect(app.queues.size).toBe(0)
  })

  it('is held after the client disconnects, until the work has stopped', async () => {
    const { admit, engine, app, openAccount, provider } = start()
    const { key, accountId } = await openAccount()
    const asked = Promise.withResolvers<void>()
    const failing = Promise.withResolvers<never>()
    provider.trouble = () => {
      asked.resolve()
      return failing.promise
    }
    const zpid = '77'
    const call = (await admit({ ...LOOKUP, key })) as Call
    const performing = engine.perform(call, inputOf({ params: { zpid } }))
    await asked.promise
    call.disconnect()
    call.end()
    expect((await performing).status).toBe(499)
    failing.reject(new ClientDisconnected())
    expect(app.queues.size).toBe(0)
    expect(await usageOf(accountId)).toMatchObject([{ status_code: 499, credits_charged: 0 }])
  })

  it('is released when the work throws', async () => {
    const { call, app, openAccount, provider } = start()
    const { key } = await openAccount()
    provider.trouble = async () => {
      throw new Error('not ours to tell')
    }
    const { response, text } = await call({ ...LOOKUP, key, params: { zpid: '78' } })
    expect([response.status >= 500, text.includes('not ours')]).toEqual([true, false])
    expect(app.queues.size).toBe(0)
  })
})
