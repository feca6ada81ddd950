// A receiver of webhooks on loopback: a real HTTP or HTTPS server that keeps what it got and answers as it is told to,
// well or badly.

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
  /** As it came. */
  readonly body: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape other tests have judged
  readonly json: any
}

export type Answering = (response: ServerResponse, event: ReceivedEvent, count: number) => void

export interface Receiver {
  readonly url: string
  readonly port: number
  readonly events: readonly ReceivedEvent[]
  /** Connections that were made. */
  readonly connections: number
  /** Answers from now on. */
  answer: Answering
  /** Resolves when `count` requests have come; rejects when that takes far too long. */
  until(count: number): Promise<void>
}

export interface ReceiverOptions {
  /** Certificate and key in PEM: then it speaks TLS. */
  readonly tls?: { readonly cert: string; readonly key: string }
  readonly host?: string
}

/** Answers 204 unless it is told otherwise. It ends with the test. */
export async function startReceiver(
  answer: Answering = ok,
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

/** Waits until it is so. */
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
