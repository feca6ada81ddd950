// Where oidc-provider keeps its state: one table, with each secret as its hash. Access tokens are different: the text of a
// connector's key (connectors.ts).

import { createHash } from 'node:crypto'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Database, Queryable } from '../database/database.ts'
import { endConnector, extendConnector, isConnectorLive, setToken } from './connectors.ts'

/** Of a registered client that no user has approved. Each token that it gets prolongs it. */
const UNUSED_CLIENT_S = 24 * 3600
const USED_CLIENT = "interval '90 days'"
/** Removed with each request for authorization and each registration. */
const REMOVED_AT_A_TIME = 200
/** Clients that may be registered in an hour, over all addresses. Their records end after a day if they are not approved. */
export const MAX_NEW_CLIENTS_PER_HOUR = 1_000
/** Of the transactions that count registered clients and add one. Any number that no other advisory lock has. */
const REGISTRATION_LOCK = 7240316522

const WRITE = `
  insert into oauth_records (model, id, payload, grant_id, expires_at)
  values ($1, $2, $3, $4, now() + make_interval(secs => $5))
  on conflict (model, id) do update
    set payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at`

const FIND = `
  select payload, floor(extract(epoch from consumed_at))::integer as consumed
  from oauth_records where model = $1 and id = $2 and expires_at > now()`

const REMOVE_OLD = `
  delete from oauth_records where (model, id) in (
    select model, id from oauth_records where expires_at < now() order by expires_at limit ${REMOVED_AT_A_TIME}
    for update skip locked)`

/** SHA-256 of a secret or an id: what is stored of it. */
export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/**
 * The class that oidc-provider makes one of for each of its models. `gone` makes the error for a secret that no longer works, `full` the
 * one for a client beyond the limit of all.
 */
export function createRecords(database: Database, gone: (reason: string) => Error, full: () => Error) {
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
        if (this.#model === 'Interaction' || this.#model === 'Client') await tx.query(REMOVE_OLD)
        await tx.query(WRITE, [this.#model, digestOf(id), JSON.stringify(kept), grant, seconds])
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

    /** Of two uses at once, one is the first. The other one is a replay, which ends what was granted. */
    async consume(id: string): Promise<void> {
      const { rows } = await database.query<{ grant_id: Buffer | null }>(
        `update oauth_records set consumed_at = now() where model = $1 and id = $2 and consumed_at is null
         returning grant_id`,
        [this.#model, digestOf(id)],
      )
      if (rows.length > 0) return
      const used = await database.query<{ grant_id: Buffer | null }>(
        'select grant_id from oauth_records where model = $1 and id = $2',
        [this.#model, digestOf(id)],
      )
      const grant = used.rows[0]?.grant_id
      if (grant) await this.#endGrant(grant)
      throw gone('it was used already')
    }

    async destroy(id: string): Promise<void> {
      const { rows } = await database.query<{ grant_id: Buffer | null }>(
        'delete from oauth_records where model = $1 and id = $2 returning grant_id',
        [this.#model, digestOf(id)],
      )
      const grant = rows[0]?.grant_id
      // A client that gives its token back is done: the connector ends with it.
      if (this.#model === 'AccessToken' && grant) await this.#endGrant(grant)
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      const grant = digestOf(grantId)
      await database.query('delete from oauth_records where model = $1 and grant_id = $2', [
        ...[this.#model, grant],
      ])
      if (this.#model === 'AccessToken' || this.#model === 'RefreshToken') await endConnector(database, grant)
    }

    async #endGrant(grant: Buffer): Promise<void> {
      await endConnector(database, grant)
      await database.query('delete from oauth_records where grant_id = $1', [grant])
    }
  }
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
