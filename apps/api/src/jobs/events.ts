// What is told about the end of a job. It is written in the transaction that ends the job, so that an event is there if
// and only if the job has ended, and once.

import type { Job } from '@lotline/contract'
import type { Queryable } from '../database/database.ts'

/** `job` as it stands from now on. */
export type WriteEvents = (tx: Queryable, accountId: string, job: Job) => Promise<void>

export { writeEvents } from '../webhooks/write-events.ts'
