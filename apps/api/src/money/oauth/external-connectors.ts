// Connectors of an external issuer. A client of an account gets a key with its first token. All such keys of an account share one
// limit; otherwise each new client name would have its own budget. A token determines what the client may do. The key limits its
// spending, names it in the usage, and can be revoked: then no token of the client works for the account, however long it is
// valid.

// Why: decisions/money/external-connectors-share-a-limit.md
// Why: decisions/money/external-clients-are-keys.md

import type { Database, Queryable } from '../../infrastructure/database.ts'
import type { OauthEvent } from '../../infrastructure/platform.ts'
import { type Refusal, refuseFor } from '../../infrastructure/refusals.ts'
import { addOperations, CONNECTOR_IDLE_LIMIT, extendIdleConnector } from '../accounts/connector-keys.ts'
import { joinConnectorLimit } from '../accounts/key-limits.ts'
import { issueKey } from '../accounts/keys.ts'
import { MAX_LIVE_KEYS } from '../accounts/own-keys.ts'
import { hashKey } from '../accounts/principals.ts'
import { DEFAULT_CREDIT_LIMIT } from './consent-page.ts'
import { operationsInScopes, type Scope } from './rights.ts'

/** The claims of a valid token. */
export interface TokenFacts {
  readonly issuer: string
  /** A UUID in lower case, which may not exist in the database. */
  readonly accountId: string
  readonly clientId: string
  readonly scopes: readonly Scope[]
}

/** The keys of the issuer are not known and cannot be fetched. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable'
}

export interface ExternalIssuer {
  /**
   * Returns undefined if the token is invalid or for another audience.
   *
   * @throws IssuerUnavailable
   */
  verify(token: string): Promise<TokenFacts | undefined>
}

/** Whether a bearer token must be a JWT: it has three parts, and the first one is an object in base64url. */
export function isJwt(text: string): boolean {
  return /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(text)
}

/** The balance and rate limit of an account for a client without a key. */
export interface AccountAllowance {
  /** Credits. */
  readonly balance: number
  /** Credits of the balance that running jobs hold. */
  readonly held: number
  readonly rateLimitPerMinute: number
}

/** The refusal of a valid token whose client gets no key, because its account has the maximum number of keys. */
export interface KeylessRefusal extends Refusal {
  readonly account: AccountAllowance
}

/** The key of a connector, and the operations that its token allows. */
export interface Connector {
  /** A hash like those of `hashOf`, of a random text that no client gets. */
  readonly keyHash: string
  /** operationIds. */
  readonly operations: readonly string[]
}

export interface ExternalTokens {
  /**
   * Returns the connector of a token; undefined if the token is invalid, the account does not exist, or the connector was
   * revoked.
   *
   * @throws IssuerUnavailable
   */
  find(token: string): Promise<Connector | KeylessRefusal | undefined>
}

// Prefers the live key. There are several if an operator has allowed a revoked client again.
const FIND_CONNECTOR = `
  select encode(hash, 'hex') as hash, allowed_operations as allowed,
    coalesce(least(revoked_at, expires_at) > now(), true) as live,
    coalesce(revoked_at <= now(), false) as revoked,
    coalesce(expires_at < now() + ${CONNECTOR_IDLE_LIMIT} - interval '1 day', true) as due
  from api_keys where account_id = $1 and oauth_issuer = $2 and oauth_client = $3
  order by live desc, created_at desc limit 1`

const READ_ALLOWANCE = `
  select balance, held, rate_limit_per_minute as "rateLimitPerMinute",
    (select count(*)::integer from api_keys
      where account_id = a.id and coalesce(least(revoked_at, expires_at) > now(), true)) as keys
  from accounts a where id = $1`

interface ConnectorRow {
  readonly hash: string
  readonly allowed: readonly string[]
  /** Neither revoked nor unused for too long. */
  readonly live: boolean
  readonly revoked: boolean
  /** Whether its expiry must be extended. */
  readonly due: boolean
}

/** @param loadIssuer called with each token */
export function createExternalTokens(
  database: Database,
  loadIssuer: () => Promise<ExternalIssuer>,
  onEvent: (event: OauthEvent) => void,
): ExternalTokens {
  const look = async (tx: Queryable, { accountId, issuer, clientId }: TokenFacts) =>
    (
      await tx.query<ConnectorRow>(FIND_CONNECTOR, [accountId, issuer, clientId], {
        name: 'find_external_connector',
      })
    ).rows[0]

  /** Refuses another key at the maximum. undefined: the account may have another key, or does not exist. */
  async function refuseFull(tx: Queryable, accountId: string): Promise<KeylessRefusal | undefined> {
    const { rows } = await tx.query<AccountAllowance & { readonly keys: number }>(READ_ALLOWANCE, [accountId])
    const [account] = rows
    if (!account || account.keys < MAX_LIVE_KEYS) return undefined
    const values = { bound: MAX_LIVE_KEYS }
    return { ...refuseFor('key_not_allowed', 'connectors', values, { live_keys: account.keys }), account }
  }

  /** Creates the key, or reactivates an idle one. Of two concurrent first calls, the second finds the key of the first. */
  function create(facts: TokenFacts): Promise<ConnectorRow | KeylessRefusal | undefined> {
    return database.transaction(async (tx) => {
      const { accountId, clientId } = facts
      const account = await tx.query('select from accounts where id = $1 for no key update', [accountId])
      if (account.rowCount === 0) return undefined
      const made = await look(tx, facts)
      if (made && (made.live || made.revoked)) return made
      const refusal = await refuseFull(tx, accountId)
      if (refusal) return refusal
      if (made) {
        await extendIdleConnector(tx, made.hash)
        return look(tx, facts)
      }
      const { keyId, key } = await issueKey(tx, accountId, {
        name: clientId.slice(0, 100),
        oauthClient: clientId,
        oauthIssuer: facts.issuer,
        allowedOperations: operationsInScopes(facts.scopes),
      })
      await extendIdleConnector(tx, hashKey(key))
      await joinConnectorLimit(tx, { accountId, keyId }, { credits: DEFAULT_CREDIT_LIMIT, per: 'month' })
      onEvent('approved')
      return look(tx, facts)
    })
  }

  async function find(token: string): Promise<Connector | KeylessRefusal | undefined> {
    const facts = await (await loadIssuer()).verify(token)
    if (!facts) return undefined
    const known = await look(database, facts)
    const isKnown = known && (known.live || known.revoked)
    // Checks without locking the account, so that repeated calls of a refused client do not hold its lock.
    const found = isKnown ? known : ((await refuseFull(database, facts.accountId)) ?? (await create(facts)))
    if (!found || 'refused' in found) return found
    if (!found.live) return undefined
    if (found.due) await extendIdleConnector(database, found.hash)
    const operations = operationsInScopes(facts.scopes)
    if (!operations.every((id) => found.allowed.includes(id)))
      await addOperations(database, found.hash, operations)
    return { keyHash: found.hash, operations }
  }

  return {
    async find(token) {
      try {
        const found = await find(token)
        if (!found || 'refused' in found) onEvent('refused')
        return found
      } catch (error) {
        if (error instanceof IssuerUnavailable) onEvent('issuer_away')
        throw error
      }
    },
  }
}
