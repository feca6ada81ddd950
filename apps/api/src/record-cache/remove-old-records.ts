// Cached records that were not requested since they went stale are removed, or each home ever looked up at a remote
// provider would leave its record for ever, and in each backup.

import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { every, type Repeated } from '../platform/every.ts'

const REMOVE_EVERY_MS = 60_000
const AT_A_TIME = 500

// Twice as old as a record may be served: no call under way was made from it. By the index cached_records_by_age. What
// another process is removing, or a lookup is renewing, is passed over.
const REMOVE = `
  delete from cached_records where ctid = any (array(
    select ctid from cached_records where fetched_at < now() - 2 * cached_record_lifetime()
    order by fetched_at limit ${AT_A_TIME} for update skip locked))`

// Twice as old as a miss may be served. By the index missed_lookups_by_age.
const REMOVE_MISSES = `
  delete from missed_lookups where ctid = any (array(
    select ctid from missed_lookups where missed_at < now() - interval '20 minutes'
    order by missed_at limit ${AT_A_TIME} for update skip locked))`

/** Removes a piece of the misses that are remembered no more. True: there may be more. */
export async function removeOldMisses(database: Database): Promise<boolean> {
  return (await database.query(REMOVE_MISSES)).rowCount === AT_A_TIME
}

/** Removes a piece, so that nothing is locked for long. True: there may be more. */
export async function removeOldRecords(database: Database): Promise<boolean> {
  return (await database.query(REMOVE)).rowCount === AT_A_TIME
}

/** In every process; that several do it at once changes nothing. */
export function startRemovingRecords(database: Database, log: Logger, everyMs = REMOVE_EVERY_MS): Repeated {
  return every(
    everyMs,
    async () => {
      const records = await removeOldRecords(database)
      return (await removeOldMisses(database)) || records
    },
    (error) => log.warn({ err: error }, 'cannot remove old records'),
  )
}
