// What somebody would build who needs the same lookup and takes good libraries: Fastify, @fastify/rate-limit by key, a
// pool of pg, and books in PostgreSQL. The data are ours: the same listings in the same PostgreSQL.

import { hash, randomUUID } from 'node:crypto'
import { json } from 'node:stream/consumers'
import rateLimit from '@fastify/rate-limit'
import { startEmbeddedPostgres } from '@lotline/api/infrastructure/database/embedded/embedded-postgres.ts'
import fastify from 'fastify'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import { booksByStatement, booksByTransaction } from './rival-books.ts'
import type { RivalOrder } from './rival-order.ts'
import { serve } from './serve.ts'

const order = (await json(process.stdin)) as RivalOrder
const log = { debug() {}, info() {}, warn() {} }
const postgres = await startEmbeddedPostgres({ dataDir: order.dataDir, as: 'command', log })
const pool = new pg.Pool({ ...postgres.connection, max: order.connections, idleTimeoutMillis: 0 })
const books = (order.way === 'transaction' ? booksByTransaction : booksByStatement)(pool, order.schema)
/** Records in memory, as text: 2,000 of 15 kB are 30 MB. */
const records = new LRUCache<string, { readonly text: string; readonly fetchedAt: string }>({
  max: 2_000,
  ttl: 24 * 60 * 60 * 1_000,
})

const app = fastify({ logger: false })
await app.register(rateLimit, {
  max: order.limit,
  timeWindow: '1 minute',
  cache: 10_000,
  enableDraftSpec: true,
  keyGenerator: (request) => request.headers.authorization ?? request.ip,
})
app.get<{ Params: { zpid: string } }>('/v1/properties/:zpid', async (request, reply) => {
  const key = request.headers.authorization?.replace(/^Bearer /, '')
  if (!key) return reply.code(401).send({ error: { code: 'missing_api_key' } })
  const { zpid } = request.params
  const requestId = `req_${randomUUID()}`
  const kept = order.way === 'statement' ? await findRecord(zpid) : undefined
  if (order.way === 'statement' && !kept) return reply.code(404).send({ error: { code: 'not_found' } })
  const metered = await books.meter({ keyHash: hash('sha256', key, 'buffer'), requestId, zpid })
  if (metered.verdict !== 'charged') {
    const status = { 'unknown key': 401, 'no credits': 402, 'no such home': 404 }[metered.verdict]
    return reply.code(status).send({ error: { code: metered.verdict } })
  }
  const { text = metered.record, fetchedAt = new Date().toISOString() } = kept ?? {}
  return reply
    .headers({
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
      'X-Credits-Charged': '1',
      'X-Credits-Remaining': metered.balance,
    })
    .send(`{"data":${text},"cached":true,"fetched_at":"${fetchedAt}","request_id":"${requestId}"}`)
})
await serve(app, async () => {
  await pool.end()
  await postgres.stop()
})

async function findRecord(zpid: string) {
  const kept = records.get(zpid)
  if (kept) return kept
  const { rows } = await pool.query<{ record: string }>('select record from listings where zpid = $1', [zpid])
  if (!rows[0]) return undefined
  const read = { text: rows[0].record, fetchedAt: new Date().toISOString() }
  records.set(zpid, read)
  return read
}
