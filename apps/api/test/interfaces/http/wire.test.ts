// Errors that the HTTP parser detects: framing, sizes, timeouts. Each gets a response in the envelope, the connection is closed, and no
// account is charged or counted.

import { beforeAll, describe, expect, it } from 'vitest'
import { httpLimits } from '../../../src/interfaces/http/http-limits.ts'
import { exchange, exchangeOne, head, UNTIL_ANSWERED } from '../../setup/raw-http.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)

let key = ''
let auth: Readonly<Record<string, string>> = {}
beforeAll(async () => {
  key = (await server.openAccount()).key
  auth = { Authorization: `Bearer ${key}` }
})

async function countUsage(): Promise<number> {
  const { rows } = await testDatabase.database.query<{ count: number }>('select count(*) from usage_rows')
  return rows[0]!.count
}

const ME = { method: 'GET', url: '/v1/me' }
const SEARCH = { method: 'POST', url: '/v1/search' }

describe('bytes that are not HTTP', () => {
  it.each([
    ['words', 'hello\r\n\r\n'],
    ['a TLS handshake', Buffer.from('160301020001000001fc0303', 'hex')],
    ['another protocol version', 'GET /v1/me HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', 'FOO /v1/me HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a method in small letters', 'get /v1/me HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a space in the path', 'GET /v1/m e HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a colon', 'GET /v1/me HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n'],
    ['a space before the colon', 'GET /v1/me HTTP/1.1\r\nHost: x\r\nX : y\r\n\r\n'],
    ['a folded header', 'GET /v1/me HTTP/1.1\r\nHost: x\r\nX: y\r\n z\r\n\r\n'],
    ['a zero byte in a header', 'GET /v1/me HTTP/1.1\r\nHost: x\r\nX: \u0000\r\n\r\n'],
    ['a length that is no number', 'POST /v1/search HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n'],
    ['a negative length', 'POST /v1/search HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
    ['two lengths', 'POST /v1/search HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    [
      'a length and chunks',
      'POST /v1/search HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    [
      'chunked, but not last',
      'POST /v1/search HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, gzip\r\n\r\n',
    ],
    ['two Hosts', 'GET /v1/me HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n'],
    ['no Host', 'GET /v1/me HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('%s: 400 in the envelope, and the connection is closed', async (_what, bytes) => {
    const before = await countUsage()
    const [answer, ...more] = await exchange(server.port, [bytes])
    expect(more).toEqual([])
    expect([answer?.status, answer?.code], answer?.text).toEqual([400, 'invalid_parameter'])
    expect(answer?.headers.get('connection')).toBe('close')
    const { error } = JSON.parse(answer!.text)
    expect(error.request_id).toBe(answer?.headers.get('x-request-id'))
    expect(error.request_id).toMatch(/^req_[0-9A-Z]{26}$/)
    expect(error.message).toMatch(/^The request is not valid HTTP/)
    expect(await countUsage()).toBe(before)
  })

  it('get 400 in the envelope after a valid request on the same connection, which is then closed', async () => {
    const answers = await exchange(server.port, [
      head('GET', '/v1/me', auth),
      UNTIL_ANSWERED,
      'garbage\r\n\r\n',
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 400])
    expect(answers[1]?.code).toBe('invalid_parameter')
  })

  it('get an envelope when sent together with a valid request', async () => {
    const answers = await exchange(server.port, [`${head('GET', '/v1/me', auth)}garbage\r\n\r\n`])
    expect([200, 400]).toContain(answers[0]?.status)
    expect(answers.at(-1)?.code).toBe('invalid_parameter')
  })

  it('in the chunks of a body get 400 in the envelope', async () => {
    const sent = [
      head('POST', '/v1/search', {
        ...auth,
        'Content-Type': 'application/json',
        'Transfer-Encoding': 'chunked',
      }),
      'zz\r\n',
    ]
    const [answer] = await exchange(server.port, sent)
    expect([answer?.status, answer?.code]).toEqual([400, 'invalid_parameter'])
  })
})

describe('two pipelined requests on one connection', () => {
  it('are answered in order', async () => {
    const answers = await exchange(server.port, [
      head('GET', '/v1/me', auth) + head('GET', '/v1/nope', { ...auth, Connection: 'close' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 404])
  })
})

describe('a request line or headers that are too large', () => {
  const long = (bytes: number) =>
    head('GET', `/v1/me?x=${'x'.repeat(bytes)}`, { ...auth, Connection: 'close' })
  const wide = (bytes: number) =>
    head('GET', '/v1/me', { ...auth, Connection: 'close', 'X-Wide': 'x'.repeat(bytes) })
  const inPieces = (text: string, bytes: number) =>
    Array.from({ length: Math.ceil(text.length / bytes) }, (_, at) => [
      text.slice(at * bytes, (at + 1) * bytes),
      2,
    ]).flat()

  it.each([
    ['a URL of 13,000 bytes', () => [long(13_000)], 414],
    ['a URL of 20,000 bytes', () => [long(20_000)], 414],
    ['a URL of 20,000 bytes in packets', () => inPieces(long(20_000), 1460), 414],
    ['a URL of 100,000 bytes', () => [long(100_000)], 414],
    ['a URL of a million bytes', () => [long(1_000_000)], 414],
    ['a header of 17,000 bytes', () => [wide(17_000)], 431],
    ['a header of 30,000 bytes in packets', () => inPieces(wide(30_000), 1460), 431],
    ['many small headers', () => [head('GET', '/v1/me', manyHeaders(1000))], 431],
  ])('%s', async (_what, pieces, status) => {
    const before = await countUsage()
    const answer = await exchangeOne(server.port, pieces(), ME)
    expect([answer.status, answer.code]).toEqual([
      status,
      status === 414 ? 'uri_too_long' : 'headers_too_large',
    ])
    expect(await countUsage()).toBe(before)
  })

  it("far beyond the parser's limit are answered, and the connection is closed", async () => {
    // Which of the two depends on the pieces that the network makes of it.
    const answer = await exchangeOne(server.port, [wide(1_000_000)], ME)
    expect([414, 431]).toContain(answer.status)
  })

  it('are refused before the key is checked', async () => {
    const answer = await exchangeOne(
      server.port,
      [head('GET', `/v1/me?x=${'x'.repeat(13_000)}`, { Connection: 'close' })],
      ME,
    )
    expect(answer.status).toBe(414)
  })

  it.each([
    ['a URL of 12,000 bytes', () => long(12_000)],
    ['headers of 15,000 bytes', () => wide(15_000)],
  ])('%s are accepted', async (_what, request) => {
    expect((await exchangeOne(server.port, [request()], ME)).status).toBe(200)
  })

  function manyHeaders(count: number): Record<string, string> {
    return {
      ...auth,
      Connection: 'close',
      ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`X-${at}`, 'some value'])),
    }
  }
})

describe('a sender that is too slow', () => {
  const hurried = withTestServer(testDatabase, {
    limits: {
      requestTimeout: 300,
      http: { ...httpLimits.http, headersTimeout: 200, connectionsCheckingInterval: 25 },
    },
  })

  it('gets 408 for its headers, and the connection is closed', async () => {
    const before = await countUsage()
    const sent = `GET /v1/me HTTP/1.1\r\nAuthorization: Bearer ${key}\r\n`
    const [answer] = await exchange(hurried.port, [sent])
    expect([answer?.status, answer?.code]).toEqual([408, 'request_timeout'])
    expect(await countUsage()).toBe(before)
  })

  it('gets 408 for its body, the connection is closed, and nothing is charged', async () => {
    const account = await hurried.openAccount()
    const request = head('POST', '/v1/search', {
      Authorization: `Bearer ${account.key}`,
      'Content-Type': 'application/json',
      'Content-Length': '100',
    })
    const answer = await exchangeOne(hurried.port, [request, '{"filters":'], SEARCH)
    expect([answer.status, answer.code]).toEqual([408, 'request_timeout'])
    const me = await hurried.get('/v1/me', { key: account.key })
    expect(me.json.data.credits.balance).toBe(10_000)
  })

  it('also gets 408 if it sends byte by byte', async () => {
    const drip = Array.from({ length: 60 }, () => ['x', 10]).flat()
    const [answer] = await exchange(hurried.port, ['GET /v1/me HTTP/1.1\r\nX: ', ...drip])
    expect([answer?.status, answer?.code]).toEqual([408, 'request_timeout'])
  })
})

describe('rarely used features of HTTP', () => {
  const close = { Connection: 'close' }

  it('HTTP/1.0 is served', async () => {
    const [answer] = await exchange(server.port, [
      `GET /v1/me HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    ])
    expect(answer?.status).toBe(200)
  })

  it('100-continue gets an interim response, then the call is answered', async () => {
    const answers = await exchange(server.port, [
      head('POST', '/v1/search', {
        ...auth,
        ...close,
        'Content-Type': 'application/json',
        'Content-Length': '2',
        Expect: '100-continue',
      }),
      '{}',
    ])
    expect(answers.map(({ status }) => status)).toEqual([100, 400])
    expect(answers[1]?.code).toBe('missing_input')
  })

  it('100-continue without a key is refused before a body is sent', async () => {
    const answers = await exchange(server.port, [
      head('POST', '/v1/search', { ...close, 'Content-Length': '1000', Expect: '100-continue' }),
    ])
    expect(answers.at(-1)?.status).toBe(401)
  })

  it('an unknown expectation is ignored', async () => {
    const answer = await exchangeOne(
      server.port,
      [head('GET', '/v1/me', { ...auth, ...close, Expect: 'cake' })],
      ME,
    )
    expect(answer.status).toBe(200)
  })

  it('an upgrade is ignored', async () => {
    const headers = { ...auth, Connection: 'Upgrade, close', Upgrade: 'websocket' }
    const answer = await exchangeOne(server.port, [head('GET', '/v1/me', headers)], ME)
    expect(answer.status).toBe(200)
  })

  it('CONNECT is closed without a response', async () => {
    expect(await exchange(server.port, ['CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n'])).toEqual([])
  })

  it('a GET with a body is served, and the body is ignored', async () => {
    const answer = await exchangeOne(
      server.port,
      [head('GET', '/v1/me', { ...auth, ...close, 'Content-Length': '5' }), 'hello'],
      ME,
    )
    expect(answer.status).toBe(200)
  })

  it('a body of DELETE is ignored, whatever its type', async () => {
    const url = '/v1/webhooks/2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47'
    for (const [type, body] of [
      ['text/plain', '{'],
      ['application/json', '{'],
      ['application/json', ''],
    ] as const) {
      const headers = { 'Content-Type': type, 'Content-Length': String(body.length) }
      const sent = [head('DELETE', url, { ...auth, ...close, ...headers }), body]
      const answer = await exchangeOne(server.port, sent, { method: 'DELETE', url })
      expect([204, 404, 501], type).toContain(answer.status)
    }
  })
})
