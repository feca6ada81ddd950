// A webhook receiver on loopback: a real HTTP or HTTPS server that stores requests and responds as the test requires.

import {
  createServer as createHttp,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

export interface ReceivedEvent {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The raw body. */
  readonly body: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape other tests have judged
  readonly json: any
}

export type ReceiverAnswer = (response: ServerResponse, event: ReceivedEvent, count: number) => void

export interface Receiver {
  readonly url: string
  readonly port: number
  readonly events: readonly ReceivedEvent[]
  /** Accepted connections. */
  readonly connections: number
  /** Sets the response to later requests. */
  answer: ReceiverAnswer
  /** Resolves when `count` requests have arrived; rejects after a long timeout. */
  until(count: number): Promise<void>
}

export interface ReceiverOptions {
  /** Certificate and key in PEM for TLS. */
  readonly tls?: { readonly cert: string; readonly key: string }
  readonly host?: string
}

/** Returns 204 by default, and stops with the test. */
export async function startReceiver(
  answer: ReceiverAnswer = ok,
  options: ReceiverOptions = {},
): Promise<Receiver> {
  const { tls, host = '127.0.0.1' } = options
  const events: ReceivedEvent[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server: Server = tls ? createHttps(tls) : createHttp()
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const event = { path: request.url!, headers: request.headers, body, json: body && JSON.parse(body) }
      events.push(event)
      receiver.answer(response, event, events.length)
    })
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((listening) => server.listen(0, host, listening))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((closed) => server.close(closed))
  })
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    events,
    get connections() {
      return connections
    },
    answer,
    until: (count) => until(() => events.length >= count, `${count} requests`),
  }
  return receiver
}

export function ok(response: ServerResponse): void {
  response.writeHead(204).end()
}

/** Waits until the condition holds. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what = 'it',
  boundMs = 20_000,
): Promise<void> {
  const end = performance.now() + boundMs
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`Waited ${boundMs} ms for ${what}.`)
    await sleep(5)
  }
}
