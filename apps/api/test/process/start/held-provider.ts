// A provider that holds lookups: it returns a home with the requested zpid, but only after it is released.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

export interface HeldProvider {
  /** The environment of a service that asks it. */
  readonly env: Readonly<Record<string, string>>
  /** Resolves when this many lookups wait. */
  untilWaiting(count: number): Promise<void>
  /** Releases all waiting and future lookups. */
  release(): void
}

/** Lives until the test is over. */
export async function startHeldProvider(): Promise<HeldProvider> {
  const waiting: (() => void)[] = []
  let isHeld = true
  const server = createServer((request, response) => {
    const zpid = /\/properties\/(\d+)/.exec(request.url!)?.[1]
    const answer = () => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ property: { zpid, homeStatus: 'FOR_SALE' } }))
    }
    if (isHeld) waiting.push(answer)
    else answer()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    env: { PROVIDER: 'http', PROVIDER_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    async untilWaiting(count) {
      while (waiting.length < count) await sleep(5)
    },
    release() {
      isHeld = false
      for (const answer of waiting.splice(0)) answer()
    },
  }
}
