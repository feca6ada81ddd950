// Cached records that nobody has asked for since they went stale are removed, or each home ever looked up at a remote
// provider would leave its record for ever, and in each backup.

import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { every, type Repeated } from '../every.ts'

const REMOVE_EVERY_MS = 60_000
const AT_A_TIME = 500

// Twice as old as a record may be served: no call under way was made from it. By the index cached_records_by_age. What
// another process is removing, or a lookup is renewing, is passed over.
const REMOVE = `
  delete from cached_records where zpid = any (array(
    select zpid from cached_records where fetched_at < now() - interval '48 hours'
    order by fetched_at limit ${AT_A_TIME} for update skip locked))`

/** Removes a piece, so that nothing is locked for long. True: there may be more. */
export async function removeOldRecords(database: Database): Promise<boolean> {
  return (await database.query(REMOVE)).rowCount === AT_A_TIME
}

/** In every process; that several do it at once changes nothing. */
export function startRemovingRecords(database: Database, log: Logger, everyMs = REMOVE_EVERY_MS): Repeated {
  return every(
    everyMs,
    () => removeOldRecords(database),
    (error) => log.warn({ err: error }, 'cannot remove old records'),
  )
}
