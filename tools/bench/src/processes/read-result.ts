// A client that reads the result of a job as NDJSON, page after page over one connection, and counts its rows.

import { json } from 'node:stream/consumers'
import { Client } from 'undici'

export interface ReadOrder {
  readonly origin: string
  readonly key: string
  readonly jobId: string
  readonly limit: number
  readonly offsets: readonly number[]
}

export interface ReadReport {
  readonly rows: number
  readonly seconds: number
  /** The time of each page in milliseconds, in the order of the offsets. */
  readonly pageMs: readonly number[]
}

const NEW_LINE = 10
const { origin, key, jobId, limit, offsets } = (await json(process.stdin)) as ReadOrder
const client = new Client(origin)
const pageMs: number[] = []
let rows = 0
const began = performance.now()
for (const offset of offsets) {
  const sentAt = performance.now()
  const { statusCode, body } = await client.request({
    method: 'GET',
    path: `/v1/jobs/${jobId}/results?limit=${limit}&offset=${offset}&format=ndjson`,
    headers: { authorization: `Bearer ${key}` },
  })
  if (statusCode !== 200)
    throw new Error(`The page at ${offset} answered ${statusCode}: ${await body.text()}`)
  for await (const part of body as AsyncIterable<Buffer>) {
    for (let at = part.indexOf(NEW_LINE); at >= 0; at = part.indexOf(NEW_LINE, at + 1)) rows += 1
  }
  pageMs.push(performance.now() - sentAt)
}
const report: ReadReport = { rows, seconds: (performance.now() - began) / 1_000, pageMs }
await client.close()
process.stdout.write(JSON.stringify(report))
