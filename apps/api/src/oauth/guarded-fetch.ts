// Fetches what a client names: its metadata document or its keys. Anyone can name any URL, so the rules for webhooks hold: https,
// only public addresses, exactly the address that was checked, no redirects.

import { Client, fetch } from 'undici'
import { isRefusal } from '../platform/refusal.ts'
import { dial, type Network } from '../webhooks/dial.ts'
import { parseWebhookUrl } from '../webhooks/webhook-url.ts'

/** Bytes of a document. */
const MAX_BYTES = 64 * 1024

/** @throws if the URL is not allowed, its host is not public, or there is no complete response before the signal aborts */
export async function guardedFetch(
  target: string | URL | Request,
  { method, headers, signal }: RequestInit = {},
  network: Network,
): Promise<Response> {
  const url = parseWebhookUrl(String(target), network.allowPrivateNetworks)
  if (isRefusal(url)) throw new Error(url.message)
  const until = signal ?? AbortSignal.timeout(2_500)
  const socket = await dial(url, network, until)
  const connection = new Client(url.origin, {
    // Deferred: undici would not notice a call from within `connect`.
    connect: (_options, done) => void setImmediate(() => done(null, socket)),
    maxResponseSize: MAX_BYTES,
  })
  try {
    const response = await fetch(url, {
      ...(method !== undefined && { method }),
      headers: [...new Headers(headers)],
      dispatcher: connection,
      redirect: 'manual',
      signal: until,
    })
    const bytes = await response.arrayBuffer()
    return new Response([204, 304].includes(response.status) ? null : bytes, {
      status: response.status,
      headers: [...response.headers],
    })
  } finally {
    await connection.destroy()
    socket.destroy()
  }
}
