// A service on loopback that answers as a test tells it to: real HTTP, real sockets, scripted answers.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { SendTools } from '../src/core/send.ts'

export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Answers a request, or does not. */
export type Responder = (response: ServerResponse, asked: ReceivedRequest) => void

export interface Loopback {
  readonly url: string
  /** Every request that came, in order. */
  readonly asked: ReceivedRequest[]
  /** It ends with the test, or here. */
  close(): Promise<unknown>
}

/** Gives the answers one after the other, and the last one from then on. It ends with the test. */
export async function startLoopback(...answers: Responder[]): Promise<Loopback> {
  const asked: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const one = { method, url, headers, body: Buffer.concat(parts).toString() }
      asked.push(one)
      answers[Math.min(asked.length, answers.length) - 1]!(response, one)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    return new Promise((closed) => server.close(closed))
  }
  onTestFinished(async () => void (await close()))
  return { url: `http://127.0.0.1:${port}`, asked, close }
}

export const RECEIPT = { 'x-request-id': 'req_1', 'x-credits-charged': '0', 'x-credits-remaining': '41' }

export function success(body: object = { data: {} }, headers: Record<string, string> = {}): Responder {
  return (response) => json(response, 200, { ...body, request_id: 'req_1' }, headers)
}

export function accepted(jobId: string, headers: Record<string, string> = {}): Responder {
  return (response) =>
    json(response, 202, { data: { job_id: jobId, status: 'queued' }, request_id: 'req_1' }, headers)
}

export function refusal(status: number, code: string, headers: Record<string, string> = {}): Responder {
  const error = { code, message: 'It was refused.', doc_url: `/docs/errors#${code}`, request_id: 'req_1' }
  return (response) => json(response, status, { error }, headers)
}

/** The connection breaks before a byte of an answer. */
export const hangUp: Responder = (response) => response.socket?.destroy()

/** The connection breaks in the middle of the body. */
export const breakOffResponse: Responder = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000, ...RECEIPT })
  response.write('{"data":{', () => response.socket?.destroy())
}

export const sendNothing: Responder = () => {}

function json(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...RECEIPT, ...headers })
  response.end(JSON.stringify(body))
}

/** Tools that note each wait instead of waiting, with the longest jitter there is. */
export function impatient(waitsMs: number[], random = 1): Omit<SendTools, 'fetch'> {
  return {
    random: () => random,
    async pause(ms, signal) {
      signal?.throwIfAborted()
      waitsMs.push(ms)
    },
  }
}
