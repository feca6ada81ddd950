// Refuses calls without a valid key from an address that guesses keys, or from any address during an attack from many. It answers
// before the server parses the request, for a quarter of the work. The rules are the engine's (engine/authenticate.ts) and
// so is the answer, to the byte. Such calls are counted and not logged; one line per minute reports them. Calls
// that cannot be decided here are handled as usual.
//
// A key that exists is never refused, so a key from such an address is looked up, unless this process knows that it works. The keys of
// 20 ms are looked up together: a flood of them is a few dozen small queries a second, however many they are.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { App } from '../app.ts'
import { type Guessed, refuseGuess } from '../engine/authenticate.ts'
import { createRequestId } from '../engine/call.ts'
import { problemOf } from '../engine/problem.ts'
import { refusalHeaders } from '../engine/response.ts'
import { isRefusal, type Refusal, refuseFor } from '../platform/refusal.ts'
import { HEADER_LIMIT_BYTES, URL_LIMIT_BYTES } from './http-limits.ts'
import { crossOriginHeaders, STANDARD_HEADERS } from './standard-headers.ts'

const LOG_EVERY_MS = 60_000
const LOOK_UP_EVERY_MS = 20
/** As the router sees it, which decodes paths; and as a proxy may write it, with the origin. */
const UNDER_V1 = /^(?:https?:\/\/[^/?#]*)?\/(?:v|%76)(?:1|%31)(?:[/?]|$)/i
/** A placeholder for the request id in a prepared body, of the same length. */
const NO_ID = `req_${'_'.repeat(26)}`

/** A refusal without the parts that depend on the request. */
interface Prepared {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly beforeId: string
  readonly afterId: string
}

/** Answers a request that is such a guess and returns true; leaves any other untouched. A promise: the key is being looked up. */
export function guessRefuser(
  app: App,
): (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean> {
  const addressOf = sourceAddressReader(app.config.trustedProxies)
  const originHeaders = crossOriginHeaders(app.config.corsOrigins)
  const note = noteGuesses(app.log)
  const preparedOf = preparing()
  const find = lookUpTogether(app)

  return (request, response) => {
    const url = request.url!
    if (!UNDER_V1.test(url) || request.method === 'OPTIONS' || app.stopping) return false
    // It has its own response for every client.
    if (refuseHead({ originalUrl: url, raw: request })) return false
    const from = performance.now()
    const decided = refuseGuess(app, request.headers.authorization, addressOf(request), find)
    if (!(decided instanceof Promise))
      return decided !== undefined && refuse(request, response, decided, from)
    return decided.then(
      (later) => later !== undefined && refuse(request, response, later, from),
      // The usual way says what is wrong, such as a database that cannot be reached.
      () => false,
    )
  }

  function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    decided: Refusal | Guessed,
    from: number,
  ): true {
    const [refusal, retryAfterS] = isRefusal(decided)
      ? [decided, undefined]
      : [decided.refusal, decided.retryAfterS]
    const { status, headers, beforeId, afterId } = preparedOf(refusal)
    const requestId = createRequestId()
    const head = [...headers, 'x-request-id', requestId, ...originHeaders(request.headers.origin)]
    if (retryAfterS !== undefined) head.push('x-credits-charged', '0', 'retry-after', String(retryAfterS))
    response.writeHead(status, head).end(beforeId + requestId + afterId)

    const { code } = refusal
    const { method } = request
    app.observer.requestOver({
      ...{ method: method!, route: undefined, status, code, admitted: false },
      ms: performance.now() - from,
    })
    if (retryAfterS !== undefined) app.observer.guessRefused()
    note()
    return true
  }
}

/** Keys that are asked for within `LOOK_UP_EVERY_MS` are looked up in the same turn of the event loop, and so by the same query. */
function lookUpTogether({ principals }: Pick<App, 'principals'>): App['principals']['find'] {
  let next: Promise<void> | undefined
  return async (keyHash) => {
    next ??= sleep(LOOK_UP_EVERY_MS).then(() => {
      next = undefined
    })
    await next
    return principals.find(keyHash)
  }
}

/** There are four of them. */
function preparing(): (refusal: Refusal) => Prepared {
  const prepared = new Map<Refusal, Prepared>()
  return (refusal) => {
    const known = prepared.get(refusal) ?? prepare(refusal)
    prepared.set(refusal, known)
    return known
  }
}

function prepare(refusal: Refusal): Prepared {
  const { status, body } = problemOf(refusal, NO_ID)
  const [beforeId, afterId] = body.split(NO_ID) as [string, string]
  const headers = {
    ...STANDARD_HEADERS,
    ...refusalHeaders(refusal, status),
    'content-length': String(Buffer.byteLength(body)),
  }
  return { status, headers: Object.entries(headers).flat(), beforeId, afterId }
}

/** Logs the first guess, and then at most one line per minute with their number. */
function noteGuesses(log: Logger): () => void {
  let notedAt = Number.NEGATIVE_INFINITY
  let calls = 0
  return () => {
    calls++
    const now = performance.now()
    if (now - notedAt < LOG_EVERY_MS) return
    log.warn({ calls }, 'calls without a valid key are refused at once: too many of them')
    notedAt = now
    calls = 0
  }
}

// The address that a request comes from, for limits by address. X-Forwarded-For is believed only as far as proxies that
// the operator named (TRUSTED_PROXIES) have written it: other clients can send any address in it.

/** Addresses and networks, such as `10.0.0.0/8`. */
export type TrustedProxies = readonly string[]

/** The parts of a request that its address is read from. */
export interface Connected {
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly headers: IncomingHttpHeaders
}

/** Addresses whose reading is remembered: reading one takes microseconds, and an attacker sends from the same ones. */
const MAX_REMEMBERED = 10_000
/** Characters of the longest text that is an address (IPv6 with an IPv4 in it). */
const MAX_ADDRESS_LENGTH = 45

interface Hop {
  /** The address, or the network that counts as one. */
  readonly source: string
  readonly isTrusted: boolean
}

/**
 * Reads from the connection backwards: the last address that no trusted proxy has. IPv6 addresses are cut to their /64,
 * which is what one customer has.
 */
export function sourceAddressReader(trusted: TrustedProxies) {
  const networks = trusted.map((text) => networkOf(text)!)
  const remembered = new LRUCache<string, Hop>({ max: MAX_REMEMBERED })

  function hopOf(text: string): Hop | undefined {
    const known = remembered.get(text)
    if (known) return known
    const address = text.length > MAX_ADDRESS_LENGTH ? undefined : parse(text)
    if (!address) return undefined
    const isTrusted = networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits),
    )
    const source = address.kind() === 'ipv6' ? groupOf(address as ipaddr.IPv6) : address.toString()
    const hop = { source, isTrusted }
    remembered.set(text, hop)
    return hop
  }

  return function sourceAddress({ socket, headers }: Connected): string {
    let hop = hopOf(socket.remoteAddress ?? '')
    if (!hop?.isTrusted) return hop?.source ?? ''
    // Several headers of the name are one list.
    const hops = [headers['x-forwarded-for']].flat().join(',').split(',')
    while (hop.isTrusted) {
      const next = hopOf(hops.pop()?.trim() ?? '')
      if (!next) break
      hop = next
    }
    return hop.source
  }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The network that a text names: one address, or a range in CIDR notation. */
export function networkOf(text: string): [Address, number] | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  const address = ipaddr.isValid(text) ? ipaddr.process(text) : undefined
  return address && [address, address.kind() === 'ipv4' ? 32 : 128]
}

function parse(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined
}

function groupOf(address: ipaddr.IPv6): string {
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/** Judges the head of a request that the parser let through. */
export function refuseHead({
  originalUrl,
  raw,
}: Pick<FastifyRequest, 'originalUrl' | 'raw'>): Refusal | undefined {
  if (originalUrl.length > URL_LIMIT_BYTES)
    return refuseFor('uri_too_long', 'url', { bound: URL_LIMIT_BYTES })
  let bytes = originalUrl.length
  for (const text of raw.rawHeaders) bytes += text.length
  if (bytes > HEADER_LIMIT_BYTES) {
    return refuseFor('headers_too_large', 'headers', { bound: HEADER_LIMIT_BYTES })
  }
  // RFC 9112, section 3.2.
  if (raw.httpVersion === '1.1' && raw.headers.host === undefined) {
    return refuseFor('invalid_parameter', 'no_host', {})
  }
  // Also RFC 9112, section 3.2: a proxy and this server could each believe another one.
  if (countHosts(raw.rawHeaders) > 1) {
    return refuseFor('invalid_parameter', 'two_hosts', {})
  }
  return undefined
}

/** `rawHeaders`: names and values in turn. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts
}
