// Clients that call a server again and again and write down what they saw, for the books to be checked against later.

import { setTimeout as sleep } from 'node:timers/promises'

export interface Sighting {
  readonly status: number
  readonly requestId: string
  /** Credits, as X-Credits-Charged said. */
  readonly charged: number
}

export interface Clients {
  /** Answers that were received whole. */
  readonly seen: readonly Sighting[]
  /** Where to call from now on; undefined: no server runs at the moment. */
  url: string | undefined
  stop(): Promise<void>
}

/** One client for each key; `paths` are called in turn, each client beginning at another. */
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
        // The server was killed under it. What it did not see is not owed to it.
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
