// Sends what no honest client sends: every wrong request that the contract has an answer for, and texts that are hardly
// HTTP or JSON at all.

import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { badRequests } from '@lotline/contract/bad-requests'
import type { Random } from '../random.ts'
import { call, keptConnection } from './call.ts'
import { pause } from './pause.ts'
import type { MakeClient, Origin, WorldKey } from './world.ts'

/** What may never be in a log. */
export const CANARY = 'CanaryYellow71'

/** Some of those bodies are large; they say nothing that small ones do not. */
const LARGEST_BODY = 64 * 1024
const requests = badRequests.filter(({ body }) => sizeOf(body) <= LARGEST_BODY)

export const isHostile: MakeClient = (world, name, key, random) => {
  const agent = keptConnection()
  return {
    name,
    async turn() {
      const kind = random.pick(['raw', 'body', 'table', 'table'] as const)
      if (kind === 'raw') await sendRaw(world.direct, random.pick(rawRequests(key, random)))
      else if (kind === 'body') {
        await call(world, name, key, {
          operation: 'searchListings',
          method: 'POST',
          path: '/v1/search',
          agent,
          body: random.pick(BODIES)(random),
        })
      } else {
        const { operation = null, method, path, headers, authorization, body } = random.pick(requests)
        const isOurs = authorization === undefined
        await call(world, name, isOurs ? key : undefined, {
          operation,
          method,
          path,
          agent,
          body,
          ...(headers && { headers }),
          ...(authorization !== undefined && { authorization }),
        })
      }
      await pause(random, 40)
    },
  }
}

const BODIES: readonly ((random: Random) => string | Uint8Array)[] = [
  (random) => '['.repeat(random.int(1_000, 60_000)),
  (random) => '{"a":'.repeat(random.int(1_000, 10_000)),
  () => `{"filters":{"bbox":{"west":1e999,"south":0,"east":1,"north":1}}}`,
  () => `{"__proto__":{"async":true},"filters":{"bbox":"${CANARY}"}}`,
  () =>
    `{"filters":{"bbox":{"west":-1,"south":0,"east":1,"north":1},"constructor":{"prototype":1}},"maxItems":5e-324}`,
  () => '{"filters":{"bbox":{"west":-1,"south":0,"east":1,"north":1}},"maxItems":"\\ud800"}',
  () => `{"searchUrls":[{"url":"https://www.zillow.com/?searchQueryState=%00${CANARY}"}]}`,
  () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  () => `{"filters":${'{"filters":'.repeat(200)}1${'}'.repeat(201)}`,
  (random) => `"${'x'.repeat(random.int(10, 60_000))}`,
  () => '',
]

function rawRequests(key: WorldKey, random: Random): string[] {
  const head = `Host: x\r\nAuthorization: Bearer ${key.text}\r\n`
  return [
    `${CANARY} /v1/me HTTP/1.1\r\n${head}\r\n`,
    `GET /v1/me HTTP/1.1\r\n${head}Broken ${CANARY}\r\n\r\n`,
    `GET /v1/properties/%zz%00${CANARY} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`,
    `GET /v1/me?x=${'y'.repeat(random.int(1, 40_000))} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`,
    // Two lengths, and a length beside chunks: one server's body is another's next request.
    `POST /v1/search HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 4\r\nContent-Length: 9\r\n\r\n{}{}{}{}{}`,
    `POST /v1/search HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/me HTTP/1.1\r\n${head}\r\n`,
    // A body that never comes to its end.
    `POST /v1/search HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{"filters"`,
    `GET /v1/me HTTP/1.1\r\n${head}\r\nGET /v1/me HTTP/1.1\r\n${head}\r\n`,
    `GET /v1/me HTTP/0.9\r\n\r\n`,
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ]
}

/** The responses are not checked: it is enough that the service lives on and nothing of it is charged. */
async function sendRaw({ host, port }: Origin, text: string): Promise<void> {
  const socket = connect({ host, port })
  socket.on('error', () => {})
  socket.resume()
  socket.write(text)
  await Promise.race([new Promise((closed) => socket.once('close', closed)), sleep(150)])
  socket.destroy()
}

function sizeOf(body: unknown): number {
  if (body === undefined) return 0
  return body instanceof Uint8Array
    ? body.length
    : (typeof body === 'string' ? body : JSON.stringify(body)).length
}
