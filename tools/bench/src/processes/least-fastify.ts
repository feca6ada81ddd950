// The least that charges a call before it answers: a bare route of Fastify, and one statement for each group of calls that
// takes the credits from their accounts. No key is checked, no limit kept, no ledger and no usage row written.

import { json } from 'node:stream/consumers'
import { startEmbeddedPostgres } from '@lotline/api/infrastructure/database/embedded/embedded-postgres.ts'
import fastify from 'fastify'
import pg from 'pg'
import type { LookupAnswers } from '../lookups.ts'
import { serve } from './serve.ts'

export interface LeastOrder extends LookupAnswers {
  readonly path: string
  readonly dataDir: string
  /** The schema with an accounts table (id, balance). */
  readonly schema: string
  /** Account ids by the value of the Authorization header. */
  readonly accounts: Readonly<Record<string, string>>
}

interface WaitingCharge {
  readonly account: string
  readonly charged: () => void
}

const { path, bodies, headers, dataDir, schema, accounts } = (await json(process.stdin)) as LeastOrder
const log = { debug() {}, info() {}, warn() {} }
const postgres = await startEmbeddedPostgres({ dataDir, as: 'command', log })
/** One: while a group is written the next one fills. With two, groups are smaller and each costs as much. */
const pool = new pg.Pool({ ...postgres.connection, max: 1, idleTimeoutMillis: 0 })
const CHARGE = {
  name: 'charge',
  text: `update ${schema}.accounts a set balance = a.balance - spent.credits
    from unnest($1::uuid[], $2::bigint[]) as spent (id, credits) where a.id = spent.id`,
}
const WORTH_A_GROUP = 16
let waiting: WaitingCharge[] = []
let isBusy = false

function charge(account: string): Promise<void> {
  return new Promise((charged) => {
    waiting.push({ account, charged })
    // An idle database does not wait for all calls of an event loop turn. The service does the same.
    if (waiting.length === WORTH_A_GROUP) startGroup()
    else if (waiting.length === 1) setImmediate(startGroup)
  })
}

function startGroup(): void {
  if (waiting.length === 0 || isBusy) return
  const group = waiting
  waiting = []
  isBusy = true
  const spent = new Map<string, number>()
  for (const { account } of group) spent.set(account, (spent.get(account) ?? 0) + 1)
  const ids = [...spent.keys()]
  pool.query({ ...CHARGE, values: [ids, ids.map((id) => spent.get(id))] }).then(({ rowCount }) => {
    if (rowCount !== ids.length) throw new Error(`${rowCount} of ${ids.length} accounts were charged`)
    isBusy = false
    startGroup()
    // The next group is sent before the calls of this one are answered. The service does the same.
    setImmediate(() => {
      for (const { charged } of group) charged()
    })
  })
}

const bytes = new Map(Object.entries(bodies).map(([id, body]) => [id, Buffer.from(body)]))
const app = fastify({ logger: false })
app.get<{ Params: { id: string } }>(path, async (request, reply) => {
  await charge(accounts[request.headers.authorization ?? '']!)
  return reply.headers(headers).send(bytes.get(request.params.id))
})
await serve(app, async () => {
  await pool.end()
  await postgres.stop()
})
