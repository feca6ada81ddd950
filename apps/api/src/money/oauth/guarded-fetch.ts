// Fetches URLs that a client names: its metadata document or its keys. The rules are those for webhooks: https, only public
// addresses, dialing exactly the checked address, and no redirects. Compressed responses are refused.

import { LRUCache } from 'lru-cache'
import { Client } from 'undici'
import { connectDirectly, dial, type Network, parseWebhookUrl } from '../../infrastructure/net.ts'
import { isRefusal } from '../../infrastructure/refusals.ts'
import { createAddressLimit } from '../accounts/failed-keys.ts'

/** Maximum size of any response. The configuration of oidc-provider has a bound for each kind. */
const MAX_BYTES = 64 * 1024
/** Concurrent fetches of this process. */
const MAX_CONCURRENT = 8
/** Concurrent fetches per host, so that a slow host leaves room for others. */
const MAX_CONCURRENT_PER_HOST = 2
/** Rate of fetches per host, not counting documents that users have approved. */
const HOST_LIMIT = { burst: 20, perSecond: 20 / 60 }
/** Rate of connections per IP address, not counting such documents. Many host names can share an address. */
const TARGET_LIMIT = { burst: 60, perSecond: 60 / 60 }
/** How long a response is reused for its URL. */
const CACHE_MS = 60_000
/** Maximum size of the cache. */
const MAX_CACHE_BYTES = 8 * 1024 * 1024
/** Estimated memory of a cache entry beside its response, mostly its URL. */
const ENTRY_BYTES = 8 * 1024

type FetchFunction = (target: string | URL | Request, options?: RequestInit) => Promise<Response>

/** The response of a fetch. */
interface FetchedResponse {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface GuardedFetchParts {
  /** Monotonic, in milliseconds, above 0. */
  readonly now?: () => number
  /** Whether a URL belongs to a client with a connector. Default: none does. */
  readonly isAccepted?: (url: string) => Promise<boolean>
}

/**
 * A URL is fetched once in a minute, whatever its answer is: oidc-provider keeps the documents that it accepts, and asks again for each
 * that it refuses.
 *
 * The function throws if the URL is not allowed or failed within the last minute, its host is not public, too many fetches are under
 * way or were made within the last minute, the answer is compressed or too large, or there is no complete response before the signal
 * aborts.
 *
 * What is accepted does not count against the limits of its host and address, and is fetched when they are used up: anyone can use them
 * up, and the connectors of a client work only while its document can be fetched.
 */
export function createGuardedFetch(
  network: Network,
  { now = () => performance.now(), isAccepted = async () => false }: GuardedFetchParts = {},
): FetchFunction {
  const known = new LRUCache<string, FetchedResponse | 'failed'>({
    ttl: CACHE_MS,
    ttlResolution: 0,
    perf: { now },
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: (one) => ENTRY_BYTES + (one === 'failed' ? 0 : one.bytes.length),
  })
  const hosts = createAddressLimit(HOST_LIMIT, now)
  const targets = createAddressLimit(TARGET_LIMIT, now)
  const { connect = connectDirectly } = network
  const counted: Network = {
    ...network,
    connect(address, port) {
      if (targets.take(address) !== undefined) throw new Error(TOO_MANY_FETCHES)
      return connect(address, port)
    },
  }
  /** The hosts of running fetches. */
  const underWay: string[] = []
  return async (target, options = {}) => {
    const url = String(target)
    const earlier = known.get(url)
    if (earlier === 'failed')
      throw new Error('The URL could not be fetched within the last minute. Try again in a minute.')
    if (earlier) return toResponse(earlier)
    const { host } = new URL(url)
    const accepted = await isAccepted(url)
    const ofHost = underWay.filter((one) => one === host).length
    if (underWay.length >= MAX_CONCURRENT || ofHost >= MAX_CONCURRENT_PER_HOST)
      throw new Error(TOO_MANY_FETCHES)
    if (!accepted && hosts.take(host) !== undefined) throw new Error(TOO_MANY_FETCHES)
    underWay.push(host)
    try {
      const response = await fetchGuarded(url, options, accepted ? network : counted)
      const { status, headers } = response
      const fetched = { status, headers, bytes: new Uint8Array(await response.arrayBuffer()) }
      known.set(url, fetched)
      return toResponse(fetched)
    } catch (error) {
      known.set(url, 'failed')
      throw error
    } finally {
      underWay.splice(underWay.indexOf(host), 1)
    }
  }
}

const TOO_MANY_FETCHES = 'Too many documents are fetched at the moment.'

function toResponse({ status, headers, bytes }: FetchedResponse): Response {
  return new Response(isEmpty(status) ? null : bytes, { status, headers })
}

/** Responses with these statuses must not have a body. */
function isEmpty(status: number): boolean {
  return [204, 205, 304].includes(status)
}

/** A single fetch under these rules. It throws like the function above. */
export async function fetchGuarded(
  target: string,
  { method = 'GET', headers, signal }: RequestInit,
  network: Network,
): Promise<Response> {
  const url = parseWebhookUrl(target, network.allowPrivateNetworks)
  if (isRefusal(url)) throw new Error(url.message)
  const until = signal ?? AbortSignal.timeout(2_500)
  const socket = await dial(url, network, until)
  const connection = new Client(url.origin, {
    // Deferred, because undici ignores a synchronous call within `connect`.
    connect: (_options, done) => void setImmediate(() => done(null, socket)),
    maxResponseSize: MAX_BYTES,
  })
  try {
    const response = await connection.request({
      method: method as 'GET',
      path: url.pathname + url.search,
      headers: { ...Object.fromEntries(new Headers(headers)), 'accept-encoding': 'identity' },
      signal: until,
    })
    // A few compressed bytes could expand to gigabytes.
    const encoding = response.headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity')
      throw new Error('The response is compressed. Send it without Content-Encoding.')
    const bytes = await readBounded(response.body)
    const sent = Object.entries(response.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    )
    const { statusCode: status } = response
    return new Response(isEmpty(status) ? null : bytes, { status, headers: sent })
  } finally {
    await connection.destroy()
    socket.destroy()
  }
}

async function readBounded(body: AsyncIterable<Buffer>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_BYTES) throw new Error('The response is larger than 64 kB.')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
