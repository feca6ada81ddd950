import type { Database } from '@lotline/api/infrastructure/database/database.ts'
import type { LookupAnswers } from '../lookups.ts'
import type { Stage } from '../stage.ts'
import { firstLine, startChild, stopChild } from './child.ts'
import type { LeastOrder } from './least-fastify.ts'

const SCRIPT = new URL('./least-fastify.ts', import.meta.url)
const SCHEMA = 'least'
const CREDITS = 1_000_000_000

export interface Least {
  readonly port: number
  readonly pid: number
  /** Credits taken since the start. */
  spent(): Promise<number>
  stop(): Promise<void>
}

/** The least that charges, with books of its own for the stage's keys, in the same PostgreSQL. */
export async function startLeast(
  { database, dataDir, accounts }: Stage,
  answers: LookupAnswers,
): Promise<Least> {
  await database.query(`
    drop schema if exists ${SCHEMA} cascade;
    create schema ${SCHEMA};
    create table ${SCHEMA}.accounts (id uuid primary key, balance bigint not null check (balance >= 0)) with (fillfactor = 50)`)
  for (const { accountId } of accounts) {
    await database.query(`insert into ${SCHEMA}.accounts values ($1, $2)`, [accountId, CREDITS])
  }
  const order: LeastOrder = {
    ...answers,
    path: '/v1/properties/:id',
    dataDir,
    schema: SCHEMA,
    accounts: Object.fromEntries(accounts.map(({ key, accountId }) => [`Bearer ${key}`, accountId])),
  }
  const child = startChild(SCRIPT, { input: order })
  const { port } = JSON.parse(await firstLine(child)) as { port: number }
  return {
    port,
    pid: child.pid,
    spent: () => sumSpent(database, accounts.length),
    async stop() {
      await stopChild(child)
      await database.query(`drop schema if exists ${SCHEMA} cascade`)
    },
  }
}

async function sumSpent(database: Database, accounts: number): Promise<number> {
  const { rows } = await database.query<{ left: string }>(
    `select sum(balance)::bigint as left from ${SCHEMA}.accounts`,
  )
  return accounts * CREDITS - Number(rows[0]!.left)
}
