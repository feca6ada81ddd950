// After a restore: revokes keys and sets the status of accounts as the safety journal has them, in the transaction of the restore.

import type { Queryable } from '../../infrastructure/database.ts'

const REVOKE = `
  update api_keys k set revoked_at = least(k.revoked_at, r.at)
  from unnest($1::uuid[], $2::timestamptz[]) as r (id, at)
  where k.id = r.id and coalesce(k.revoked_at > r.at, true)
  returning k.id`

/** Revokes keys that the backup has as unrevoked, or as revoked later. Returns their ids. */
export async function revokeJournaledKeys(
  tx: Queryable,
  revoked: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  if (revoked.size === 0) return []
  const { rows } = await tx.query<{ id: string }>(REVOKE, [[...revoked.keys()], [...revoked.values()]])
  return rows.map(({ id }) => id)
}

const SET_STATUS = `
  update accounts a set status = r.status
  from unnest($1::uuid[], $2::text[]) as r (id, status)
  where a.id = r.id and a.status <> r.status
  returning a.id, a.status`

/** Gives accounts the status that they had last. Returns those that had another one in the backup. */
export async function setJournaledStatuses(
  tx: Queryable,
  statuses: ReadonlyMap<string, 'active' | 'suspended'>,
): Promise<readonly { readonly id: string; readonly status: 'active' | 'suspended' }[]> {
  if (statuses.size === 0) return []
  const values = [[...statuses.keys()], [...statuses.values()]]
  return (await tx.query<{ id: string; status: 'active' | 'suspended' }>(SET_STATUS, values)).rows
}

/**
 * Deletes all one-time links: a link of the backup may have been used or withdrawn since. Sessions are not in a backup, so none
 * survives a restore.
 */
export async function deleteLinks(tx: Queryable): Promise<void> {
  await tx.query('delete from one_time_links')
}
