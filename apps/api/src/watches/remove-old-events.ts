import type { Database } from '../database/database.ts'
import { DELETED_KEPT_DAYS } from './delete-watch.ts'
import { REMEMBERED_DAYS } from './home-event.ts'

/** Days for which the events of watches can be read. */
export const WATCH_EVENTS_KEPT_DAYS = 90
const AT_A_TIME = 5_000

const REMOVE_EVENTS = `
  delete from watch_events where ctid = any (array(
    select ctid from watch_events where written_at < now() - interval '${WATCH_EVENTS_KEPT_DAYS} days'
    limit ${AT_A_TIME} for update skip locked))`

// Homes that left so long ago would be new if they came back, as if they had never been there.
const REMOVE_HOMES = `
  delete from watch_homes where ctid = any (array(
    select ctid from watch_homes where left_at < now() - interval '${REMEMBERED_DAYS + 1} days'
    limit ${AT_A_TIME} for update skip locked))`

const REMOVE_DELETED = `
  delete from deleted_watches where ctid = any (array(
    select ctid from deleted_watches where deleted_at < now() - interval '${DELETED_KEPT_DAYS} days'
    limit ${AT_A_TIME} for update skip locked))`

/**
 * Days for which the service knows what is withheld of a home. Events are kept for the longest time of all that is stored with
 * homes: rows of jobs and messages to webhooks are kept for 30 days. A transaction takes no two days.
 */
const WITHHELD_KEPT_DAYS = WATCH_EVENTS_KEPT_DAYS + 5

// Nothing is stored any more that shows these homes as they were before.
const REMOVE_WITHHELD = `
  delete from withheld_homes where zpid = any (array(
    select zpid from withheld_homes where since < now() - interval '${WITHHELD_KEPT_DAYS} days' limit ${AT_A_TIME}))
    and since < now() - interval '${WITHHELD_KEPT_DAYS} days'`

/** Removes a piece of what is kept no more, so that nothing is locked for long. True: there may be more. */
export async function removeOldWatchEvents(database: Database): Promise<boolean> {
  let isMore = false
  for (const statement of [REMOVE_EVENTS, REMOVE_HOMES, REMOVE_DELETED, REMOVE_WITHHELD]) {
    const { rowCount } = await database.query(statement)
    if (rowCount === AT_A_TIME) isMore = true
  }
  return isMore
}
