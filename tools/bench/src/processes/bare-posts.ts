// The baseline of deliveries: signed POSTs of the same body through undici, as many at a time, and nothing else: no queue,
// no log of attempts, no database.

import { randomUUID } from 'node:crypto'
import { json } from 'node:stream/consumers'
import { createSecret, signedHeaders } from '@lotline/api/work/webhooks/sign.ts'
import { Pool } from 'undici'

export interface PostsOrder {
  readonly origin: string
  readonly body: string
  readonly count: number
  readonly atATime: number
}

export interface PostsReport {
  readonly perSecond: number
}

const { origin, body, count, atATime } = (await json(process.stdin)) as PostsOrder
const pool = new Pool(origin, { connections: atATime })
const secret = createSecret()
const bytes = Buffer.from(body)
let left = count

async function post(): Promise<void> {
  while (left-- > 0) {
    const signature = signedHeaders({ id: randomUUID(), attempt: 1, body: bytes }, [secret])
    const answer = await pool.request({
      method: 'POST',
      path: '/hook',
      headers: { 'content-type': 'application/json', ...signature },
      body: bytes,
    })
    await answer.body.dump()
    if (answer.statusCode !== 204)
      throw new Error(`The receiver returned status ${answer.statusCode} instead of 2xx.`)
  }
}

const began = performance.now()
await Promise.all(Array.from({ length: atATime }, post))
const report: PostsReport = { perSecond: count / ((performance.now() - began) / 1_000) }
await pool.close()
process.stdout.write(JSON.stringify(report))
