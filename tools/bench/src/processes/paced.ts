// Load at a steady rate, as many clients together make it: a request is sent when its time has come, whether or not the
// earlier ones are answered, and its latency counts from that time. A process of its own, with raw sockets.

import { connect, type Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../statistics.ts'

export interface PacedOrder {
  readonly port: number
  readonly seconds: number
  /** Requests that are sent in a second, over all connections. */
  readonly perSecond: number
  readonly connections: number
  /** Complete HTTP requests as text. They are sent one after the other, then again from the first. */
  readonly requests: readonly string[]
}

export interface PacedReport {
  /** Answers in a second, over the seconds ordered. */
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly statuses: Readonly<Record<string, number>>
}

/** Requests that are not answered by then are not waited for. */
const MAX_WAIT_MS = 20_000
const TICK_MS = 2

const order = (await json(process.stdin)) as PacedOrder
const total = Math.round(order.perSecond * order.seconds)
const latencies: number[] = []
const statuses: Record<string, number> = {}
let answeredInTime = 0

const connections = Array.from({ length: order.connections }, openConnection)
await Promise.all(connections.map(({ ready }) => ready))
const begin = performance.now()
const end = begin + order.seconds * 1_000
for (let sent = 0; sent < total; ) {
  const due = Math.min(total, ((performance.now() - begin) / 1_000) * order.perSecond)
  for (; sent < due; sent++) {
    const dueAt = begin + (sent / order.perSecond) * 1_000
    connections[sent % connections.length]!.send(order.requests[sent % order.requests.length]!, dueAt)
  }
  await sleep(TICK_MS)
}
for (const until = performance.now() + MAX_WAIT_MS; latencies.length < total; await sleep(5))
  if (performance.now() > until) throw new Error(`${total - latencies.length} requests received no response`)
const report: PacedReport = {
  perSecond: answeredInTime / order.seconds,
  p50Ms: quantile(latencies, 0.5),
  p99Ms: quantile(latencies, 0.99),
  statuses,
}
process.stdout.write(JSON.stringify(report))
process.exit()

interface DueRequest {
  readonly request: string
  readonly dueAt: number
}

/** A connection with one request in flight. It is opened again when the server closes it. */
function openConnection() {
  const waiting: DueRequest[] = []
  let current: DueRequest | undefined
  let socket: Socket
  let head = ''
  /** The number of body bytes that have not arrived yet. undefined while the head is read. */
  let missing: number | undefined

  const next = () => {
    current = waiting.shift()
    if (current) socket.write(current.request)
  }
  const read = (chunk: Buffer) => {
    let body = chunk.length
    if (missing === undefined) {
      head += chunk.toString('latin1')
      const headEnd = head.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      missing = lengthIn(head.slice(0, headEnd))
      body = head.length - headEnd - 4
    }
    missing -= body
    if (missing > 0) return
    statuses[head.slice(9, 12)] = (statuses[head.slice(9, 12)] ?? 0) + 1
    head = ''
    missing = undefined
    const now = performance.now()
    latencies.push(now - current!.dueAt)
    if (now < end) answeredInTime += 1
    next()
  }
  const open = () =>
    new Promise<void>((resolve, reject) => {
      socket = connect(order.port, '127.0.0.1', resolve).setNoDelay(true)
      socket.on('data', read)
      socket.once('error', reject)
      socket.once('close', () => {
        head = ''
        missing = undefined
        void open().then(() => {
          if (current) socket.write(current.request)
        })
      })
    })
  return {
    ready: open(),
    send(request: string, dueAt: number): void {
      waiting.push({ request, dueAt })
      if (!current) next()
    },
  }
}

function lengthIn(head: string): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`A response has no Content-Length header: ${head}`)
  return Number(length)
}
