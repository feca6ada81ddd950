// Key management by the account itself, with one of its keys, the *own* key. An own key never creates or changes a key that has
// more rights than itself (`findMissingRight`), so a leaked key is worth no more than its own rights. The own key is read under the
// account's lock, in the transaction that acts for it.

// Why: decisions/money/keys-create-no-stronger-keys.md

import { randomUUID } from 'node:crypto'
import type { Database, Queryable } from '../../infrastructure/database.ts'
import { isRefusal, type Refusal, refuseAt, refuseFor } from '../../infrastructure/refusals.ts'
import { type CreditLimit, setKeyLimit } from './key-limits.ts'
import { issueKey, revokeKey, rotateKeyIn } from './keys.ts'

/** Keys of an account that work, including those in a grace period. Each has its own rate limit. */
export const MAX_LIVE_KEYS = 20
const MAX_ENDED_LISTED = 100

/** What a key may do, and for how long. */
export interface KeyRights {
  /** operationIds; null: all. */
  readonly allowedOperations: readonly string[] | null
  /** When it expires or is revoked; null: never. */
  readonly endsAt: Date | null
  readonly oauthClient: string | null
  /** The limit that it shares with the keys of its rotations; null: it has none. */
  readonly limitId: string | null
}

/**
 * Describes a right that the other key has and the own key does not. Returns undefined if there is none.
 *
 * A credit limit counts for each key by itself, so two keys with the same limit could spend twice as much. A key with a limit
 * therefore covers only keys that share that limit.
 */
export function findMissingRight(own: KeyRights, other: KeyRights): string | undefined {
  const { allowedOperations: allowed } = own
  if (allowed && !other.allowedOperations?.every((id) => allowed.includes(id))) return 'allowed_operations'
  if (own.endsAt && (!other.endsAt || other.endsAt > own.endsAt)) return 'expires_at'
  if (own.limitId !== null && other.limitId !== own.limitId) return 'credit_limit'
  if (own.oauthClient !== null && other.oauthClient !== own.oauthClient) return 'oauth_client'
  return undefined
}

export interface OwnKey {
  readonly id: string
  readonly name: string
  readonly last4: string
  readonly active: boolean
  readonly allowedOperations: readonly string[] | null
  /** The client that it was issued to. */
  readonly oauthClient: string | null
  readonly creditLimit: CreditLimit | null
  readonly expiresAt: Date | null
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
}

export interface OwnKeyRow extends OwnKey, KeyRights {}

const SELECT_OWN_KEYS = `
  select k.id, k.name, k.last4, k.oauth_client as "oauthClient", k.limit_id as "limitId",
    k.allowed_operations as "allowedOperations", k.expires_at as "expiresAt", k.created_at as "createdAt",
    k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt", least(k.revoked_at, k.expires_at) as "endsAt",
    coalesce(least(k.revoked_at, k.expires_at) > now(), true) as active,
    case when l.key_id is not null then json_build_object('credits', l.credits, 'per', l.per) end as "creditLimit"
  from api_keys k left join key_allowances l on l.key_id = k.id`

const LIST_OWN_KEYS = `
  select * from (${SELECT_OWN_KEYS} where k.account_id = $1) k where active
  union all (
    select * from (${SELECT_OWN_KEYS} where k.account_id = $1) k where not active order by "endsAt" desc limit ${MAX_ENDED_LISTED})`

const LIST_OWN_KEYS_PAGE = `
  select * from (${LIST_OWN_KEYS}) k
    cross join lateral (select (extract(epoch from "createdAt") * 1000000)::bigint as micros) as clock
  where $2::bigint is null or micros < $2 or (micros = $2 and id > $3::uuid)
  order by micros desc, id limit $4`

/** A key with its position in the list: its creation time in microseconds since 1970. */
export interface ListedKey extends OwnKey {
  readonly micros: number
}

/**
 * Lists live keys and the keys that ended most recently, newest first.
 *
 * @param after the position of the previous key; null: from the start
 */
export async function listOwnKeys(
  database: Queryable,
  accountId: string,
  after: readonly [micros: number, id: string | number] | null,
  limit: number,
): Promise<ListedKey[]> {
  const values = [accountId, after?.[0] ?? null, after?.[1] ?? null, limit]
  return (await database.query<ListedKey>(LIST_OWN_KEYS_PAGE, values)).rows
}

/** undefined: the account has no such key. */
export async function findOwnKey(
  tx: Queryable,
  accountId: string,
  id: string,
): Promise<OwnKeyRow | undefined> {
  const { rows } = await tx.query<OwnKeyRow>(`${SELECT_OWN_KEYS} where k.account_id = $1 and k.id = $2`, [
    accountId,
    id,
  ])
  return rows[0]
}

export async function lockAccount(tx: Queryable, accountId: string): Promise<void> {
  await tx.query('select from accounts where id = $1 for no key update', [accountId])
}

async function countLive(tx: Queryable, accountId: string): Promise<number> {
  const { rows } = await tx.query<{ live: number }>(
    `select count(*) as live from api_keys
     where account_id = $1 and coalesce(least(revoked_at, expires_at) > now(), true)`,
    [accountId],
  )
  return rows[0]!.live
}

const TOO_MANY_KEYS_REFUSAL = refuseFor('key_count_limit', 'live', { bound: MAX_LIVE_KEYS })
const KEY_REVOKED_REFUSAL = refuseFor('invalid_api_key', 'revoked', {})
export const UNKNOWN_KEY_REFUSAL = refuseFor('not_found', 'key', {})

export function refuseMissingRight(place: string): Refusal {
  return refuseFor('key_not_allowed', 'exceeds', { place }, { exceeds: place })
}

/** The account and the key that makes the request. */
export interface KeyHolder {
  readonly accountId: string
  readonly keyId: string
}

export interface NewOwnKey {
  readonly name: string
  /** undefined: like the own key. */
  readonly allowedOperations?: readonly string[] | undefined
  /** undefined: like the own key. */
  readonly expiresAt?: Date | undefined
  /** undefined: none. */
  readonly creditLimit?: CreditLimit | undefined
  /** The client that it is issued to, with the SHA-256 of the id of its grant. undefined: that of the own key. */
  readonly oauth?: { readonly client: string; readonly grant: Buffer }
  /** Called first in the transaction, before the account is locked. If it throws, the transaction is rolled back. */
  readonly begin?: (tx: Queryable) => Promise<void>
}

export type CreatedKey = { readonly row: OwnKey; readonly key: string }

/** Thrown to roll the transaction back. */
class RollBackWithRefusal extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** `key` is shown this once. */
export async function createOwnKey(
  database: Database,
  asking: KeyHolder,
  wanted: NewOwnKey,
): Promise<CreatedKey | Refusal> {
  try {
    return await database.transaction((tx) => create(tx, asking, wanted))
  } catch (error) {
    if (error instanceof RollBackWithRefusal) return error.refusal
    throw error
  }
}

async function create(
  tx: Queryable,
  { accountId, keyId: ownId }: KeyHolder,
  { name, allowedOperations, expiresAt, creditLimit, oauth, begin }: NewOwnKey,
): Promise<CreatedKey> {
  const id = randomUUID()
  await begin?.(tx)
  await lockAccount(tx, accountId)
  const own = await findOwnKey(tx, accountId, ownId)
  if (!own?.active) throw new RollBackWithRefusal(KEY_REVOKED_REFUSAL)
  const rights: KeyRights = {
    allowedOperations: allowedOperations ?? own.allowedOperations,
    endsAt: expiresAt ?? own.endsAt,
    oauthClient: oauth?.client ?? own.oauthClient,
    limitId: null,
  }
  const excess = findMissingRight(own, rights)
  if (excess !== undefined) throw new RollBackWithRefusal(refuseMissingRight(excess))
  if ((await countLive(tx, accountId)) >= MAX_LIVE_KEYS) throw new RollBackWithRefusal(TOO_MANY_KEYS_REFUSAL)
  const { key } = await issueKey(tx, accountId, {
    id,
    name,
    ...(rights.oauthClient !== null && { oauthClient: rights.oauthClient }),
    ...(oauth && { oauthGrant: oauth.grant }),
    ...(rights.allowedOperations && { allowedOperations: rights.allowedOperations }),
    ...(rights.endsAt && { expiresAt: rights.endsAt }),
  })
  if (creditLimit) await setKeyLimit(tx, id, creditLimit)
  return { row: (await findOwnKey(tx, accountId, id))!, key }
}

export interface RotatedKey {
  readonly row: OwnKey
  readonly key: string
  readonly oldKeyId: string
  readonly oldKeyRevokedAt: Date
}

/** Replaces a key of the account; the old one works for `graceMinutes` more. */
export function rotateOwnKey(
  database: Database,
  { accountId, keyId }: KeyHolder,
  id: string,
  graceMinutes: number,
): Promise<RotatedKey | Refusal> {
  return database.transaction(async (tx): Promise<RotatedKey | Refusal> => {
    await lockAccount(tx, accountId)
    const refusal = await refuseUnlessTouchable(tx, { accountId, keyId }, id)
    if (refusal) return refusal
    const old = (await findOwnKey(tx, accountId, id))!
    // A key in its grace period has already been replaced.
    if (!old.active || old.revokedAt !== null) return refuseFor('key_revoked', 'ended', {})
    if (graceMinutes > 0 && (await countLive(tx, accountId)) >= MAX_LIVE_KEYS) return TOO_MANY_KEYS_REFUSAL
    const rotation = await rotateKeyIn(tx, old.id, graceMinutes)
    if (!rotation.rotated) return refuseFor('key_revoked', 'ended', {})
    return {
      row: (await findOwnKey(tx, accountId, rotation.keyId))!,
      key: rotation.key,
      oldKeyId: old.id,
      oldKeyRevokedAt: rotation.oldKeyRevokedAt,
    }
  })
}

/** Revokes a key of the account. undefined: it is revoked. */
export function revokeOwnKey(
  database: Database,
  { accountId, keyId }: KeyHolder,
  id: string,
): Promise<Refusal | undefined> {
  return database.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const refusal = await refuseUnlessTouchable(tx, { accountId, keyId }, id)
    if (!refusal) await revokeKey(tx, id)
    return refusal
  })
}

/** Whether the own key may replace or revoke a key. */
async function refuseUnlessTouchable(
  tx: Queryable,
  asking: KeyHolder,
  id: string,
): Promise<Refusal | undefined> {
  const both = await readOwnAndOther(tx, asking, id)
  return isRefusal(both) ? both : undefined
}

/** Reads the own key and a key that it may change: itself, or one without further rights. */
export async function readOwnAndOther(
  tx: Queryable,
  { accountId, keyId }: KeyHolder,
  id: string,
): Promise<{ readonly own: OwnKeyRow; readonly other: OwnKeyRow } | Refusal> {
  const own = await findOwnKey(tx, accountId, keyId)
  if (!own?.active) return KEY_REVOKED_REFUSAL
  if (own.id === id.toLowerCase()) return { own, other: own }
  const other = await findOwnKey(tx, accountId, id)
  if (!other) return UNKNOWN_KEY_REFUSAL
  const excess = findMissingRight(own, other)
  return excess === undefined ? { own, other } : refuseMissingRight(excess)
}

/** `expires_at` must lie ahead. */
export function refusePastTime(expiresAt: Date | undefined, value: string): Refusal | undefined {
  if (expiresAt === undefined || expiresAt.getTime() > Date.now()) return undefined
  return refuseAt('invalid_parameter', 'past_time', 'expires_at', { value })
}
