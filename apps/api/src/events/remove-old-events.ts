import type { Database } from '../database/database.ts'

/**
 * Days for which events and the attempts to deliver them are kept, as long as the jobs that they are about. A webhook is kept
 * as long after its revocation: no attempt has begun since, so that its last one goes with it or before it.
 */
export const KEPT_DAYS = 30

const AT_A_TIME = 5_000
/** Each has up to 100 deliveries. */
const EVENTS_AT_A_TIME = 1_000

// Piece by piece, so that nothing is locked for long. Attempts go first: they are shown with their events.
const REMOVE = [
  {
    atATime: AT_A_TIME,
    statement: `
      delete from webhook_pauses where ctid = any (array(
        select ctid from webhook_pauses where until < now() limit ${AT_A_TIME} for update skip locked))`,
  },
  {
    atATime: AT_A_TIME,
    statement: `
      delete from webhook_attempts where ctid = any (array(
        select ctid from webhook_attempts where attempted_at < now() - interval '${KEPT_DAYS} days' limit ${AT_A_TIME}))`,
  },
  {
    atATime: EVENTS_AT_A_TIME,
    statement: `
      with old as (
        delete from webhook_events where ctid = any (array(
          select ctid from webhook_events where happened_at < now() - interval '${KEPT_DAYS} days'
          order by happened_at limit ${EVENTS_AT_A_TIME}))
        returning account_id, id
      ), gone as (
        delete from webhook_deliveries d using old where d.account_id = old.account_id and d.event_id = old.id
      )
      select from old`,
  },
  {
    atATime: AT_A_TIME,
    statement: `
      with old as (
        select account_id, id from webhooks where revoked_at < now() - interval '${KEPT_DAYS} days'
        order by revoked_at limit ${AT_A_TIME} for update skip locked
      ), secrets as (
        delete from webhook_secrets s using old where s.account_id = old.account_id and s.webhook_id = old.id
      ), thresholds as (
        delete from webhook_thresholds_sent t using old where t.account_id = old.account_id and t.webhook_id = old.id
      )
      delete from webhooks w using old where w.account_id = old.account_id and w.id = old.id`,
  },
]

/** Removes some of the expired rows. Returns whether there may be more. */
export async function removeOldEvents(database: Database): Promise<boolean> {
  let isMore = false
  for (const { statement, atATime } of REMOVE) {
    const { rowCount } = await database.query(statement)
    if (rowCount === atATime) isMore = true
  }
  return isMore
}
