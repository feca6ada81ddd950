// Credit limits of keys: in total, or per day, week, or month in UTC. The SQL statements that charge and hold do the counting
// (database/migrations/0012_cycles_and_limits.sql).

import type { Queryable } from '../../infrastructure/database.ts'

export const LIMIT_PERIODS = ['total', 'day', 'week', 'month'] as const
export type LimitPeriod = (typeof LIMIT_PERIODS)[number]

/** The greatest limit, in credits. */
export const MAX_KEY_LIMIT = 1_000_000_000

export interface CreditLimit {
  /** Credits that the key may spend in each period, from 0 to `MAX_KEY_LIMIT`. */
  readonly credits: number
  /** A day begins at midnight UTC, a week on Monday, a month on its first day; `total` is never reset. */
  readonly per: LimitPeriod
}

/** The current state of a key's limit. */
export interface KeyAllowance extends CreditLimit {
  /** Credits that were charged and are held in the present period. */
  readonly used: number
  /** Credits that the limit leaves, at least 0. */
  readonly remaining: number
  /** When the next period begins; null for `total`. */
  readonly resetsAt: Date | null
}

/**
 * Sets or removes (null) the limit of a key and of the keys that share it since a rotation. Counts charges and holds from now on.
 * If the period stays the same, the used credits stay counted; with another period, counting restarts at 0.
 *
 * @throws if the key does not exist
 */
export async function setKeyLimit(
  database: Queryable,
  keyId: string,
  limit: CreditLimit | null,
): Promise<void> {
  await database.query('select set_key_limit($1, $2, $3)', [
    keyId,
    limit?.credits ?? null,
    limit?.per ?? null,
  ])
}

/**
 * Attaches a new key of an external issuer's client to the limit that all such keys of its account share. The first key creates
 * the limit. It stays, with its used credits, when its keys end. The caller has locked the account.
 */
export async function joinConnectorLimit(
  tx: Queryable,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
  first: CreditLimit,
): Promise<void> {
  const { rowCount } = await tx.query(
    `update api_keys k set limit_id = l.id from key_limits l
     where l.account_id = $1 and l.for_connectors and k.id = $2`,
    [accountId, keyId],
  )
  if (rowCount === 1) return
  await setKeyLimit(tx, keyId, first)
  await tx.query(
    'update key_limits set for_connectors = true where id = (select limit_id from api_keys where id = $1)',
    [keyId],
  )
}

/** undefined: the key has no limit. */
export async function findKeyAllowance(
  database: Queryable,
  keyId: string,
): Promise<KeyAllowance | undefined> {
  const { rows } = await database.query<KeyAllowance>(
    'select credits, per, used, remaining, resets_at as "resetsAt" from key_allowances where key_id = $1',
    [keyId],
    { name: 'key_allowance' },
  )
  return rows[0]
}
