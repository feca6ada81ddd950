// The keys of connectors, found by grant (oauth/connectors.ts) or by hash (oauth/external-connectors.ts). The text of such a key
// is an access token, so its text and its expiry change.

import { type Queryable, writeToJournal } from '../../infrastructure/database.ts'
import { createApiKey } from './keys.ts'
import { hashKey } from './principals.ts'

/** The end of the approval of the grant $1. Tokens and refreshes end by then. */
const APPROVED_UNTIL = `(select expires_at from oauth_records where model = 'Grant' and id = $1)`
/** SQL: whether a key works. */
export const IS_LIVE = 'coalesce(least(revoked_at, expires_at) > now(), true)'

/** Replaces the text of the connector's key. Returns false if the connector has ended. */
export async function setToken(
  database: Queryable,
  grant: Buffer,
  token: string,
  expiresAt: Date,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update api_keys set hash = decode($2, 'hex'), last4 = $3, token_used_at = null,
       token_expires_at = least($4::timestamptz, ${APPROVED_UNTIL}),
       expires_at = greatest(expires_at, least($4::timestamptz, ${APPROVED_UNTIL}))
     where oauth_grant = $1 and ${IS_LIVE}`,
    [grant, hashKey(token), token.slice(-4), expiresAt.toISOString()],
  )
  return rowCount === 1
}

/** Ends the access token before the next one is used. */
export async function endToken(database: Queryable, grant: Buffer): Promise<void> {
  // The hash of a random text that no client gets.
  await database.query(
    "update api_keys set hash = decode($2, 'hex'), token_used_at = null where oauth_grant = $1",
    [grant, hashKey(createApiKey())],
  )
}

/** Locks the connector: until the transaction ends, no other one changes it or records a call of it. */
export async function lockConnector(tx: Queryable, grant: Buffer): Promise<void> {
  await tx.query('select from api_keys where oauth_grant = $1 for update', [grant])
}

/** Extends the connector to the end of its refresh token, but not beyond its approval. */
export async function extendConnector(database: Queryable, grant: Buffer, expiresAt: Date): Promise<void> {
  await database.query(
    `update api_keys set expires_at = least($2::timestamptz, ${APPROVED_UNTIL}) where oauth_grant = $1 and ${IS_LIVE}`,
    [grant, expiresAt.toISOString()],
  )
}

export async function isConnectorLive(database: Queryable, grant: Buffer): Promise<boolean> {
  const { rows } = await database.query(`select from api_keys where oauth_grant = $1 and ${IS_LIVE}`, [grant])
  return rows.length > 0
}

/** Revokes the key, in a transaction. Servers notice it within a second. */
export async function endConnector(tx: Queryable, grant: Buffer): Promise<void> {
  const { rows } = await tx.query<{ id: string; account_id: string; revoked_at: Date }>(
    `update api_keys set revoked_at = now() where oauth_grant = $1 and coalesce(revoked_at > now(), true)
     returning id, account_id, revoked_at`,
    [grant],
  )
  await writeToJournal(
    tx,
    rows.map(({ id, account_id, revoked_at }) => ({
      kind: 'key_revoked',
      key: id,
      account: account_id,
      revoked_at,
    })),
  )
}

/** SQL interval. A connector of an external issuer ends after this time without use, until its next token. */
export const CONNECTOR_IDLE_LIMIT = `interval '30 days'`

/** Extends a connector of an external issuer that is in use, unless it was revoked. Writes at most once a day. */
export async function extendIdleConnector(database: Queryable, keyHash: string): Promise<void> {
  await database.query(
    `update api_keys set expires_at = now() + ${CONNECTOR_IDLE_LIMIT} where hash = decode($1, 'hex') and coalesce(revoked_at > now(), true)`,
    [keyHash],
  )
}

/** Adds operations to those of the key, so that lists of keys show everything that any token of the client allows. */
export async function addOperations(
  database: Queryable,
  keyHash: string,
  operations: readonly string[],
): Promise<void> {
  await database.query(
    `update api_keys set allowed_operations = array(select distinct unnest(allowed_operations || $2::text[]))
     where hash = decode($1, 'hex')`,
    [keyHash, operations],
  )
}
