// Bodies that are no JSON, too much of it, or a trap for the program that reads them.

import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { createMemoryProvider } from '../../setup/memory-provider.ts'
import { exchangeOne, head } from '../../setup/raw-http.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { usageOf } from '../../setup/usage.ts'

const testDatabase = withTestDatabase()
const provider = createMemoryProvider()
const server = withTestServer(testDatabase, { parts: { provider } })

const BOX = '{"west":-122.375,"south":47.622,"east":-122.34,"north":47.65}'
const VALID = `{"filters":{"bbox":${BOX}}}`
const MIB = 1024 * 1024

let key = ''
beforeAll(async () => {
  key = (await server.openAccount()).key
})

/** Any bytes with any headers, which fetch would set right. */
async function post(
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = { 'Content-Type': 'application/json' },
) {
  const askedBefore = provider.asked
  const answer = await exchangeOne(
    server.port,
    [
      head('POST', '/v1/search', {
        Authorization: `Bearer ${key}`,
        Connection: 'close',
        'Content-Length': String(Buffer.byteLength(body)),
        ...headers,
      }),
      body,
    ],
    { method: 'POST', url: '/v1/search' },
  )
  const usage = await usageOf(testDatabase.database, answer)
  expect(usage).toHaveLength(1)
  expect(usage[0]).toMatchObject({ operation: 'searchListings', status_code: answer.status })
  if (answer.status !== 200) {
    expect(answer.headers.get('x-credits-charged')).toBe('0')
    expect(usage[0]).toMatchObject({ units: 0, credits_charged: 0 })
    expect(provider.asked).toBe(askedBefore)
  }
  return answer
}

describe('a body that is not JSON', () => {
  it.each([
    '{',
    '}',
    '{"filters":}',
    '{"a":1,}',
    "{'a':1}",
    '{a:1}',
    'undefined',
    'NaN',
    '{}{}',
    '{} x',
    '// x\n{}',
    '"open',
    '\u0000',
    'filters=1',
    '<filters/>',
    '{"a":"\u0001"}',
    '{"a":1e}',
    '\ufeff\ufeff{}',
  ])('%j is 400 invalid_json', async (body) => {
    const answer = await post(body)
    expect([answer.status, answer.code], answer.text).toEqual([400, 'invalid_json'])
  })

  it.each([
    ['an overlong slash', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['half a character', Buffer.from([0x22, 0xe2, 0x82, 0x22])],
    ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['Latin-1', Buffer.from([0x22, 0xe9, 0x22])],
  ])('is refused when it is not valid UTF-8: %s', async (_what, bytes) => {
    const body = Buffer.concat([Buffer.from('{"x":'), bytes, Buffer.from('}')])
    const answer = await post(body)
    expect([answer.status, answer.code]).toEqual([400, 'invalid_json'])
  })

  it('with broken UTF-8 never causes a 500', async () => {
    const answer = await post(
      Buffer.concat([Buffer.from('{"filters":"'), Buffer.from([0xff, 0xfe, 0x22, 0x7d])]),
    )
    expect(answer.status).toBe(400)
  })

  it('with 100,000 levels never causes a 500', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"filters":', '}'],
      ['{"filters":{"bbox":', '}}'],
    ] as const) {
      const levels = Math.min(100_000, Math.floor((MIB - 10) / (open.length + close.length)))
      const answer = await post(`${open.repeat(levels)}1${close.repeat(levels)}`)
      expect(answer.status, open).toBe(400)
    }
    const cut = await post('['.repeat(100_000))
    expect([cut.status, cut.code]).toEqual([400, 'invalid_json'])
  })
})

describe('a JSON body that is not an object', () => {
  it.each(['[]', '"x"', '1', 'true', '[{}]'])('%s is 400 invalid_parameter', async (body) => {
    const answer = await post(body)
    expect([answer.status, answer.code], answer.text).toEqual([400, 'invalid_parameter'])
  })

  it.each(['', 'null', '{}'])('%j is 400 missing_input', async (body) => {
    const answer = await post(body)
    expect([answer.status, answer.code], answer.text).toEqual([400, 'missing_input'])
  })

  it('an empty body is 400 missing_input', async () => {
    const answer = await post('', {})
    expect([answer.status, answer.code], answer.text).toEqual([400, 'missing_input'])
  })
})

describe('a body of another media type', () => {
  it.each([
    'text/plain',
    'text/json',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/x-ndjson',
    'application/jsonx',
    'json',
    '*/*',
    ';',
    'application/json application/json',
  ])('%s is 415', async (type) => {
    const answer = await post(VALID, { 'Content-Type': type })
    expect([answer.status, answer.code]).toEqual([415, 'unsupported_media_type'])
  })

  it('without a media type is 415', async () => {
    const answer = await post(VALID, {})
    expect([answer.status, answer.code]).toEqual([415, 'unsupported_media_type'])
  })

  it.each(['gzip', 'br', 'deflate', 'zstd', 'x-unknown', 'identity, gzip'])(
    'compressed as %s is 415',
    async (encoding) => {
      const answer = await post(gzipSync(VALID), {
        'Content-Type': 'application/json',
        'Content-Encoding': encoding,
      })
      expect([answer.status, answer.code]).toEqual([415, 'unsupported_media_type'])
    },
  )

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    '%s is accepted as JSON',
    async (type) => {
      expect((await post(VALID, { 'Content-Type': type })).status).toBe(200)
    },
  )

  it('with Content-Encoding: identity is not compressed', async () => {
    const answer = await post(VALID, { 'Content-Type': 'application/json', 'Content-Encoding': 'identity' })
    expect(answer.status).toBe(200)
  })
})

describe('a body of 1 MiB', () => {
  const padded = (bytes: number) => VALID + ' '.repeat(bytes - VALID.length)

  it('is accepted at exactly that size', async () => {
    expect((await post(padded(MIB))).status).toBe(200)
  })

  it('plus one byte is 413', async () => {
    const answer = await post(padded(MIB + 1))
    expect([answer.status, answer.code]).toEqual([413, 'payload_too_large'])
  })

  it('plus one byte is 413 also in chunks, without an announced length', async () => {
    const body = padded(MIB + 1)
    const answer = await exchangeOne(
      server.port,
      [
        head('POST', '/v1/search', {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          'Transfer-Encoding': 'chunked',
        }),
        `${body.length.toString(16)}\r\n${body}\r\n`,
        '0\r\n\r\n',
      ],
      { method: 'POST', url: '/v1/search' },
    )
    expect([answer.status, answer.code]).toEqual([413, 'payload_too_large'])
  })

  it('times twenty is refused before it is read', async () => {
    const answer = await exchangeOne(
      server.port,
      [
        head('POST', '/v1/search', {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          'Content-Length': String(20 * MIB),
        }),
      ],
      { method: 'POST', url: '/v1/search' },
    )
    expect([answer.status, answer.code]).toEqual([413, 'payload_too_large'])
  })
})

describe('a hostile body', () => {
  it.each([
    `{"__proto__":{"filters":{"bbox":${BOX}}}}`,
    `{"filters":{"__proto__":{"bbox":${BOX}}}}`,
    `{"filters":{"bbox":${BOX},"__proto__":{"hasPool":true}}}`,
    `{"constructor":{"prototype":{"filters":{}}}}`,
  ])('%s is refused and changes no prototype of the process', async (body) => {
    const answer = await post(body)
    expect(answer.status, answer.text).toBe(400)
    expect(({} as Record<string, unknown>).filters).toBeUndefined()
    expect(({} as Record<string, unknown>).bbox).toBeUndefined()
    expect(({} as Record<string, unknown>).hasPool).toBeUndefined()
  })

  it.each([
    '{"filters":{"bbox":{"west":1e999,"south":1,"east":2,"north":2}}}',
    `{"filters":{"bbox":${BOX},"price":{"min":1e400}}}`,
    `{"filters":{"bbox":${BOX},"homeTypes":["constructor"]}}`,
    `{"filters":{"bbox":${BOX},"status":"toString"}}`,
    `{"filters":{"bbox":${BOX},"daysOnSite":"hasOwnProperty"}}`,
    `{"filters":{"bbox":${BOX},"location":"${'x'.repeat(201)}"}}`,
  ])('%s is 400 invalid_filters', async (body) => {
    const answer = await post(body)
    expect([answer.status, answer.code], answer.text).toEqual([400, 'invalid_filters'])
  })

  it('with a repeated name uses the last value, as JSON parsers do', async () => {
    const answer = await post(`{"filters":{"bbox":1},"filters":{"bbox":${BOX}}}`)
    expect(answer.status).toBe(200)
  })

  it('with unknown fields is accepted', async () => {
    const answer = await post(`{"filters":{"bbox":${BOX},"colour":"blue"},"toString":1,"note":null}`)
    expect(answer.status).toBe(200)
  })

  it('is not read before the key is checked', async () => {
    const answer = await exchangeOne(
      server.port,
      [
        head('POST', '/v1/search', {
          'Content-Type': 'application/json',
          'Content-Length': '1000',
          Connection: 'close',
        }),
      ],
      { method: 'POST', url: '/v1/search' },
    )
    expect([answer.status, answer.code]).toEqual([401, 'missing_api_key'])
  })
})
