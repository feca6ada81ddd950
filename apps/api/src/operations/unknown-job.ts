import { RETENTION_DAYS } from '../jobs/job.ts'
import { type Refusal, refuse } from '../platform/refusal.ts'

/** The same for an id that nobody has and for one of another account. */
export function refuseUnknownJob(): Refusal {
  return refuse(
    'job_not_found',
    `No job of this account has this id. Jobs that have ended are kept for ${RETENTION_DAYS} days.`,
  )
}
