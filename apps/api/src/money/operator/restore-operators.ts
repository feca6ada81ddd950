// After a restore: removes operators, sets their roles, and locks the console as the safety journal has it, in the transaction of the
// restore. An operator who was added after the backup is lost.

import type { ConsoleAccessState, Queryable } from '../../infrastructure/database.ts'
import { hasOwnerWithPasskey } from './console-access.ts'
import type { OperatorRole } from './roles.ts'

/** The numbers of operators that the backup had with a later removal or with another role. */
export interface RestoredOperators {
  readonly removed: number
  readonly withAnotherRole: number
}

const REMOVE = 'delete from operators where id = any ($1::uuid[])'
const SET_ROLES = `
  update operators o set role = r.role
  from unnest($1::uuid[], $2::text[]) as r (id, role)
  where o.id = r.id and o.role <> r.role`
const SET_LOCK = `
  update console_access
  set locked_at = case when $1::boolean then coalesce(locked_at, now()) end`
const SET_SHARED_SIGN_IN = 'update console_access set has_shared_sign_in = $1'

/**
 * @param roles the last role of each operator that was changed, by id; null: he was removed
 * @param access the last state of the console. undefined: the journal has none
 */
export async function restoreOperators(
  tx: Queryable,
  roles: ReadonlyMap<string, OperatorRole | null>,
  access: ConsoleAccessState | undefined,
): Promise<RestoredOperators> {
  const removedIds = [...roles].flatMap(([id, role]) => (role === null ? [id] : []))
  const changed = [...roles].flatMap(([id, role]) => (role === null ? [] : [{ id, role }]))
  const { rowCount: removed } = await tx.query(REMOVE, [removedIds])
  const { rowCount: withAnotherRole } = await tx.query(SET_ROLES, [
    changed.map(({ id }) => id),
    changed.map(({ role }) => role),
  ])
  if (access) {
    await tx.query(SET_LOCK, [access.is_locked])
    // Without an owner who can sign in, a console without the shared sign-in would be closed to everybody.
    const hasSharedSignIn = access.has_shared_sign_in || !(await hasOwnerWithPasskey(tx))
    await tx.query(SET_SHARED_SIGN_IN, [hasSharedSignIn])
  }
  return { removed, withAnotherRole }
}
