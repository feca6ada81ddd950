// A provider for tests: a real process that serves spec/provider.yaml over HTTP from a file of records, one a line.
//
//   node main.ts --file F.ndjson [--port 0] [--token T]      prints its URL
//
// Under /control a test sets its faults: `PUT /control/fault` with {fault, times} (without times: until
// it is removed), `DELETE /control/fault`; what records it has: `PUT /control/records` with a list; and asked what it was asked: `GET /control/asked`.

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { answer, findOperation, type Operation, type ProviderRequest, refusal } from './answers.ts'
import { type Fault, send } from './faults.ts'
import { Listings } from './listings.ts'

/** One query, as it came. */
export interface ReceivedQuery extends ProviderRequest {
  readonly operation: Operation | null
  readonly authorization: string | null
  /** Port of the other end: the same as long as the connection is kept. */
  readonly from: number
}

export interface FaultOrder {
  readonly fault: Fault
  /** For so many queries; without it, until told otherwise. */
  readonly times?: number
}

const { values } = parseArgs({
  options: {
    file: { type: 'string' },
    port: { type: 'string', default: '0' },
    token: { type: 'string' },
  },
})
let listings = values.file === undefined ? new Listings([]) : Listings.read(values.file)
const asked: ReceivedQuery[] = []
let order: { fault: Fault; left: number } | undefined

const server = createServer(async (request, response) => {
  const { method = '', url = '' } = request
  const body = await readText(request)
  if (url.startsWith('/control/')) {
    const result = control(method, url, body)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
    return
  }
  const query = { method, url, body }
  const operation = findOperation(query) ?? null
  const authorization = request.headers.authorization ?? null
  asked.push({ ...query, operation, authorization, from: request.socket.remotePort ?? 0 })
  await send(response, judge(query, operation, authorization), takeFault())
})

function judge(query: ProviderRequest, operation: Operation | null, authorization: string | null) {
  if (values.token !== undefined && authorization !== `Bearer ${values.token}`) {
    return refusal(401, 'unauthorized', `The bearer token is not known: ${authorization}`)
  }
  if (!operation) return refusal(404, 'no_such_path', 'There is no such path.')
  return answer(listings, operation, query)
}

function takeFault(): Fault | undefined {
  if (!order) return undefined
  const { fault } = order
  order.left--
  if (order.left === 0) order = undefined
  return fault
}

function control(method: string, url: string, body: string): unknown {
  if (url === '/control/asked' && method === 'GET') return asked
  if (url === '/control/asked' && method === 'DELETE') return asked.splice(0).length
  if (url === '/control/records' && method === 'PUT') {
    listings = new Listings(JSON.parse(body))
    return null
  }
  if (url === '/control/fault' && method === 'DELETE') {
    order = undefined
    return null
  }
  if (url === '/control/fault' && method === 'PUT') {
    const { fault, times = Infinity } = JSON.parse(body) as FaultOrder
    order = { fault, left: times }
    return null
  }
  throw new Error(`${method} ${url} is no order`)
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

server.listen(Number(values.port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
