// What each call sends and what becomes of its answer, over real HTTP.

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { ConnectionError, Lotline, LotlineError, TimeoutError } from '../src/index.ts'
import {
  accepted,
  breakOffResponse,
  hangUp,
  RECEIPT,
  type Responder,
  refusal,
  sendNothing,
  startLoopback,
  success,
} from './loopback.ts'

const FILTERS = { bbox: { west: -122.36, south: 47.63, east: -122.34, north: 47.645 } }

async function start(...answers: Responder[]) {
  const loopback = await startLoopback(...answers)
  return { ...loopback, lotline: new Lotline({ apiKey: 'lot_key', baseUrl: loopback.url, maxRetries: 0 }) }
}

describe('the client', () => {
  it('reads the key and the base URL from the environment if the options omit them', async () => {
    const { url, asked } = await startLoopback(success())
    vi.stubEnv('LOTLINE_API_KEY', 'lot_environment')
    vi.stubEnv('LOTLINE_BASE_URL', `${url}/`)
    await new Lotline().account.me()
    await new Lotline({ apiKey: 'lot_given' }).account.me()
    vi.unstubAllEnvs()
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer lot_environment',
      'Bearer lot_given',
    ])
    expect(asked[0]!.url).toBe('/v1/me')
  })

  it('reports missing and invalid options', () => {
    vi.stubEnv('LOTLINE_API_KEY', '')
    expect(() => new Lotline()).toThrow(expect.objectContaining({ code: 'missing_api_key' }))
    vi.unstubAllEnvs()
    expect(() => new Lotline({ apiKey: 'k', baseUrl: 'api.example.com' })).toThrow(TypeError)
    expect(() => new Lotline({ apiKey: 'k', timeoutMs: 0 })).toThrow(RangeError)
    expect(() => new Lotline({ apiKey: 'k', maxRetries: -1 })).toThrow(RangeError)
  })

  it('types the details of an error by its code', async () => {
    const details = { parameter: 'maxItems', minimum: 1, maximum: 820 }
    const error = new LotlineError({ code: 'invalid_parameter', message: 'm', details })
    expect(error.detailsOf('invalid_parameter')).toEqual(details)
    expect(error.detailsOf('missing_input')).toBeUndefined()
    const { lotline } = await start(refusal(429, 'rate_limited'))
    const bare = await lotline.account.me().catch((thrown: LotlineError) => thrown)
    expect((bare as LotlineError).detailsOf('rate_limited')).toBeUndefined()
  })

  it('never shows its key when it is printed', () => {
    const lotline = new Lotline({ apiKey: 'lot_secret' })
    expect(JSON.stringify(lotline)).not.toContain('lot_secret')
    expect(String(vi.isMockFunction(lotline)) + Object.values(lotline).map(String)).not.toContain(
      'lot_secret',
    )
  })

  it('logs attempts and retries, but never the key, a query, or a body', async () => {
    const lines: string[] = []
    const logger = {
      debug: (line: string) => lines.push(`debug ${line}`),
      info: (line: string) => lines.push(`info ${line}`),
    }
    const { url } = await startLoopback(success(), refusal(401, 'invalid_api_key'), hangUp)
    const lotline = new Lotline({ apiKey: 'lot_secret', baseUrl: url, logger })
    await lotline.properties.get('1')
    await expect(lotline.properties.byAddress('1 A St, Seattle')).rejects.toThrow()
    await expect(lotline.search.run({ filters: FILTERS })).rejects.toThrow()
    expect(lines).toEqual([
      expect.stringMatching(/^debug GET \/v1\/properties\/1: 200 in \d+ ms, req_1$/),
      expect.stringMatching(/^debug GET \/v1\/properties\/by-address: 401 in \d+ ms, req_1$/),
      expect.stringMatching(/^debug POST \/v1\/search: connection_lost in \d+ ms, no request id$/),
    ])
  })

  it('sends the spending limit of the call, or else the limit of the client', async () => {
    const { url, asked } = await startLoopback(success({ data: [], meta: {} }))
    const lotline = new Lotline({ apiKey: 'lot_key', baseUrl: url, maxCredits: 9 })
    await lotline.properties.get('1')
    await lotline.search.run({ filters: FILTERS }, { maxCredits: 2 })
    await lotline.listings.list({ bbox: '1,2,3,4', maxCredits: 3 })
    await lotline.listings.list({ bbox: '1,2,3,4', maxCredits: 4, format: 'csv' })
    await lotline.listings.pages({ bbox: '1,2,3,4', maxCredits: 5 })
    expect(asked.map(({ headers }) => headers['x-max-credits'])).toEqual(['9', '2', '3', '4', '5'])
    expect(asked.map((one) => one.url).join()).not.toContain('maxCredits')
  })

  it('sends requests through a custom fetch', async () => {
    const sent: string[] = []
    const lotline = new Lotline({
      apiKey: 'lot_key',
      baseUrl: 'https://api.example.com',
      async fetch(request) {
        sent.push(`${request.method} ${request.url} ${request.headers.get('authorization')}`)
        return Response.json({ data: {}, request_id: 'req_1' }, { headers: RECEIPT })
      },
    })
    await lotline.properties.get('1', { fields: ['price', 'address.city'] })
    expect(sent).toEqual([
      'GET https://api.example.com/v1/properties/1?fields=price%2Caddress.city Bearer lot_key',
    ])
  })
})

describe('a result', () => {
  it('contains the body and a receipt, without the request id of the body', async () => {
    const { lotline } = await start(success({ data: [1], meta: { count: 1 } }, { 'x-credits-charged': '3' }))
    const { headers, ...result } = await lotline.webhooks.list()
    expect(result).toEqual({
      data: [1],
      meta: { count: 1 },
      requestId: 'req_1',
      credits: { charged: 3, remaining: 41 },
    })
    expect(headers.get('x-request-id')).toBe('req_1')
  })

  it('of a 204 response contains only the receipt', async () => {
    const { lotline } = await start((response) => response.writeHead(204, RECEIPT).end())
    expect(await lotline.webhooks.delete('a')).toMatchObject({ requestId: 'req_1', credits: { charged: 0 } })
  })

  it.each([
    ['a web page', '<html></html>'],
    ['nothing', ''],
    ['JSON of another service', '{"hello":"world"}'],
    ['no object', '7'],
  ])('is never %s: the error says that the base URL may be wrong', async (_, text) => {
    const { lotline } = await start((response) => response.writeHead(200).end(text))
    const error = await lotline.account.me().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(LotlineError)
    expect(error).toMatchObject({
      code: 'unexpected_answer',
      status: 200,
      message: expect.stringContaining('baseUrl'),
    })
  })
})

describe('idempotency keys', () => {
  const jobs = [
    ['batch', (lotline: Lotline) => lotline.properties.batch({ addresses: ['1 Main St, Ames, IA'] })],
    ['withDetails', (lotline: Lotline) => lotline.search.withDetails({ filters: FILTERS })],
    ['run', (lotline: Lotline) => lotline.search.run({ filters: FILTERS, async: true })],
    ['forSale', (lotline: Lotline) => lotline.listings.forSale({ filters: FILTERS, maxItems: 51 })],
  ] as const

  it.each(jobs)(
    '%s sends one of its own, the same in each attempt and another in each call',
    async (_, call) => {
      const { asked, lotline } = await start(accepted('a'))
      await call(lotline)
      await call(lotline)
      const keys = asked.map(({ headers }) => headers['idempotency-key'])
      expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
      expect(keys[1]).not.toBe(keys[0])
    },
  )

  it('stay the same when a job is started again after a lost connection', async () => {
    const { url, asked } = await startLoopback(hangUp, accepted('a'))
    const lotline = new Lotline({ apiKey: 'k', baseUrl: url, maxRetries: 1 })
    expect((await lotline.properties.batch({ urls: ['u'] })).job.id).toBe('a')
    expect(asked[1]!.headers['idempotency-key']).toBe(asked[0]!.headers['idempotency-key'])
    expect(asked[1]!.body).toBe(asked[0]!.body)
  })

  it('are not sent for a synchronous search, whose result would not be stored', async () => {
    const { asked, lotline } = await start(accepted('a'))
    await lotline.search.run({ filters: FILTERS, maxItems: 50 })
    expect(asked[0]!.headers['idempotency-key']).toBeUndefined()
  })

  it('of the caller are sent unchanged', async () => {
    const { asked, lotline } = await start(accepted('a'))
    await lotline.properties.batch({ urls: ['u'] }, { idempotencyKey: 'mine' })
    expect(asked[0]!.headers['idempotency-key']).toBe('mine')
  })
})

describe('a search', () => {
  it.each([
    ['that is found at once is not repeated', { filters: FILTERS, maxItems: 50 }, 1],
    ['that is a job by its size is repeated', { filters: FILTERS, maxItems: 51 }, 2],
    [
      'that is a job by its method is repeated',
      { filters: FILTERS, extractionMethod: 'PAGINATION_WITH_ZOOM_IN' },
      2,
    ],
  ] as const)('%s after a lost connection', async (_, request, times) => {
    const { url, asked } = await startLoopback(hangUp, accepted('a'))
    const lotline = new Lotline({ apiKey: 'k', baseUrl: url, maxRetries: 1 })
    await lotline.search.run(request).catch((error: unknown) => expect(error).toBeInstanceOf(ConnectionError))
    expect(asked.length).toBe(times)
  })

  it('whose size, method, and `async` are null returns rows', async () => {
    const { asked, lotline } = await start(accepted('a'))
    await lotline.search.run({ filters: FILTERS, maxItems: null, extractionMethod: null, async: null })
    expect(asked[0]!.headers['idempotency-key']).toBeUndefined()
  })

  it.each([null, undefined])(
    'in pages with %s as its order has the usual one, which leads to all pages',
    async (sort) => {
      const rows = (zpid: string, meta: object) => success({ data: [{ zpid }], meta: { count: 1, ...meta } })
      const { asked, lotline } = await start(rows('1', { next_cursor: 'next' }), rows('2', {}))
      const found: unknown[] = []
      const request = { filters: FILTERS, cursor: null, ...(sort === null && { sort }) }
      for await (const { zpid } of lotline.search.pages(request)) found.push(zpid)
      expect(found).toEqual(['1', '2'])
      const bodies = asked.map(({ body }) => JSON.parse(String(body)))
      expect(bodies.map(({ sort: order, cursor }) => [order, cursor ?? null])).toEqual([
        ['newest', null],
        ['newest', 'next'],
      ])
    },
  )

  it('that runs as a job returns the job in every format', async () => {
    const { lotline } = await start(accepted('a'))
    const found = await lotline.search.run({ filters: FILTERS, maxItems: 800 }, { format: 'csv' })
    expect(found.job?.id).toBe('a')
  })
})

describe('a call without an idempotency key', () => {
  it.each([
    ['a webhook', (lotline: Lotline) => lotline.webhooks.create({ url: 'https://example.com' })],
    ['the job of a building', (lotline: Lotline) => lotline.buildings.units('u', { sync: false })],
  ])('is sent only once: %s', async (_, call) => {
    const { url, asked } = await startLoopback(hangUp)
    const lotline = new Lotline({ apiKey: 'k', baseUrl: url, maxRetries: 1 })
    await expect(call(lotline)).rejects.toThrow(ConnectionError)
    expect(asked.length).toBe(1)
  })
})

describe('the timeout', () => {
  it('covers the wait for a response', async () => {
    const { lotline } = await start(sendNothing)
    await expect(lotline.account.me({ timeoutMs: 50 })).rejects.toThrow(TimeoutError)
  })

  it('covers a response that arrives in parts', async () => {
    const { lotline } = await start((response) => {
      response.writeHead(200, { 'content-type': 'application/json', ...RECEIPT }).write('{"data":')
    })
    await expect(lotline.account.me({ timeoutMs: 100 })).rejects.toThrow(TimeoutError)
  })

  it('starts again with each read of a stream, so a slow reader is not interrupted', async () => {
    // biome-ignore lint/nursery/noMisusedPromises: the server of the test goes on while the response is written.
    const { lotline } = await start(async (response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson', ...RECEIPT })
      for (let n = 0; n < 6; n++) {
        response.write(`{"zpid":"${n}"}\n`)
        await sleep(300)
      }
      response.end()
    })
    const text = await lotline.listings.list({ bbox: '0,0,1,1', format: 'ndjson', timeoutMs: 1_000 })
    const rows = []
    // Takes his time before the first row, and after it.
    await sleep(1_250)
    for await (const row of text) {
      rows.push(row.zpid)
      if (rows.length === 1) await sleep(1_250)
    }
    expect(rows).toEqual(['0', '1', '2', '3', '4', '5'])
  })

  it('ends a stream that delivers nothing more', async () => {
    const { lotline } = await start((response) => {
      response.writeHead(200, { 'content-type': 'text/csv', ...RECEIPT }).write('zpid\r\n')
    })
    const text = await lotline.listings.list({ bbox: '0,0,1,1', format: 'csv', timeoutMs: 100 })
    await expect(text.text()).rejects.toThrow(TimeoutError)
  })
})

describe('a call with an abort signal', () => {
  it('ends immediately and permanently with the reason of the signal', async () => {
    const { asked, lotline } = await start(sendNothing)
    const controller = new AbortController()
    const call = lotline.account.me({ signal: controller.signal, maxRetries: 3 })
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    await expect(lotline.account.me({ signal: controller.signal })).rejects.toThrow('enough')
    expect(asked.length).toBeLessThanOrEqual(1)
  })

  it('rejects with an API error whose docUrl leads to the error code in the guide', async () => {
    const { lotline, url } = await start(refusal(400, 'invalid_zpid'))
    await expect(lotline.account.me()).rejects.toMatchObject({ docUrl: `${url}/docs/errors#invalid_zpid` })
  })

  it('does not wait for the next attempt after the signal', async () => {
    const { lotline } = await start(refusal(429, 'rate_limited', { 'retry-after': '60' }))
    await expect(
      lotline.account.me({ signal: AbortSignal.timeout(100), maxRetries: 3 }),
    ).rejects.toMatchObject({
      name: 'TimeoutError',
      constructor: DOMException,
    })
  })

  it('ends its stream', async () => {
    const { lotline } = await start((response) => {
      response.writeHead(200, { 'content-type': 'text/csv', ...RECEIPT }).write('zpid\r\n')
    })
    const controller = new AbortController()
    const text = await lotline.listings.list({ bbox: '0,0,1,1', format: 'csv', signal: controller.signal })
    const whole = text.text()
    controller.abort()
    await expect(whole).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  })

  it('leaves no listener on the signal after it has ended', async () => {
    const { lotline } = await start(success())
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    await lotline.account.me({ signal })
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length)
  })
})

describe('a lost connection', () => {
  it.each([
    ['before the answer', hangUp],
    ['within the answer', breakOffResponse],
  ])('is a ConnectionError that keeps the cause: %s', async (_, answering) => {
    const { lotline } = await start(answering)
    const error = await lotline.account.me().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection_lost', status: undefined })
    expect((error as Error).cause).toBeInstanceOf(Error)
  })

  it('during a stream rejects the read', async () => {
    const { lotline } = await start((response) => {
      response.writeHead(200, { 'content-type': 'text/csv', ...RECEIPT })
      response.write('zpid\r\n', () => response.socket?.destroy())
    })
    const text = await lotline.listings.list({ bbox: '0,0,1,1', format: 'csv' })
    await expect(text.text()).rejects.toThrow(ConnectionError)
  })
})
