// Faults of a provider, on demand.

import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProviderResponse } from './answers.ts'

export type Fault =
  /** A correct but late response. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** No response on an open connection. */
  | { readonly kind: 'hang' }
  /** Headers and half of the body, then nothing. */
  | { readonly kind: 'stall' }
  /** Resets the connection. */
  | { readonly kind: 'reset' }
  /** Closes the connection in the middle of the body. */
  | { readonly kind: 'truncate' }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  /** 200 with a web page. */
  | { readonly kind: 'html' }
  /** 200 with the right body under another content type. */
  | { readonly kind: 'content-type'; readonly type: string }
  /** 200 with JSON that ends too early, under the right length. */
  | { readonly kind: 'malformed' }
  /** A response that is too large for any client. */
  | { readonly kind: 'huge' }
  /** Invalidates every second record of a list, and each single record. */
  | { readonly kind: 'bad-rows' }
  /** Invalidates every record. */
  | { readonly kind: 'all-bad' }
  /** Takes the position from every second record of a list, the first included. */
  | { readonly kind: 'unplaced' }
  /** Puts a record of another home in the place of a single one. */
  | { readonly kind: 'other-home' }

/** Text in a provider's response that only the operator may see. */
export const PROVIDER_WORDS = 'stack trace of db-7.provider.internal'

const HUGE = Buffer.alloc(40 * 1024 * 1024, ' ')

/** Sends the response with the fault applied. */
export async function send(
  response: ServerResponse,
  answer: ProviderResponse,
  fault: Fault | undefined,
): Promise<void> {
  const right = JSON.stringify(answer.body)
  switch (fault?.kind) {
    case undefined:
      return reply(response, answer.status, right)
    case 'delay':
      await sleep(fault.ms)
      return reply(response, answer.status, right)
    case 'hang':
      return
    case 'stall':
    case 'truncate': {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': right.length + 1000 })
      response.write(right.slice(0, right.length / 2), () => fault.kind === 'truncate' && response.destroy())
      return
    }
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'status': {
      const headers = fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter }
      const error = { code: 'failure', message: PROVIDER_WORDS }
      return reply(response, fault.status, JSON.stringify({ error }), headers)
    }
    case 'html':
      return reply(response, 200, `<html><h1>${PROVIDER_WORDS}</h1></html>`, {
        'content-type': 'text/html; charset=utf-8',
      })
    case 'content-type':
      return reply(response, 200, right, { 'content-type': fault.type })
    case 'malformed':
      return reply(response, 200, `${right.slice(0, -1)}, "${PROVIDER_WORDS}`)
    case 'huge':
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(HUGE)
      return
    case 'bad-rows':
      return reply(response, answer.status, JSON.stringify(spoil(answer.body, 2)))
    case 'all-bad':
      return reply(response, answer.status, JSON.stringify(spoil(answer.body, 1)))
    case 'unplaced':
      return reply(response, answer.status, JSON.stringify(spoil(answer.body, 2, unplaced)))
    case 'other-home':
      return reply(response, answer.status, JSON.stringify({ ...answer.body, property: { zpid: '1' } }))
  }
}

function reply(response: ServerResponse, status: number, body: string, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
}

function spoil(body: object, each: number, make = bad): object {
  const spoiled: Record<string, unknown> = { ...body }
  for (const [name, value] of Object.entries(body)) {
    if (Array.isArray(value)) spoiled[name] = value.map((row, at) => (at % each === 0 ? make(row) : row))
    if (name === 'property') spoiled[name] = make(value)
  }
  return spoiled
}

function bad(row: object): object {
  return { ...row, price: PROVIDER_WORDS }
}

function unplaced(row: object): object {
  return { ...row, latitude: null, longitude: null }
}
