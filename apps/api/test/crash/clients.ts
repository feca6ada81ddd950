// Clients that call a server repeatedly and record the responses, so that they can be compared with the ledger later.

import { setTimeout as sleep } from 'node:timers/promises'

export interface Sighting {
  readonly status: number
  readonly requestId: string
  /** Credits of the header X-Credits-Charged. */
  readonly charged: number
}

export interface Clients {
  /** Completely received responses. */
  readonly seen: readonly Sighting[]
  /** The URL to call; undefined: no server is running. */
  url: string | undefined
  stop(): Promise<void>
}

/** One client per key. Each calls the `paths` in turn, from another start. */
export function startClients(keys: readonly string[], paths: readonly string[]): Clients {
  const seen: Sighting[] = []
  let stopped = false
  const clients = { seen, url: undefined as string | undefined, stop }
  const loops = keys.map(async (key, client) => {
    for (let call = client; !stopped; call++) {
      const { url } = clients
      if (url === undefined) {
        await sleep(5)
        continue
      }
      try {
        const response = await fetch(url + paths[call % paths.length], {
          headers: { authorization: `Bearer ${key}` },
          signal: AbortSignal.timeout(20_000),
        })
        await response.arrayBuffer()
        seen.push({
          status: response.status,
          requestId: response.headers.get('x-request-id')!,
          charged: Number(response.headers.get('x-credits-charged')),
        })
      } catch {
        // The server was killed during the call, so nothing is guaranteed to this client.
        await sleep(2)
      }
    }
  })
  async function stop(): Promise<void> {
    stopped = true
    await Promise.all(loops)
  }
  return clients
}
