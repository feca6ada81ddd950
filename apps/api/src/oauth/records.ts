// Where oidc-provider keeps its state: one table, with each secret as its hash. Access tokens are different: the text of a
// connector's key (connectors.ts).

import { createHash } from 'node:crypto'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Logger } from 'pino'
import type { Database, Queryable } from '../database/database.ts'
import { every, type Repeated } from '../platform/every.ts'
import { endConnector, extendConnector, isConnectorLive, setToken } from './connectors.ts'

/** Of a registered client that no user has approved. Each token that it gets prolongs it. */
const UNUSED_CLIENT_S = 24 * 3600
const USED_CLIENT = "interval '90 days'"
/** Removed in one statement, so that nothing is locked for long. */
const REMOVED_AT_A_TIME = 500
const REMOVE_EVERY_MS = 60_000
/** Clients that may be registered in an hour, over all addresses. Their records end after a day if they are not approved. */
export const MAX_NEW_CLIENTS_PER_HOUR = 1_000
/** Of the transactions that count registered clients and add one. Any number that no other advisory lock has. */
const REGISTRATION_LOCK = 7240316522

const WRITE = `
  insert into oauth_records (model, id, payload, grant_id, generation, expires_at)
  values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
  on conflict (model, id) do update
    set payload = excluded.payload, grant_id = excluded.grant_id, generation = excluded.generation,
      expires_at = excluded.expires_at`

const FIND = `
  select payload, floor(extract(epoch from consumed_at))::integer as consumed
  from oauth_records where model = $1 and id = $2 and expires_at > now()`

const REMOVE_OLD = `
  delete from oauth_records where (model, id) in (
    select model, id from oauth_records where expires_at < now() order by expires_at limit ${REMOVED_AT_A_TIME}
    for update skip locked)`

/**
 * How long a client that lost the response may repeat a refresh, in seconds. A client that repeats it later, or whose new token was
 * used meanwhile, did get the response: someone else has the token, and the connector ends.
 */
export const REFRESH_GRACE_S = 60

// Each refresh of a grant makes tokens of the next generation. A token may be used if none of a later generation was, and its own
// generation was not used for the first time longer ago than the grace.
const JUDGE_REFRESH = `
  select not exists (
    select from oauth_records used
    where used.model = 'RefreshToken' and used.grant_id = $2 and used.consumed_at is not null
      and used.generation >= mine.generation
      and (used.generation > mine.generation or used.consumed_at <= now() - interval '${REFRESH_GRACE_S} seconds')
  ) as allowed, (
    select count(*)::integer from oauth_records made
    where made.model = 'RefreshToken' and made.grant_id = $2 and made.created_at > now() - interval '1 hour'
  ) as made
  from oauth_records mine where mine.model = 'RefreshToken' and mine.id = $1`

/** Refreshes of a connector in an hour. Each leaves two records, and a client needs one in an hour. */
export const MAX_REFRESHES_PER_HOUR = 60

/** Removes a piece of the records that have expired. True: there may be more. */
export async function removeOldOauthRecords(database: Database): Promise<boolean> {
  return (await database.query(REMOVE_OLD)).rowCount === REMOVED_AT_A_TIME
}

/** In every process; that several do it at once changes nothing. */
export function startRemovingOauthRecords(database: Database, log: Logger): Repeated {
  return every(
    REMOVE_EVERY_MS,
    () => removeOldOauthRecords(database),
    (error) => log.warn({ err: error }, 'cannot remove old records of OAuth'),
  )
}

/** SHA-256 of a secret or an id: what is stored of it. */
export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

export interface RecordsParts {
  /** Makes the error for a secret that no longer works. */
  readonly gone: (reason: string) => Error
  /** Makes the error for a client beyond the limit of all. */
  readonly full: () => Error
  /** Makes the error for a refresh beyond the limit of its connector. */
  readonly busy: () => Error
  /** Gets a report of each secret that was used again and has ended its connector. */
  readonly onReuse: () => void
}

/** The class that oidc-provider makes one of for each of its models. */
export function createRecords(database: Database, { gone, full, busy, onReuse }: RecordsParts) {
  return class Records implements Adapter {
    readonly #model: string

    constructor(model: string) {
      this.#model = model
    }

    async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
      const { jti: _, ...rest } = payload
      const kept = this.#model === 'Session' ? withoutAccount(rest) : rest
      const grant = payload.grantId === undefined ? null : digestOf(payload.grantId)
      const seconds = this.#model === 'Client' ? UNUSED_CLIENT_S : expiresIn
      const expiresAt = new Date(Date.now() + seconds * 1000)
      await database.transaction(async (tx) => {
        if (this.#model === 'Client') {
          // One registration after the other, so that none counts before another one is stored.
          await tx.query('select pg_advisory_xact_lock($1)', [REGISTRATION_LOCK])
          if ((await countNewClients(tx)) >= MAX_NEW_CLIENTS_PER_HOUR) throw full()
        }
        const generation = typeof payload.rotations === 'number' ? payload.rotations : 0
        await tx.query(WRITE, [this.#model, digestOf(id), JSON.stringify(kept), grant, generation, seconds])
        if (this.#model === 'AccessToken') {
          if (!(await setToken(tx, grant!, id, expiresAt))) throw gone('the connector was revoked')
          await tx.query(
            `update oauth_records set expires_at = now() + ${USED_CLIENT} where model = 'Client' and id = $1`,
            [digestOf(payload.clientId ?? '')],
          )
        }
        if (this.#model === 'RefreshToken') await extendConnector(tx, grant!, expiresAt)
      })
    }

    async find(id: string): Promise<AdapterPayload | undefined> {
      const { rows } = await database.query<{ payload: AdapterPayload; consumed: number | null }>(FIND, [
        ...[this.#model, digestOf(id)],
      ])
      const [row] = rows
      if (!row) return undefined
      const { payload, consumed } = row
      if (this.#model === 'RefreshToken' && !(await isConnectorLive(database, digestOf(payload.grantId!))))
        return undefined
      if (this.#model === 'Client') return payload
      // Whether a refresh token may be used again is decided where it is used, one use of a grant after the other.
      if (this.#model === 'RefreshToken') return { ...payload, jti: id }
      return { ...payload, jti: id, ...(consumed !== null && { consumed }) }
    }

    /** Nothing is bound to the session of a browser. */
    async findByUid(): Promise<undefined> {
      return undefined
    }

    /** There are no user codes. */
    async findByUserCode(): Promise<undefined> {
      return undefined
    }

    /** A code works once. A refresh token works again only in the grace of its rotation. Any other use ends what was granted. */
    async consume(id: string): Promise<void> {
      const key = digestOf(id)
      const refused = await database.transaction(async (tx) => {
        const { rows } = await tx.query<{ grant_id: Buffer | null; is_used: boolean }>(
          `select grant_id, consumed_at is not null as is_used from oauth_records
           where model = $1 and id = $2 for no key update`,
          [this.#model, key],
        )
        const [row] = rows
        if (!row) return { grant: null }
        const { grant_id: grant, is_used: isUsed } = row
        const isRefresh = this.#model === 'RefreshToken' && grant !== null
        const { allowed, made } = isRefresh
          ? await judgeRefresh(tx, key, grant)
          : { allowed: !isUsed, made: 0 }
        if (!allowed) return { grant }
        if (made > MAX_REFRESHES_PER_HOUR) throw busy()
        await tx.query(
          'update oauth_records set consumed_at = now() where model = $1 and id = $2 and consumed_at is null',
          [this.#model, key],
        )
        return undefined
      })
      if (!refused) return
      if (refused.grant) {
        const { grant } = refused
        await database.transaction((tx) => endGrant(tx, grant))
        onReuse()
      }
      throw gone('it was used already')
    }

    async destroy(id: string): Promise<void> {
      await database.transaction(async (tx) => {
        const record = [this.#model, digestOf(id)]
        const { rows } = await tx.query<{ grant_id: Buffer | null }>(
          'select grant_id from oauth_records where model = $1 and id = $2',
          record,
        )
        const grant = rows[0]?.grant_id
        // A client that gives its token back is done: the connector ends with it.
        if (isToken(this.#model) && grant) await endGrant(tx, grant)
        else await tx.query('delete from oauth_records where model = $1 and id = $2', record)
      })
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      const grant = digestOf(grantId)
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

/** Both or nothing: while the records are there, a client that repeats the request ends the connector. */
async function endGrant(tx: Queryable, grant: Buffer): Promise<void> {
  await endConnector(tx, grant)
  await tx.query('delete from oauth_records where grant_id = $1', [grant])
}

interface RefreshVerdict {
  /** Whether the token may be used now. */
  readonly allowed: boolean
  /** Refresh tokens that the grant got within the last hour, with the first. */
  readonly made: number
}

/** Until the transaction ends, no other token of the grant is used. */
async function judgeRefresh(tx: Queryable, id: Buffer, grant: Buffer): Promise<RefreshVerdict> {
  // The record of the grant itself, which each of its tokens shares.
  await tx.query("select from oauth_records where model = 'Grant' and id = $1 for no key update", [grant])
  const { rows } = await tx.query<RefreshVerdict>(JUDGE_REFRESH, [id, grant])
  return rows[0] ?? { allowed: false, made: 0 }
}

/** A browser keeps no sign-in: each authorization needs a key. */
function withoutAccount(payload: AdapterPayload): AdapterPayload {
  const { accountId: _, authorizations: __, ...rest } = payload
  return rest
}

/** Clients that were registered within the last hour. */
async function countNewClients(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    "select count(*)::integer as count from oauth_records where model = 'Client' and created_at > now() - interval '1 hour'",
  )
  return rows[0]!.count
}
