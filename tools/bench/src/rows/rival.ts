// The lookup beside what people would build for it with good libraries, at its best: the same answer from the same
// PostgreSQL, with a key check, a limit for each key, a balance and a usage row, all committed before the answer.

import type { Database } from '@lotline/api/infrastructure/database/database.ts'
import { type Bench, inTurns } from '../bench.ts'
import { findHomes, lookupConnections, refuseUnlikeSizes } from '../lookups.ts'
import type { Measurement } from '../measurement.ts'
import { firstLine, startChild, stopChild } from '../processes/child.ts'
import { runLoad } from '../processes/load-run.ts'
import type { RivalOrder } from '../processes/rival-order.ts'
import type { Samples } from '../row.ts'
import type { BenchAccount } from '../stage.ts'

const RIVAL = new URL('../processes/rival-fastify.ts', import.meta.url)
const WARM_SECONDS = 0.5
const SCHEMA = 'rival'
const LIMIT = 100_000
const CREDITS = 1_000_000_000
/** Of 5, 10, 20 and 35 the most did best, since commits that wait together share a sync; our server needs some of the 50. */
const CONNECTIONS = 35

const WAYS: Readonly<Record<RivalOrder['way'], string>> = {
  transaction: 'key, record, usage row and balance as prepared statements of a transaction',
  statement: 'key, usage row and balance in one prepared statement, records from an LRU cache',
}
const FAIR = `one process, ${CONNECTIONS} connections, the same PostgreSQL and listings, durable commits on both sides; it keeps no ledger and no queue for each key, and its limit is a fixed window`

// Free room in each page keeps an updated account in its page, so that no index is touched.
const MAKE = `
  create schema ${SCHEMA};
  create table ${SCHEMA}.accounts (id uuid primary key, balance bigint not null check (balance >= 0)) with (fillfactor = 50);
  create table ${SCHEMA}.api_keys (hash bytea primary key, account_id uuid not null references ${SCHEMA}.accounts (id));
  create table ${SCHEMA}.usage_rows (
    account_id  uuid not null,
    id          bigint generated always as identity,
    request_id  text not null,
    endpoint    text not null,
    credits     bigint not null,
    created_at  timestamptz not null default now(),
    primary key (account_id, id)
  )`

export const rival: Measurement = {
  name: 'rival',
  measures: [
    {
      name: 'lookup, beside Fastify + @fastify/rate-limit + pg, a transaction a call',
      unit: 'requests/s',
    },
    {
      name: 'lookup, beside the same tuned: one statement a call, records in memory',
      unit: 'requests/s',
    },
  ],
  async run(bench) {
    const { database, accounts } = await bench.sample()
    await makeBooks(database, accounts)
    try {
      return [await beside(bench, 'transaction'), await beside(bench, 'statement')]
    } finally {
      await database.query(`drop schema ${SCHEMA} cascade`)
    }
  },
}

async function beside(bench: Bench, way: RivalOrder['way']): Promise<Samples> {
  const { api, accounts, database, dataDir } = await bench.sample()
  const order: RivalOrder = { dataDir, schema: SCHEMA, connections: CONNECTIONS, way, limit: LIMIT }
  const child = startChild(RIVAL, { input: order })
  try {
    const { port } = JSON.parse(await firstLine(child)) as { port: number }
    const connections = lookupConnections(accounts, await findHomes(database, accounts.length))
    const load = (to: number) =>
      runLoad({ ports: [to], seconds: bench.seconds, warmSeconds: WARM_SECONDS, connections })
    const sizes = { ours: 0, rival: 0 }
    let answered = 0
    const samples = await inTurns(
      bench.rounds,
      async () => {
        const { perSecond, bodyBytes } = await load(api.port)
        sizes.ours = bodyBytes
        return perSecond
      },
      async () => {
        const { perSecond, bodyBytes, statuses } = await load(port)
        sizes.rival = bodyBytes
        answered += statuses['200'] ?? 0
        return perSecond
      },
    )
    refuseUnlikeSizes(sizes.ours, sizes.rival)
    await refuseUnmetered(database, answered)
    return {
      ...samples,
      note: `baseline: ${WAYS[way]}; ${FAIR}`,
    }
  } finally {
    await stopChild(child)
    await database.query(`truncate ${SCHEMA}.usage_rows`)
  }
}

async function makeBooks(database: Database, accounts: readonly BenchAccount[]): Promise<void> {
  await database.query(`drop schema if exists ${SCHEMA} cascade`)
  await database.query(MAKE)
  for (const { accountId, key } of accounts) {
    await database.query(`insert into ${SCHEMA}.accounts values ($1, $2)`, [accountId, CREDITS])
    await database.query(`insert into ${SCHEMA}.api_keys values (sha256(convert_to($1, 'UTF8')), $2)`, [
      key,
      accountId,
    ])
  }
}

/** A rival that answered without writing it down would be no rival. */
async function refuseUnmetered(database: Database, answered: number): Promise<void> {
  const { rows } = await database.query<{ used: string }>(`select count(*) as used from ${SCHEMA}.usage_rows`)
  if (Number(rows[0]!.used) < answered)
    throw new Error(`${answered} calls were answered, and ${rows[0]!.used} were counted`)
}
