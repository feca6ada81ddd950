// The keys of connectors, by the grant (oauth/connectors.ts) or by their hash (oauth/external-connectors.ts). Their text is an access
// token, so it changes, and so does their end.

import type { Queryable } from '../../infrastructure/database.ts'
import { createApiKey } from './keys.ts'
import { hashOf } from './principals.ts'

/** When the approval of the grant $1 ends: no token and no refresh outlives it. */
const APPROVED_UNTIL = `(select expires_at from oauth_records where model = 'Grant' and id = $1)`
/** SQL: whether a key works. */
export const IS_LIVE = 'coalesce(least(revoked_at, expires_at) > now(), true)'

/** Makes the text of the connector's key a new one. False: the connector has ended. */
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
    [grant, hashOf(token), token.slice(-4), expiresAt.toISOString()],
  )
  return rowCount === 1
}

/** Ends the access token. The next one has not been used yet. */
export async function endToken(database: Queryable, grant: Buffer): Promise<void> {
  // The hash of a text that is never given out.
  await database.query(
    "update api_keys set hash = decode($2, 'hex'), token_used_at = null where oauth_grant = $1",
    [grant, hashOf(createApiKey())],
  )
}

/** Until the transaction ends, no other one changes the connector or notes a call of it. */
export async function lockConnector(tx: Queryable, grant: Buffer): Promise<void> {
  await tx.query('select from api_keys where oauth_grant = $1 for update', [grant])
}

/** The connector works as long as it can be refreshed, and no longer than its user has approved it for. */
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

/** Revokes the key. Servers notice it within a second. */
export async function endConnector(database: Queryable, grant: Buffer): Promise<void> {
  await database.query('update api_keys set revoked_at = least(revoked_at, now()) where oauth_grant = $1', [
    grant,
  ])
}

/** A connector of an external issuer that is not used for this long ends, until its next token. SQL. */
export const CONNECTOR_IDLE_LIMIT = `interval '30 days'`

/** Moves the end of a connector of an external issuer on, unless it was revoked. It is written once a day at most. */
export async function extendIdleConnector(database: Queryable, keyHash: string): Promise<void> {
  await database.query(
    `update api_keys set expires_at = now() + ${CONNECTOR_IDLE_LIMIT} where hash = decode($1, 'hex') and coalesce(revoked_at > now(), true)`,
    [keyHash],
  )
}

/** Lists of keys show all that a client may do with any of its tokens. */
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
