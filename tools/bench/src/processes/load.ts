// The load: a process of its own that holds one connection for each key and has one request in flight on each. Raw
// sockets, because a client library would cost as much as the server does, on the same cores.

import { connect } from 'node:net'
import { json } from 'node:stream/consumers'
import { quantile } from '../statistics.ts'

export interface LoadOrder {
  /** The connections are spread over them in turn. */
  readonly ports: readonly number[]
  /** How long is counted. */
  readonly seconds: number
  /** The duration of the warm-up, which is not counted. */
  readonly warmSeconds: number
  /** For each connection the requests, as they go over the wire, sent one after the other and then again. */
  readonly connections: readonly (readonly string[])[]
}

export interface LoadReport {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** The average size of a response body. */
  readonly bodyBytes: number
  /** How many answers had which status. */
  readonly statuses: Readonly<Record<string, number>>
}

const order = (await json(process.stdin)) as LoadOrder
const begin = performance.now() + order.warmSeconds * 1_000
const end = begin + order.seconds * 1_000
const latencies: number[] = []
const statuses: Record<string, number> = {}
let answers = 0
let answeredInTime = 0
let bytes = 0

await Promise.all(order.connections.map(drive))
const report: LoadReport = {
  perSecond: answeredInTime / order.seconds,
  p50Ms: quantile(latencies, 0.5),
  p99Ms: quantile(latencies, 0.99),
  statuses,
  bodyBytes: bytes / answers,
}
process.stdout.write(JSON.stringify(report))

function drive(requests: readonly string[], at: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(order.ports[at % order.ports.length]!, '127.0.0.1')
    socket.setNoDelay(true)
    let sent = 0
    let sentAt = 0
    let head: Buffer = Buffer.alloc(0)
    /** The number of body bytes that have not arrived yet. undefined while the head is read. */
    let missing: number | undefined

    const send = () => {
      sentAt = performance.now()
      socket.write(requests[sent++ % requests.length]!)
    }
    const answered = () => {
      const now = performance.now()
      // Calls that are under way at the end are waited for, and so slow ones are not left out of the latencies.
      if (now >= begin) latencies.push(now - sentAt)
      if (now >= begin && now < end) answeredInTime += 1
      if (now < end) return send()
      socket.destroy()
      resolve()
    }
    socket.once('connect', send)
    socket.once('error', reject)
    socket.once('close', () => (performance.now() < end ? reject(new Error('connection closed')) : resolve()))
    socket.on('data', (chunk: Buffer) => {
      let body = chunk.length
      if (missing === undefined) {
        head = head.length > 0 ? Buffer.concat([head, chunk]) : chunk
        const headEnd = head.indexOf('\r\n\r\n')
        if (headEnd < 0) return
        missing = readHead(head.toString('latin1', 0, headEnd))
        body = head.length - headEnd - 4
        head = Buffer.alloc(0)
      }
      missing -= body
      if (missing > 0) return
      missing = undefined
      answered()
    })
  })
}

function readHead(text: string): number {
  const status = text.slice(9, 12)
  statuses[status] = (statuses[status] ?? 0) + 1
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1]
  if (length === undefined) throw new Error(`A response has no Content-Length header: ${text}`)
  answers += 1
  bytes += Number(length)
  return Number(length)
}
