// The storage of oidc-provider: one table, in which each secret is stored as its hash. An access token is not in it; it is the
// text of a connector's key (connectors.ts).

// Why: decisions/money/refresh-grace.md

import { createHash } from 'node:crypto'
import { hasStorableTexts } from '@lotline/contract/checks'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { type Budget, type Database, type Queryable, takeBudget } from '../../infrastructure/database.ts'
import {
  endConnector,
  endToken,
  extendConnector,
  isConnectorLive,
  lockConnector,
  setToken,
} from '../accounts/connector-keys.ts'

/** Lifetime of a registered client without an approval. Each token that it gets extends it. */
const UNUSED_CLIENT_S = 24 * 3600
const USED_CLIENT = "interval '90 days'"
/** Client registrations per hour, over all addresses. Records of clients without an approval expire after a day. */
export const NEW_CLIENTS = { kind: 'oauth_clients', perHour: 1_000 } as const satisfies Budget

const WRITE_RECORD = `
  insert into oauth_records (model, id, payload, grant_id, generation, expires_at)
  values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
  on conflict (model, id) do update
    set payload = excluded.payload, grant_id = excluded.grant_id, generation = excluded.generation,
      expires_at = excluded.expires_at`

const FIND_RECORD = `
  select payload, floor(extract(epoch from consumed_at))::integer as consumed
  from oauth_records where model = $1 and id = $2 and expires_at > now()`

/**
 * How long a client that lost the response may repeat a refresh, in seconds, as long as none of the tokens that it made was used. Each
 * repetition ends the tokens of the one before, so that one successor works. Any other use of a token that was used or replaced shows
 * that two parties have it, and the connector ends.
 */
export const REFRESH_GRACE_S = 60

// Each refresh of a grant creates a token of the next generation. A token may be used for the first time, or again within the
// grace period if no token of its generation or a later one was used, including the access token (principals.ts records its first
// call). The row of the connector is locked, so a call with the access token is either recorded by now, or finds that the token
// has ended.
const CHECK_REFRESH_TOKEN = `
  select mine.replaced_at is null
    and (mine.consumed_at is null
      or (mine.consumed_at > now() - interval '${REFRESH_GRACE_S} seconds' and k.token_used_at is null))
    and not exists (
      select from oauth_records used
      where used.model = 'RefreshToken' and used.grant_id = mine.grant_id and used.consumed_at is not null
        and used.generation >= mine.generation and used.id <> mine.id) as allowed
  from oauth_records mine join api_keys k on k.oauth_grant = mine.grant_id
  where mine.model = 'RefreshToken' and mine.id = $1`

const EXCHANGE_TOKEN = `
  update oauth_records set consumed_at = coalesce(consumed_at, now()), exchanges = exchanges + 1
  where model = 'RefreshToken' and id = $1
  returning generation, exchanges`

// Ends the tokens that an earlier exchange of the same token created.
const REPLACE_SUCCESSORS = `
  update oauth_records set replaced_at = now()
  where model = 'RefreshToken' and grant_id = $1 and generation > $2 and replaced_at is null`

/** Refreshes of a connector. Each leaves two records, and a client needs one in an hour. */
export const REFRESHES = { kind: 'oauth_refreshes', perHour: 60 } as const satisfies Budget

/** SHA-256 of a secret or an id, which is stored in its place. */
export function tokenDigest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

export interface RecordsParts {
  /** Creates the error for a secret that no longer works. */
  readonly gone: (reason: string) => Error
  /** Creates the error for a registration above the total limit. */
  readonly full: () => Error
  /** Creates the error for a refresh above the limit of its connector. */
  readonly busy: () => Error
  /** Creates the error for a text that the database cannot store. */
  readonly unstorable: () => Error
  /** Called for each secret that was reused and ended its connector. */
  readonly onReuse: () => void
  /** An object that identifies the current request. undefined: there is none. */
  readonly request: () => object | undefined
}

/** The result of the use of a record. */
interface RecordUse {
  readonly allowed: boolean
  /** Whether it ended a connector. */
  readonly ended?: boolean
  /** Set for a refresh token. */
  readonly exchange?: TokenExchange
}

/** One use of a refresh token by one request. */
interface TokenExchange {
  /** SHA-256 of the token. */
  readonly token: Buffer
  /** The number of uses of the token, including this one. */
  readonly count: number
}

/** The adapter class of oidc-provider, which creates an instance for each of its models. */
export function createRecords(
  database: Database,
  { gone, full, busy, unstorable, onReuse, request }: RecordsParts,
) {
  /** Exchanges by their requests. */
  const exchanges = new WeakMap<object, TokenExchange>()

  return class Records implements Adapter {
    readonly #model: string

    constructor(model: string) {
      this.#model = model
    }

    async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
      const { jti: _, ...rest } = payload
      const kept = this.#model === 'Session' ? withoutAccount(rest) : rest
      if (!hasStorableTexts(kept)) throw unstorable()
      const grant = payload.grantId === undefined ? null : tokenDigest(payload.grantId)
      const seconds = this.#model === 'Client' ? UNUSED_CLIENT_S : expiresIn
      const expiresAt = new Date(Date.now() + seconds * 1000)
      const exchange = isToken(this.#model) ? exchanges.get(request() ?? {}) : undefined
      await database.transaction(async (tx) => {
        if (exchange) {
          await lockConnector(tx, grant!)
          // A later repetition has the valid tokens; storing tokens of this one would end them.
          if (!(await isLatest(tx, exchange))) throw gone('it was used again meanwhile')
        }
        if (this.#model === 'Client') {
          if ((await takeBudget(tx, [NEW_CLIENTS, 'all'])) !== undefined) throw full()
        }
        const generation = typeof payload.rotations === 'number' ? payload.rotations : 0
        await tx.query(WRITE_RECORD, [
          this.#model,
          tokenDigest(id),
          JSON.stringify(kept),
          grant,
          generation,
          seconds,
        ])
        if (this.#model === 'AccessToken') {
          if (!(await setToken(tx, grant!, id, expiresAt))) throw gone('the connector was revoked')
          await tx.query(
            `update oauth_records set expires_at = now() + ${USED_CLIENT} where model = 'Client' and id = $1`,
            [tokenDigest(payload.clientId ?? '')],
          )
        }
        if (this.#model === 'RefreshToken') await extendConnector(tx, grant!, expiresAt)
      })
    }

    async find(id: string): Promise<AdapterPayload | undefined> {
      const { rows } = await database.query<{ payload: AdapterPayload; consumed: number | null }>(
        FIND_RECORD,
        [this.#model, tokenDigest(id)],
      )
      const [row] = rows
      if (!row) return undefined
      const { payload, consumed } = row
      if (this.#model === 'RefreshToken' && !(await isConnectorLive(database, tokenDigest(payload.grantId!))))
        return undefined
      if (this.#model === 'Client') return payload
      // consume decides whether a refresh token may be used again, one use of a grant after the other.
      if (this.#model === 'RefreshToken') return { ...payload, jti: id }
      return { ...payload, jti: id, ...(consumed !== null && { consumed }) }
    }

    /** No record is bound to a browser session. */
    async findByUid(): Promise<undefined> {
      return undefined
    }

    /** The service has no user codes. */
    async findByUserCode(): Promise<undefined> {
      return undefined
    }

    /** A code works once. A refresh token works again only within the grace period. Any other use ends the grant. */
    async consume(id: string): Promise<void> {
      const record = tokenDigest(id)
      const use = await database.transaction(async (tx): Promise<RecordUse> => {
        const grant = await findGrant(tx, this.#model, record)
        // Serializes the uses of a grant.
        if (grant) await lockConnector(tx, grant)
        const isRefresh = this.#model === 'RefreshToken' && grant !== undefined
        const allowed = isRefresh
          ? await mayRefresh(tx, record)
          : await consumeRecord(tx, this.#model, record)
        if (!allowed) {
          if (grant) await endGrant(tx, grant)
          return { allowed, ended: grant !== undefined }
        }
        if (!isRefresh) return { allowed }
        if ((await takeBudget(tx, [REFRESHES, grant.toString('hex')])) !== undefined) throw busy()
        return { allowed, exchange: await exchangeToken(tx, record, grant) }
      })
      if (use.ended) onReuse()
      if (!use.allowed) throw gone('it was used already')
      if (use.exchange) exchanges.set(request()!, use.exchange)
    }

    async destroy(id: string): Promise<void> {
      await database.transaction(async (tx) => {
        const record = tokenDigest(id)
        const grant = await findGrant(tx, this.#model, record)
        // A client that revokes its token has finished, so the connector ends too.
        if (isToken(this.#model) && grant) await endGrant(tx, grant)
        else await tx.query('delete from oauth_records where model = $1 and id = $2', [this.#model, record])
      })
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      const grant = tokenDigest(grantId)
      await database.transaction(async (tx) => {
        if (isToken(this.#model)) await endConnector(tx, grant)
        await tx.query('delete from oauth_records where model = $1 and grant_id = $2', [this.#model, grant])
      })
    }
  }
}

function isToken(model: string): boolean {
  return model === 'AccessToken' || model === 'RefreshToken'
}

/** Ends both together: while records remained, a repeated request would end the connector again. */
async function endGrant(tx: Queryable, grant: Buffer): Promise<void> {
  await endConnector(tx, grant)
  await tx.query('delete from oauth_records where grant_id = $1', [grant])
}

async function findGrant(tx: Queryable, model: string, record: Buffer): Promise<Buffer | undefined> {
  const { rows } = await tx.query<{ grant_id: Buffer | null }>(
    'select grant_id from oauth_records where model = $1 and id = $2',
    [model, record],
  )
  return rows[0]?.grant_id ?? undefined
}

/** Consumes a single-use record. Returns false if it was used before or does not exist. */
async function consumeRecord(tx: Queryable, model: string, record: Buffer): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update oauth_records set consumed_at = now() where model = $1 and id = $2 and consumed_at is null',
    [model, record],
  )
  return rowCount === 1
}

/** Whether a refresh token may be used now. Call it in a transaction that has locked the connector. */
async function mayRefresh(tx: Queryable, token: Buffer): Promise<boolean> {
  const { rows } = await tx.query<{ allowed: boolean }>(CHECK_REFRESH_TOKEN, [token])
  return rows[0]?.allowed ?? false
}

/** Uses a refresh token. All other tokens of the connector end, and the new tokens replace them. */
async function exchangeToken(tx: Queryable, token: Buffer, grant: Buffer): Promise<TokenExchange> {
  const { rows } = await tx.query<{ generation: number; exchanges: number }>(EXCHANGE_TOKEN, [token])
  const { generation, exchanges: count } = rows[0]!
  await tx.query(REPLACE_SUCCESSORS, [grant, generation])
  await endToken(tx, grant)
  return { token, count }
}

/** Whether the token was not used again after this exchange. */
async function isLatest(tx: Queryable, { token, count }: TokenExchange): Promise<boolean> {
  const { rows } = await tx.query(
    "select from oauth_records where model = 'RefreshToken' and id = $1 and exchanges = $2",
    [token, count],
  )
  return rows.length > 0
}

/** Removes the account, because each authorization needs a new sign-in. */
function withoutAccount(payload: AdapterPayload): AdapterPayload {
  const { accountId: _, authorizations: __, ...rest } = payload
  return rest
}
