// What the published nginx file promises, with a real nginx: a rolling restart loses no call, no call is repeated that may
// have been charged, and errors that nginx answers itself look like ours.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorDocUrl, openapi } from '@lotline/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { expectBooksToBalance, expectSightingsInBooks } from '../../crash/books.ts'
import type { Sighting } from '../../crash/clients.ts'
import { findFreePort, startStore, storeProgram } from '../../infrastructure/processes/store-process.ts'
import { startHeldProvider } from '../../process/start/held-provider.ts'
import { startServer } from '../../process/start/server-process.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { nginxProgram, startNginx } from './nginx-process.ts'

const testDatabase = withTestDatabase()
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')
const ROUNDS = process.env.LOTLINE_FULL === '1' ? 10 : 1

const ajv = new Ajv2020({ strict: false })
;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
const isErrorBody = ajv.compile({ ...openapi.components.schemas!.Error!, components: openapi.components })

describe.skipIf(!nginxProgram || !storeProgram)('a rolling restart behind nginx', () => {
  it('loses no call and charges each once, while processes are stopped one after the other by SIGTERM', {
    timeout: 240_000,
  }, async () => {
    const store = await startStore()
    onTestFinished(() => store.close())
    const provider = await startHeldProvider()
    provider.release()
    const start = (port: number) =>
      startServer({
        DATABASE_URL: testDatabase.url,
        VALKEY_URL: store.url,
        ROLE: 'api',
        SAMPLE_DATA: 'off',
        SECRETS_KEY,
        PORT: String(port),
        ...provider.env,
      })
    const ports = [await findFreePort(), await findFreePort()]
    const servers = await Promise.all(ports.map(start))
    const url = await startNginx(ports)
    const keys = await Promise.all(
      Array.from({ length: 6 }, () =>
        openAccount(testDatabase.database, { plan: 'custom', credits: 100_000, ratePerMinute: 100_000 }),
      ),
    )

    const seen: Sighting[] = []
    const lost: string[] = []
    let isOver = false
    const clients = keys.map(async ({ key }, at) => {
      for (let call = 0; !isOver; call++) {
        const zpid = 1 + ((call * keys.length + at) % 50)
        // Every third call has a body, which nginx has to keep in order to send it to the other process.
        const post =
          call % 3 === 0 ? { method: 'POST', body: JSON.stringify({ url: 'http://example.com/x' }) } : {}
        const path = call % 3 === 0 ? '/v1/webhooks' : `/v1/properties/${zpid}`
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
        try {
          const response = await fetch(url + path, { ...post, headers })
          const body = await response.text()
          if (response.status !== (call % 3 === 0 ? 400 : 200)) lost.push(`${response.status} ${body}`)
          const charged = Number(response.headers.get('x-credits-charged'))
          seen.push({ status: response.status, requestId: response.headers.get('x-request-id')!, charged })
        } catch (error) {
          lost.push(String((error as Error).cause ?? error))
        }
        // Below the limit of one address.
        await sleep(60)
      }
    })
    const untilMore = async (count: number) => {
      for (const goal = seen.length + count; seen.length < goal; await sleep(5)) expect(lost).toEqual([])
    }
    await untilMore(60)
    for (let round = 0; round < ROUNDS; round++) {
      for (const [at, port] of ports.entries()) {
        servers[at]!.kill('SIGTERM')
        await servers[at]!.line(/"stopping"/)
        expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(503)
        expect(await servers[at]!.exited).toEqual({ code: 0, signal: null })
        await untilMore(30)
        servers[at] = await start(port)
        await untilMore(60)
      }
    }
    isOver = true
    await Promise.all(clients)
    expect(lost).toEqual([])
    await expectSightingsInBooks(testDatabase.database, seen)
    await expectBooksToBalance(testDatabase.database)
  })
})

describe.skipIf(!nginxProgram)('nginx in front of Lotline', () => {
  /** A process that accepts connections and handles each request as a test says. */
  async function startUpstream(answer: (socket: Socket) => void): Promise<{ port: number; asked: string[] }> {
    const asked: string[] = []
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', (bytes) => {
        asked.push(String(bytes))
        answer(socket)
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    return { port: (server.address() as AddressInfo).port, asked }
  }

  /** The response to bytes that nginx does not read to their end, which fetch cannot always send. */
  async function sendRaw(url: string, text: string): Promise<Response> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let received = ''
    socket.on('data', (bytes) => (received += bytes))
    socket.on('error', () => {})
    socket.write(text)
    await new Promise((closed) => socket.once('close', closed))
    const [head, body] = received.split('\r\n\r\n')
    const [status, ...fields] = head!.split('\r\n')
    return new Response(body, {
      status: Number(status!.split(' ')[1]),
      headers: fields.map((field) => field.split(': ') as [string, string]),
    })
  }

  async function expectEnvelope(response: Response, status: number, code: string) {
    const body = (await response.json()) as { error: { code: string; doc_url: string; details?: object } }
    expect(isErrorBody(body), ajv.errorsText(isErrorBody.errors)).toBe(true)
    expect([response.status, body.error.code]).toEqual([status, code])
    expect(body.error.doc_url).toBe(errorDocUrl(code as Parameters<typeof errorDocUrl>[0]))
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(response.headers.get('x-request-id')).toBe(
      (body.error as unknown as { request_id: string }).request_id,
    )
    return body.error
  }

  it('does not resend an interrupted call to another process, and reports the charge as unknown', async () => {
    const first = await startUpstream((socket) => socket.destroy())
    const second = await startUpstream((socket) => socket.destroy())
    const url = await startNginx([first.port, second.port])
    const response = await fetch(`${url}/v1/properties/1`)
    const { details } = await expectEnvelope(response, 503, 'service_unavailable')
    expect(details).toEqual({ charge: 'unknown' })
    expect(response.headers.get('x-credits-charged')).toBeNull()
    expect(first.asked.length + second.asked.length).toBe(1)
  })

  it('reports that nothing was charged if no process accepts the call', async () => {
    const url = await startNginx([await findFreePort(), await findFreePort()])
    const response = await fetch(`${url}/v1/search`, { method: 'POST', body: '{}' })
    const { details } = await expectEnvelope(response, 503, 'service_unavailable')
    expect(details).toBeUndefined()
    expect(response.headers.get('x-credits-charged')).toBe('0')
    expect(response.headers.get('retry-after')).toBe('2')
  })

  it("answers its own errors with the envelope, and passes the service's errors on unchanged", async () => {
    const body = '{"error":"as it was"}'
    const upstream = await startUpstream((socket) =>
      socket.end(`HTTP/1.1 502 Bad Gateway\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    )
    const url = await startNginx([upstream.port])
    const passed = await fetch(`${url}/v1/properties/1`)
    expect([passed.status, await passed.text()]).toEqual([502, body])
    await expectEnvelope(await fetch(`${url}/metrics`), 404, 'not_found')
    await expectEnvelope(await fetch(`${url}/lotline-errors/503`), 404, 'not_found')
    await expectEnvelope(
      await sendRaw(
        url,
        'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3000000\r\n\r\n',
      ),
      413,
      'payload_too_large',
    )
    await expectEnvelope(
      await sendRaw(url, `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`),
      414,
      'uri_too_long',
    )
    await expectEnvelope(
      await sendRaw(url, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`),
      431,
      'headers_too_large',
    )
    await expectEnvelope(await fetch(`${url}/%ZZ`), 400, 'invalid_parameter')
    const many = await Promise.all(Array.from({ length: 700 }, () => fetch(`${url}/healthz`)))
    const limited = many.find(({ status }) => status === 429)
    expect(limited?.headers.get('retry-after')).toBe('1')
    await expectEnvelope(limited!, 429, 'rate_limited')
  })
})
