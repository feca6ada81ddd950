// Changes a key of the account with another one, the *own* key. Neither key gains rights that the own key does not have
// (`findExcess`).

// Why: decisions/money/oauth-keys-do-not-grow.md

import type { Database, Queryable } from '../../infrastructure/database.ts'
import { isRefusal, type Refusal, refuseFor } from '../../infrastructure/refusals.ts'
import { type CreditLimit, setKeyLimit } from './key-limits.ts'
import {
  findMissingRight,
  findOwnKey,
  type KeyHolder,
  lockAccount,
  type OwnKey,
  type OwnKeyRow,
  readOwnAndOther,
  refuseMissingRight,
} from './own-keys.ts'

/** undefined: unchanged. null: removes the limit. */
export interface KeyChanges {
  readonly name?: string | undefined
  /** operationIds. */
  readonly allowedOperations?: readonly string[] | null | undefined
  readonly expiresAt?: Date | null | undefined
  readonly creditLimit?: CreditLimit | null | undefined
}

const UPDATE_KEY = 'update api_keys set name = $2, allowed_operations = $3, expires_at = $4 where id = $1'

/** Returns the changed key. */
export function changeOwnKey(
  database: Database,
  asking: KeyHolder,
  id: string,
  changes: KeyChanges,
): Promise<OwnKey | Refusal> {
  return database.transaction(async (tx) => {
    await lockAccount(tx, asking.accountId)
    const both = await readOwnAndOther(tx, asking, id)
    if (isRefusal(both)) return both
    const { own, other: key } = both
    if (!key.active) return refuseFor('key_revoked', 'ended', {})
    const changed = changedKey(key, changes)
    const excess = findAddedRight(own, key, changed)
    if (excess !== undefined) return refuseMissingRight(excess)
    await writeKeyChanges(tx, key, changed)
    return (await findOwnKey(tx, asking.accountId, key.id))!
  })
}

function changedKey(
  key: OwnKeyRow,
  {
    name = key.name,
    allowedOperations = key.allowedOperations,
    expiresAt = key.expiresAt,
    creditLimit = key.creditLimit,
  }: KeyChanges,
): OwnKeyRow {
  const endsAt = earlierDate(key.revokedAt, expiresAt)
  return { ...key, name, allowedOperations, expiresAt, endsAt, creditLimit }
}

function earlierDate(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other
  return one < other ? one : other
}

/**
 * Describes the rights that the changed key would gain beyond the own key. A key of an OAuth client is also compared with its
 * present rights.
 */
function findAddedRight(own: OwnKeyRow, key: OwnKeyRow, changed: OwnKeyRow): string | undefined {
  // A user has approved what the client may do.
  const bounds = key.oauthClient === null ? [own] : [own, key]
  const excess = bounds.map((bound) => findMissingRight(bound, changed)).find((found) => found !== undefined)
  if (excess !== undefined) return excess
  // Applies to the own key and to keys that share its limit.
  const isWider = own.limitId !== null && !isWithin(changed.creditLimit, key.creditLimit!)
  return isWider ? 'credit_limit' : undefined
}

/** Whether a limit allows at most as much as the one before. Another period starts counting at 0. */
function isWithin(limit: CreditLimit | null, before: CreditLimit): boolean {
  return limit !== null && limit.per === before.per && limit.credits <= before.credits
}

async function writeKeyChanges(tx: Queryable, key: OwnKeyRow, changed: OwnKeyRow): Promise<void> {
  const { id, name, allowedOperations, expiresAt, creditLimit } = changed
  await tx.query(UPDATE_KEY, [id, name, allowedOperations, expiresAt?.toISOString() ?? null])
  const { credits, per } = key.creditLimit ?? {}
  if (creditLimit?.credits !== credits || creditLimit?.per !== per) await setKeyLimit(tx, id, creditLimit)
}
