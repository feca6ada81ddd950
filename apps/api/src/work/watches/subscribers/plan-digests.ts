// Opens digests at their times: one row for each watch and period, with the range of its events. Several processes may run it.

import type { Queryable } from '../../../infrastructure/database.ts'

const AT_A_TIME = 100

// Nothing is sent for a paused watch or a suspended account: the digest is skipped, and the next one has its events. So is a digest while
// the one before is still open.
const PLAN = `
  with due as (
    select account_id, watch_id, id, reported_seq, digest_at, frequency from watch_subscribers
    where digest_at <= now() order by digest_at limit ${AT_A_TIME} for update skip locked
  ), moved as (
    update watch_subscribers s set digest_at = next_digest_at(s.frequency, now()) from due
    where s.account_id = due.account_id and s.watch_id = due.watch_id
  ), opened as (
    insert into watch_digests (account_id, watch_id, period, subscriber_id, after_seq, upto_seq)
    select due.account_id, due.watch_id, (due.digest_at at time zone 'UTC')::date, due.id, due.reported_seq, w.last_seq
    from due
    join watches w on w.account_id = due.account_id and w.id = due.watch_id
    join accounts a on a.id = due.account_id
    where w.last_seq > due.reported_seq and w.status <> 'paused' and a.status = 'active'
    on conflict do nothing
  )
  select from due`

/** Opens the digests that are due, up to a hundred. True: there may be more. */
export async function planDigests(database: Queryable): Promise<boolean> {
  return (await database.query(PLAN)).rows.length === AT_A_TIME
}
