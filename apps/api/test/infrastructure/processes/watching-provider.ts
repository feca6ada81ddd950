// A provider that knows every home and records how many lookups of a key run concurrently. A home's id begins with the number of
// the key that looks it up: <key>0000<home>.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

export interface WatchingProvider {
  readonly env: Readonly<Record<string, string>>
  /** Maximum of concurrent lookups per key. */
  readonly mostOfOneKey: number
  /** Homes in the order of their lookups. */
  readonly asked: readonly string[]
  /** Lookups without a response yet. */
  readonly waiting: number
  /** The wait before a response. */
  delay: () => Promise<void>
}

export function homeOf(key: number, home: number): string {
  return `${key}0000${home}`
}

export async function startWatchingProvider(): Promise<WatchingProvider> {
  const underWay = new Map<string, number>()
  const asked: string[] = []
  let mostOfOneKey = 0
  let waiting = 0
  const provider = {
    env: {},
    get mostOfOneKey() {
      return mostOfOneKey
    },
    get waiting() {
      return waiting
    },
    asked,
    delay: () => sleep(2 + Math.random() * 6),
  }
  const server = createServer(async (incoming, response) => {
    const zpid = /\/properties\/(\d+)/.exec(incoming.url!)?.[1] ?? ''
    const key = zpid.split('0000', 1)[0]!
    asked.push(zpid)
    waiting++
    underWay.set(key, (underWay.get(key) ?? 0) + 1)
    if (!key.startsWith('9')) mostOfOneKey = Math.max(mostOfOneKey, underWay.get(key)!)
    // A killed service sends no further query.
    const gone = new Promise<void>((resolve) => response.once('close', resolve))
    await Promise.race([provider.delay(), gone])
    underWay.set(key, underWay.get(key)! - 1)
    waiting--
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ property: { zpid, homeStatus: 'FOR_SALE' } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  provider.env = {
    PROVIDER: 'http',
    PROVIDER_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  }
  return provider
}
