import { expect, it } from 'vitest'
import { Lotline, MemoryCache } from '../src/index.ts'

/** A service whose data has a version, and that answers 304 to its tag. */
function start(cache?: MemoryCache) {
  const state = { version: 1, sent: [] as (string | null)[] }
  const fetch = async (request: Request) => {
    const sent = request.headers.get('if-none-match')
    state.sent.push(sent)
    const tag = `W/"${state.version}"`
    const headers = {
      etag: tag,
      'x-request-id': `req_${state.sent.length}`,
      'x-credits-remaining': '9',
      'x-credits-charged': sent === tag ? '0' : '1',
      'content-type': 'application/json',
    }
    if (sent === tag) return new Response(null, { status: 304, headers })
    return new Response(JSON.stringify({ data: { price: state.version }, request_id: 'r' }), { headers })
  }
  const lotline = (apiKey = 'k') => new Lotline({ apiKey, baseUrl: 'http://x', fetch, cache })
  return { state, lotline }
}

it('a call for unchanged data is free and returns the cached data', async () => {
  const { state, lotline } = start(new MemoryCache())
  const client = lotline()
  const first = await client.properties.get('1')
  const second = await client.properties.get('1')
  expect([first.credits.charged, second.credits.charged]).toEqual([1, 0])
  expect(second.data).toEqual(first.data)
  expect(second.requestId).toBe('req_2')
  state.version = 2
  const third = await client.properties.get('1')
  expect([third.credits.charged, third.data]).toEqual([1, { price: 2 }])
  expect((await client.properties.get('1')).data).toEqual({ price: 2 })
  expect(state.sent).toEqual([null, 'W/"1"', 'W/"1"', 'W/"2"'])
})

it('an entity tag is sent only for the same request and the same API key', async () => {
  const { state, lotline } = start(new MemoryCache())
  const client = lotline()
  await client.properties.get('1')
  await client.properties.get('2')
  await client.properties.get('1', { fields: 'price' })
  await lotline('other').properties.get('1')
  expect(state.sent).toEqual([null, null, null, null])
})

it('without a cache, no response is stored', async () => {
  const { state, lotline } = start()
  await lotline().properties.get('1')
  await lotline().properties.get('1')
  expect(state.sent).toEqual([null, null])
})

it('a MemoryCache keeps the most recently used responses', () => {
  const cache = new MemoryCache({ maxEntries: 2 })
  const kept = { tag: 't', body: '{}' }
  cache.set('a', kept)
  cache.set('b', kept)
  cache.get('a')
  cache.set('c', kept)
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([kept, undefined, kept])
  expect(() => new MemoryCache({ maxEntries: 0 })).toThrow(RangeError)
})
