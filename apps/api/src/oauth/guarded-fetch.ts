// Fetches what a client names: its metadata document or its keys. Anyone can name any URL, so the rules for webhooks hold: https,
// only public addresses, exactly the address that was checked, no redirects. The answer is read as it was sent: nothing is unpacked.

import { LRUCache } from 'lru-cache'
import { Client } from 'undici'
import { isRefusal } from '../platform/refusal.ts'
import { dial, type Network } from '../webhooks/dial.ts'
import { parseWebhookUrl } from '../webhooks/webhook-url.ts'

/** Bytes of any answer. The bound of each kind is in the configuration of oidc-provider. */
const MAX_BYTES = 64 * 1024
/** Fetches of this process at a time. */
const MAX_AT_ONCE = 8
/** Of them, to one host, so that a slow one leaves room for others. */
const MAX_AT_ONCE_OF_HOST = 2
/** How long a URL is not fetched again after it failed. */
const FAILED_MS = 60_000
/** URLs that are remembered, a few kilobytes each at most. */
const MAX_FAILED = 1_000

type Fetch = (target: string | URL | Request, options?: RequestInit) => Promise<Response>

/**
 * The function throws if the URL is not allowed or failed within the last minute, its host is not public, too many fetches are under
 * way, the answer is compressed or too large, or there is no complete response before the signal aborts.
 */
export function createGuardedFetch(network: Network): Fetch {
  const failed = new LRUCache<string, true>({ max: MAX_FAILED, ttl: FAILED_MS })
  /** The hosts of the fetches that are under way. */
  const underWay: string[] = []
  return async (target, options = {}) => {
    const url = String(target)
    if (failed.has(url)) throw new Error('It could not be fetched a moment ago.')
    const { host } = new URL(url)
    const ofHost = underWay.filter((one) => one === host).length
    if (underWay.length >= MAX_AT_ONCE || ofHost >= MAX_AT_ONCE_OF_HOST)
      throw new Error('Too many documents are fetched at the moment.')
    underWay.push(host)
    try {
      const response = await fetchGuarded(url, options, network)
      if (response.status !== 200 || !isJson(await response.clone().text())) failed.set(url, true)
      return response
    } catch (error) {
      failed.set(url, true)
      throw error
    } finally {
      underWay.splice(underWay.indexOf(host), 1)
    }
  }
}

/** All documents of clients are JSON: metadata, and keys. */
function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

/** One fetch under these rules. It throws like the function above. */
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
    // Deferred: undici would not notice a call from within `connect`.
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
    // A few bytes could become gigabytes.
    const encoding = response.headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') throw new Error('The answer is compressed.')
    const bytes = await readBounded(response.body)
    const sent = Object.entries(response.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    )
    const { statusCode: status } = response
    return new Response([204, 304].includes(status) ? null : bytes, { status, headers: sent })
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
    if (size > MAX_BYTES) throw new Error('The answer is too large.')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
