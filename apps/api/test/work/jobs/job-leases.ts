// How far jobs are and who works on them, read past the service, and the end of leases without waiting for it.

import type { Database } from '../../../src/infrastructure/database/database.ts'

export interface JobState {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly chain_stage: string | null
  readonly checkpoint: unknown
  readonly row_count: number
  readonly crashes: number
  readonly leased: boolean
}

/** A state with what was stored until then. Reading it costs as much as the rows, so it is not polled. */
export interface StoredWork extends JobState {
  readonly stored_zpids: readonly string[]
}

const STATE =
  'id, type, status, chain_stage, checkpoint, row_count, crashes, lease_token is not null as leased'

/** In the order of `ids`. */
export async function findJobStates(database: Database, ids: readonly string[]): Promise<JobState[]> {
  const { rows } = await database.query<JobState>(
    `select ${STATE} from jobs where id = any ($1) order by array_position($1, id)`,
    [ids],
  )
  return rows
}

/** In the order of `ids`. */
export async function findStoredWork(database: Database, ids: readonly string[]): Promise<StoredWork[]> {
  const { rows } = await database.query<StoredWork>(
    `select ${STATE}, array(select body::json ->> 'zpid' from job_rows where job_id = jobs.id) as stored_zpids
     from jobs where id = any ($1) order by array_position($1, id)`,
    [ids],
  )
  return rows
}

/** Ends these leases of jobs now, and those of all webhook deliveries, since a killed worker may hold some. */
export async function letLeasesRunOut(database: Database, leases: readonly string[]): Promise<void> {
  await database.query(`update jobs set lease_until = now() - interval '1 ms' where lease_token = any ($1)`, [
    leases,
  ])
  await database.query(
    `update webhook_deliveries set lease_until = now() - interval '1 ms' where lease_token is not null`,
  )
}

/** The tokens of the leases that workers hold on these jobs. */
export async function findLeases(database: Database, ids: readonly string[]): Promise<string[]> {
  const { rows } = await database.query<{ lease_token: string }>(
    'select lease_token from jobs where id = any ($1) and lease_token is not null',
    [ids],
  )
  return rows.map(({ lease_token }) => lease_token)
}
