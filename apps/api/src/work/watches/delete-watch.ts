// Deletes watches. Deletions are recorded, so that a repeated DELETE gets the answer of the first one, whose response may have been lost.
// Why: decisions/work/deleted-watches-are-remembered.md

import type { Database } from '../../infrastructure/database.ts'
import { EVENTS_KEPT_DAYS } from '../events/event.ts'
import { deleteSubscriber } from './subscribers/subscriber-store.ts'

/** Days for which the deletion of a watch can be repeated: as long as the deletion of a webhook. */
export const DELETED_KEPT_DAYS = EVENTS_KEPT_DAYS

// One statement, so that each deleted watch has a record. A concurrent second call waits for the first one here.
const DELETE = `
  with gone as (
    delete from watches where account_id = $1 and id = $2 and ($3::uuid is null or key_id = $3)
    returning account_id, id, key_id
  )
  insert into deleted_watches (account_id, id, key_id) select account_id, id, key_id from gone`

// A separate statement, so that it sees the commit that the first statement waited for.
const WAS_DELETED = `
  select from deleted_watches where account_id = $1 and id = $2 and ($3::uuid is null or key_id = $3)`

/**
 * Deletes a watch with its homes, events, and subscriber. False: the account never had it, or deleted it long ago. @param keyId only a watch whose
 * events are charged to this key; default: any watch of the account
 */
export function deleteWatch(
  database: Database,
  accountId: string,
  id: string,
  keyId: string | null = null,
): Promise<boolean> {
  const asked = [accountId, id, keyId]
  return database.transaction(async (tx) => {
    const { rowCount } = await tx.query(DELETE, asked)
    if (rowCount === 0) return (await tx.query(WAS_DELETED, asked)).rows.length > 0
    await tx.query('delete from watch_homes where account_id = $1 and watch_id = $2', [accountId, id])
    await deleteSubscriber(tx, accountId, id)
    await tx.query('delete from watch_events where account_id = $1 and watch_id = $2', [accountId, id])
    return true
  })
}
