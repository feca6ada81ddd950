// A proxy that breaks calls as their header `x-fault-plan` says: `<call>;<fault of the first attempt>,<of the second> …`. It
// passes everything else on, and records what the service did: how often it executed a call, and what it charged.

import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What can happen to an attempt. The first three have a response, which is not that of the service. */
export const FAULTS = {
  'rate limit': 'a 429 with Retry-After',
  unavailable: 'a 503 that charged nothing',
  'bad gateway': 'a 502 without a receipt, from something between client and service',
  'lost before': 'the connection is reset when the request has arrived, and the service does not get it',
  'lost after execution': 'the connection is reset when the service has executed the call',
  'lost in the headers': 'the connection ends within the headers of the response',
  'lost in the body': 'the connection ends in the middle of the body',
} as const
export type FaultKind = keyof typeof FAULTS

/** What became of a call with all its attempts. */
export interface CallTrace {
  /** Requests that arrived. A call that starts a job and reads its rows has several. */
  attempts: number
  /** Those that the service executed and charged. */
  charges: number
  /** Credits. */
  charged: number
}

export interface FaultProxy {
  readonly url: string
  /** By the name of the call in `x-fault-plan`. */
  readonly seen: ReadonlyMap<string, CallTrace>
  close(): Promise<void>
}

/** @param onRequest called with `GET /v1/me` and the like before the request is passed on */
export async function startFaultProxy(
  target: string,
  onRequest: (request: string) => Promise<void> = async () => {},
): Promise<FaultProxy> {
  const { hostname, port } = new URL(target)
  const seen = new Map<string, CallTrace>()
  const attempts = new Map<string, number>()

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request
    const { 'x-fault-plan': plan = '', connection: _, ...passed } = headers
    const [name = '', faults = ''] = String(plan).split(';')
    const path = `${method} ${url.split('?', 1)[0]}`
    const attempt = attempts.get(`${name} ${path}`) ?? 0
    attempts.set(`${name} ${path}`, attempt + 1)
    const call = seen.get(name) ?? { attempts: 0, charges: 0, charged: 0 }
    seen.set(name, call)
    call.attempts++
    const fault = faults.split(',')[attempt] as FaultKind | '' | undefined
    const body = await buffer(request)
    if (fault === 'lost before') return void request.socket.resetAndDestroy()
    if (fault === 'rate limit') return refuse(response, 429, 'rate_limited')
    if (fault === 'unavailable') return refuse(response, 503, 'service_unavailable')
    if (fault === 'bad gateway') {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>')
      return
    }
    await onRequest(path)
    const answer = await pass({ hostname, port, method, path: url, headers: passed }, body)
    const charged = Number(answer.headers['x-credits-charged'] ?? 0)
    call.charged += charged
    if (charged > 0) call.charges++
    const { socket } = request
    if (fault === 'lost after execution') return void socket.resetAndDestroy()
    if (fault === 'lost in the headers') {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: appl', () => socket.destroy())
      return
    }
    const { connection: __, 'transfer-encoding': ___, ...answered } = answer.headers
    response.writeHead(answer.status, { ...answered, 'content-length': answer.body.length })
    if (fault !== 'lost in the body') response.end(answer.body)
    else response.write(answer.body.subarray(0, answer.body.length / 2), () => socket.destroy())
  }

  // As much as the service itself takes: it must see what is too long.
  const server = createServer({ maxHeaderSize: 1 << 20 }, (request, response) => {
    // A client that leaves is part of these tests.
    handle(request, response).catch(() => request.socket.destroy())
  })
  // A connection that ends because it was idle would be a fault that the test did not ask for.
  server.keepAliveTimeout = 0
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

interface Target {
  readonly hostname: string
  readonly port: string
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
}

function pass(target: Target, body: Buffer) {
  return new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>(
    (resolve, reject) => {
      const outgoing = send({ ...target, agent: false }, (answer) => {
        buffer(answer).then(
          (content) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: content }),
          reject,
        )
      })
      outgoing.once('error', reject)
      outgoing.end(body)
    },
  )
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const error = {
    code,
    message: 'A fault of the test.',
    doc_url: `/docs/errors#${code}`,
    request_id: 'req_f',
  }
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'retry-after': '2',
      'x-request-id': 'req_f',
      'x-credits-charged': '0',
      'x-credits-remaining': '0',
    })
    .end(JSON.stringify({ error }))
}
