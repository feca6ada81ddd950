// The keys of an account. A key is shown once, when it is issued; only its hash and its last four characters are stored. A key is
// revoked from its `revoked_at` on, which a rotation may set in the future. Running servers notice changes within a second,
// because principals.ts caches for at most that long.

import { randomInt } from 'node:crypto'
import { API_KEY_SECRET_LENGTH, formatApiKey } from '@lotline/contract/checks'
import { type Database, type Queryable, writeToJournal } from '../../infrastructure/database.ts'
import type { CreditLimit } from './key-limits.ts'
import { hashKey } from './principals.ts'

export interface IssuedKey {
  readonly keyId: string
  /** Shown this once. */
  readonly key: string
}

const INSERT_KEY = `
  insert into api_keys (account_id, hash, last4, oauth_client, limit_id, name, allowed_operations, expires_at, id, oauth_grant,
    oauth_issuer)
  values ($1, decode($2, 'hex'), $3, $4, $5, $6, $7, $8, coalesce($9, gen_random_uuid()), $10, $11)
  returning id`

/** The rights of a new key. An absent field is a right that the key does not have. */
export interface NewKey {
  /** A new UUID by default. */
  readonly id?: string
  readonly name?: string
  /** The client it is issued to; GET /v1/me does not return the email address to such a key. */
  readonly oauthClient?: string
  /** For a connector (oauth/connectors.ts), the SHA-256 of its grant id. */
  readonly oauthGrant?: Buffer
  /** For a connector of an external issuer (oauth/external-connectors.ts), the URL of the issuer. */
  readonly oauthIssuer?: string
  /** The limit that it shares with the key it replaces. */
  readonly limitId?: string
  /** operationIds. Absent: all. */
  readonly allowedOperations?: readonly string[]
  readonly expiresAt?: Date
}

/** A further key of an account. */
export async function issueKey(
  database: Queryable,
  accountId: string,
  { id, name = '', oauthClient, oauthGrant, oauthIssuer, limitId, allowedOperations, expiresAt }: NewKey = {},
): Promise<IssuedKey> {
  const key = createApiKey()
  const { rows } = await database.query<{ id: string }>(INSERT_KEY, [
    accountId,
    hashKey(key),
    key.slice(-4),
    oauthClient ?? null,
    limitId ?? null,
    name,
    allowedOperations ?? null,
    expiresAt?.toISOString() ?? null,
    id ?? null,
    oauthGrant ?? null,
    oauthIssuer ?? null,
  ])
  await writeToJournal(database, [{ kind: 'key_created', key: rows[0]!.id, account: accountId }])
  return { keyId: rows[0]!.id, key }
}

export interface KeyInfo {
  readonly key_id: string
  readonly account_id: string
  readonly last4: string
  readonly oauth_client: string | null
  readonly created_at: Date
  /** The time of revocation. If it is in the future, the key works until then. */
  readonly revoked_at: Date | null
  /** When it expires. */
  readonly expires_at: Date | null
  /** Whether it is revoked or has expired. */
  readonly revoked: boolean
  readonly name: string
  /** The last use, rounded to the minute. */
  readonly last_used_at: Date | null
  /** operationIds; null: all. */
  readonly allowed_operations: readonly string[] | null
  /** null: it may spend all credits of the account. */
  readonly credit_limit: CreditLimit | null
  /** Credits used in the present period of the limit. */
  readonly credits_used: number | null
  /** When the next period begins. */
  readonly resets_at: Date | null
}

const SELECT_KEYS = `
  select id as key_id, account_id, last4, oauth_client, created_at, revoked_at, expires_at, name, last_used_at,
    allowed_operations, coalesce(least(revoked_at, expires_at) <= now(), false) as revoked,
    case when l.key_id is not null then json_build_object('credits', l.credits, 'per', l.per) end as credit_limit,
    l.used as credits_used, l.resets_at
  from api_keys left join key_allowances l on l.key_id = api_keys.id`

/** Oldest first, revoked ones too. */
export async function listKeys(database: Queryable, accountId: string): Promise<KeyInfo[]> {
  const { rows } = await database.query<KeyInfo>(
    `${SELECT_KEYS} where account_id = $1 order by created_at, id`,
    [accountId],
  )
  return rows
}

/** Finds a key by its id or by its text, for example a leaked key. */
export async function findKey(database: Queryable, key: { id: string } | { text: string }) {
  const { rows } =
    'id' in key
      ? await database.query<KeyInfo>(`${SELECT_KEYS} where id = $1`, [key.id])
      : await database.query<KeyInfo>(`${SELECT_KEYS} where hash = decode($1, 'hex')`, [hashKey(key.text)])
  return rows[0]
}

/** Revokes a key at once, in a transaction. False when there is no such key. Repeating it is harmless. */
export async function revokeKey(database: Queryable, keyId: string): Promise<boolean> {
  const { rows } = await database.query<{ account_id: string; revoked_at: Date }>(
    'update api_keys set revoked_at = least(revoked_at, now()) where id = $1 returning account_id, revoked_at',
    [keyId],
  )
  const [revoked] = rows
  if (!revoked) return false
  const { account_id: account, revoked_at } = revoked
  await writeToJournal(database, [{ kind: 'key_revoked', key: keyId, account, revoked_at }])
  return true
}

/**
 * Allows a client of an external issuer to connect again after its key was revoked: its next call creates a new key. Returns
 * false if the key is not the revoked key of such a client.
 */
export async function forgetConnector(database: Queryable, keyId: string): Promise<boolean> {
  const { rowCount } = await database.query(
    'update api_keys set oauth_issuer = null where id = $1 and oauth_issuer is not null and revoked_at <= now()',
    [keyId],
  )
  return rowCount === 1
}

export type KeyRotation =
  | ({ readonly rotated: true; readonly accountId: string; readonly oldKeyRevokedAt: Date } & IssuedKey)
  | { readonly rotated: false; readonly because: 'no such key' | 'already revoked' }

const LOCK_ACCOUNT = `
  select from accounts where id = (select account_id from api_keys where id = $1) for no key update`

interface RetiredKey {
  readonly account_id: string
  readonly oauth_client: string | null
  readonly revoked_at: Date
  readonly limit_id: string | null
  readonly name: string
  readonly allowed_operations: readonly string[] | null
  readonly expires_at: Date | null
}

const RETIRE_KEY = `
  update api_keys set revoked_at = least(revoked_at, now() + make_interval(mins => $2::integer))
  where id = $1 and coalesce(least(revoked_at, expires_at) > now(), true)
  returning account_id, oauth_client, revoked_at, limit_id, name, allowed_operations, expires_at`

/**
 * Issues a new key in place of an old one, to the same OAuth client if it has one. The old key works for `graceMinutes` more (0:
 * it is revoked immediately), but never longer than before. Both share the credit limit of the old key and its used credits.
 */
export function rotateKey(database: Database, keyId: string, graceMinutes = 0): Promise<KeyRotation> {
  return database.transaction(async (tx) => {
    // The account is locked first, as wherever a limit is set, so that the limit is not removed meanwhile.
    await tx.query(LOCK_ACCOUNT, [keyId])
    return rotateKeyIn(tx, keyId, graceMinutes)
  })
}

/** Like `rotateKey`, in a transaction that has locked the account. */
export async function rotateKeyIn(tx: Queryable, keyId: string, graceMinutes: number): Promise<KeyRotation> {
  const { rows } = await tx.query<RetiredKey>(RETIRE_KEY, [keyId, graceMinutes])
  const old = rows[0]
  if (!old) {
    const because = (await findKey(tx, { id: keyId })) ? 'already revoked' : 'no such key'
    return { rotated: false, because }
  }
  const { account_id: account, revoked_at } = old
  await writeToJournal(tx, [{ kind: 'key_revoked', key: keyId, account, revoked_at }])
  const issued = await issueKey(tx, old.account_id, {
    name: old.name,
    ...(old.oauth_client !== null && { oauthClient: old.oauth_client }),
    ...(old.limit_id !== null && { limitId: old.limit_id }),
    ...(old.allowed_operations && { allowedOperations: old.allowed_operations }),
    ...(old.expires_at && { expiresAt: old.expires_at }),
  })
  return { rotated: true, accountId: old.account_id, oldKeyRevokedAt: old.revoked_at, ...issued }
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Creates a key of 190 random bits in the format of the contract. */
export function createApiKey(): string {
  const letters = Array.from({ length: API_KEY_SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
  return formatApiKey(letters.join(''))
}
