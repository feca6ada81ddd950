import type { Job } from '@lotline/contract'
import type { Queryable } from '../database/database.ts'
import { createEventId } from './event.ts'

/**
 * Writes the event of a job that ends in this transaction, for each live webhook of the account that asked for it.
 * `job` is as GET /v1/jobs lists it from now on. A job has one event: a second one is an error of the statement.
 */
export async function writeEvents(tx: Queryable, accountId: string, job: Job): Promise<void> {
  await tx.query(
    'select write_events($1, $2, $3, $4, $5, $6)',
    [accountId, job.id, createEventId(), `job.${job.status}`, job.completed_at, JSON.stringify(job)],
    { name: 'write_events' },
  )
}
