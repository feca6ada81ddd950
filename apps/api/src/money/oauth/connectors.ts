// A connector is a key of the account, named after its client, with a credit limit and the operations that its user granted. The
// text of the key is the access token, which each refresh replaces. So usage, limits, lists of keys, and revocation treat a
// connector like any other key.

// Why: decisions/money/connector-tokens-are-keys.md

import type { OperationId } from '@lotline/contract'
import type { Database, Queryable } from '../../infrastructure/database.ts'
import { isRefusal, type Refusal, refuseFor } from '../../infrastructure/refusals.ts'
import { IS_LIVE } from '../accounts/connector-keys.ts'
import { createOwnKey, type NewOwnKey } from '../accounts/own-keys.ts'
import { type PlanId, plans } from '../accounts/plans.ts'

/** How long a client has to get its first token. */
const FIRST_TOKEN_WITHIN_MS = 15 * 60_000
/** Maximum length of a client id that is stored with its key, in characters. */
const MAX_SHOWN_CLIENT_ID = 200

export interface Approval {
  readonly accountId: string
  /** The key with which its user signed in. */
  readonly keyId: string
  /** Shown in lists of keys. */
  readonly name: string
  readonly clientId: string
  /** SHA-256 of the id of the grant. */
  readonly grant: Buffer
  /** SHA-256 of the id of the authorization request, which oidc-provider stores. */
  readonly request: Buffer
  readonly operations: readonly OperationId[]
  /** Credits per month. */
  readonly creditLimit: number
}

/** The operation that the approving key must be allowed to call. */
const OPERATION: OperationId = 'createKey'

const APPROVER = `
  select k.allowed_operations as allowed, a.denied_operations as denied, a.plan
  from api_keys k join accounts a on a.id = k.account_id
  where k.id = $1 and k.account_id = $2 and k.revoked_at is null and k.expires_at is null`

interface ApproverRow {
  /** null: all. */
  readonly allowed: readonly string[] | null
  readonly denied: readonly string[]
  readonly plan: PlanId
}

// A concurrent approval of the same request waits here for the first one.
const USE_REQUEST = `
  update oauth_records set consumed_at = now()
  where model = 'Interaction' and id = $1 and consumed_at is null and expires_at > now()`

/** Thrown to roll the transaction back. */
class RequestAlreadyUsed extends Error {}

/**
 * Creates the key of a connector, once per request. Returns undefined if another approval of the request was first. The key has
 * no token yet. A key cannot grant more than it has, so a key that expires, has a limit, or may not create keys cannot approve a
 * connector.
 */
export async function createConnector(
  database: Database,
  { accountId, keyId, name, clientId, grant, request, operations, creditLimit }: Approval,
): Promise<string | Refusal | undefined> {
  const { rows } = await database.query<ApproverRow>(APPROVER, [keyId, accountId])
  const [approver] = rows
  if (!approver)
    return refuseFor('key_not_allowed', 'exceeds', { place: 'expires_at' }, { exceeds: 'expires_at' })
  const { allowed, denied, plan } = approver
  // The refusal is the same as that of POST /v1/keys.
  if (denied.includes(OPERATION))
    return refuseFor('plan_not_allowed', 'operation', { plan: plans[plan].title, operation: OPERATION })
  if (allowed && !allowed.includes(OPERATION))
    return refuseFor('key_not_allowed', 'operation', { operation: OPERATION }, { operation: OPERATION })
  const wanted: NewOwnKey = {
    name: name.slice(0, 100),
    oauth: { client: clientId.slice(0, MAX_SHOWN_CLIENT_ID), grant },
    allowedOperations: operations,
    expiresAt: new Date(Date.now() + FIRST_TOKEN_WITHIN_MS),
    creditLimit: { credits: creditLimit, per: 'month' },
    async begin(tx) {
      if ((await tx.query(USE_REQUEST, [request])).rowCount === 0) throw new RequestAlreadyUsed()
    },
  }
  try {
    const created = await createOwnKey(database, { accountId, keyId }, wanted)
    return isRefusal(created) ? created : created.row.id
  } catch (error) {
    if (error instanceof RequestAlreadyUsed) return undefined
    throw error
  }
}

/** Whether a user has approved the client, and the connector has not ended. By the index api_keys_by_client. */
export async function hasConnector(database: Queryable, clientId: string): Promise<boolean> {
  // Only the beginning of a longer id is stored, and other ids may begin the same way.
  if (clientId.length > MAX_SHOWN_CLIENT_ID) return false
  const { rows } = await database.query(
    `select from api_keys where oauth_client = $1 and oauth_grant is not null and ${IS_LIVE} limit 1`,
    [clientId],
  )
  return rows.length > 0
}
