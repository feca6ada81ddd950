// The reference provider inside the test's own process: the same answers over real HTTP, each as late as the test says,
// and gone when it says so.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Property } from '@lotline/contract'
import { afterAll, beforeAll } from 'vitest'
import { answer, findOperation, type Operation, refusal } from '../../setup/reference-provider/answers.ts'
import { Listings } from '../../setup/reference-provider/listings.ts'

export interface Query {
  readonly operation: Operation
  /** Path and query. */
  readonly url: string
  readonly body: string
}

export interface ProviderStub {
  readonly url: string
  /** In the order in which they came. */
  readonly asked: Query[]
  /** How late each kind of query is answered, in milliseconds. */
  delays: Partial<Record<Operation, number>>
  /** Bodies that were POSTed to `/hook`: what webhooks sent. */
  readonly told: string[]
  /** Its port refuses connections until `up`. */
  down(): Promise<void>
  up(): Promise<void>
}

export function withProviderStub(records: readonly Property[]): ProviderStub {
  const listings = new Listings(records)
  const asked: Query[] = []
  const told: string[] = []
  let server: Server | undefined
  let port = 0

  async function up(): Promise<void> {
    const started = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const query = {
        method: request.method!,
        url: request.url!,
        body: Buffer.concat(chunks).toString(),
      }
      if (query.url === '/hook') {
        told.push(query.body)
        response.writeHead(204).end()
        return
      }
      const operation = findOperation(query)
      if (operation) {
        asked.push({ operation, url: query.url, body: query.body })
        await sleep(stub.delays[operation] ?? 0)
      }
      const { status, body } = operation
        ? answer(listings, operation, query)
        : refusal(404, 'no_such_path', 'There is no such path.')
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => started.listen(port, '127.0.0.1', resolve))
    port = (started.address() as AddressInfo).port
    server = started
  }

  async function down(): Promise<void> {
    const stopped = server
    server = undefined
    stopped?.closeAllConnections()
    await new Promise((resolve) => (stopped ? stopped.close(resolve) : resolve(undefined)))
  }

  const stub: ProviderStub = {
    get url() {
      return `http://127.0.0.1:${port}`
    },
    asked,
    told,
    delays: {},
    down,
    up,
  }
  beforeAll(up)
  afterAll(down)
  return stub
}
