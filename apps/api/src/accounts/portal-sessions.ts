// Sign-in with a browser. A session has the rights of one API key and nothing else: calls that it makes are calls of that key, with
// its rate window, its limits, and its usage rows. It begins with the key itself, or with a single-use link that the operator
// makes. A session from a link has a key of its own, the account's key for the portal, whose text is stored nowhere.
//
// Only hashes are stored, so a copy of the database opens no session.

import type { Database, Queryable } from '../database/database.ts'
import { batch } from '../platform/batch.ts'
import { gatherFor } from '../platform/gather.ts'
import { createToken, csrfTokenOf, digestOf } from '../platform/random-token.ts'
import { issueKey } from './keys.ts'

/** A session ends this long after its sign-in, whether it is used or not. */
export const SESSION_MINUTES = 60
export const LINK_MINUTES = 5
/** Sessions of one key at a time. A further sign-in ends the oldest one. */
const MAX_SESSIONS_OF_KEY = 50
/** The name of the account's key for the portal, as GET /v1/keys lists it. */
const PORTAL_KEY_NAME = 'Portal'

export interface PortalSession {
  readonly accountId: string
  readonly keyId: string
  /** Of its key, for `admit`. */
  readonly keyHash: string
  readonly expiresAt: Date
  /**
   * What each form of the session sends along. It is made from the session's id, so only a browser with the cookie can know it, and the
   * id cannot be found from it.
   */
  readonly csrfToken: string
}

/** What a sign-in returns. `id` goes into the cookie and is stored nowhere. */
export interface StartedSession {
  readonly id: string
  readonly keyId: string
}

const FIND = `
  select s.id_hash, k.account_id as "accountId", k.id as "keyId", encode(k.hash, 'hex') as "keyHash", s.expires_at as "expiresAt"
  from portal_sessions s join api_keys k on k.id = s.key_id
  where s.id_hash = any ($1) and s.expires_at > now() and coalesce(least(k.revoked_at, k.expires_at) > now(), true)`

export interface PortalSessions {
  /**
   * The session with this id. undefined: there is none, it has ended, or its key was revoked or has expired. It is read anew for each
   * request, so a revoked key ends its sessions at once.
   */
  find(id: string): Promise<PortalSession | undefined>
  /** The same for an id that is probably a guess: it is looked up together with all that come within GATHERED_MS. */
  findGuess(id: string): Promise<PortalSession | undefined>
}

const READ_AT_A_TIME = 256
const GATHERED_MS = 20

export function createPortalSessions(database: Queryable): PortalSessions {
  type Row = Omit<PortalSession, 'csrfToken'> & { readonly id_hash: Buffer }
  const find = batch<string, PortalSession | undefined>(READ_AT_A_TIME, async (ids) => {
    const hashes = ids.map(digestOf)
    const { rows } = await database.query<Row>(FIND, [hashes], { name: 'find_portal_sessions' })
    const found = new Map(rows.map(({ id_hash, ...session }) => [id_hash.toString('hex'), session]))
    return ids.map((id, at) => {
      const session = found.get(hashes[at]!.toString('hex'))
      return session && { ...session, csrfToken: csrfTokenOf(id) }
    })
  })
  const gathered = gatherFor(GATHERED_MS)
  return {
    find,
    async findGuess(id) {
      await gathered()
      return find(id)
    },
  }
}

const START = `
  with crowding as (
    delete from portal_sessions where id_hash in (
      select id_hash from portal_sessions where key_id = $2 and expires_at > now()
      order by expires_at desc offset ${MAX_SESSIONS_OF_KEY - 1})
  )
  insert into portal_sessions (id_hash, key_id, expires_at)
  values ($1, $2, now() + interval '${SESSION_MINUTES} minutes')`

/** Starts a session with the rights of a key that was just checked. Its id is always a new one. */
export async function startSession(database: Queryable, keyId: string): Promise<StartedSession> {
  const id = createToken()
  await database.query(START, [digestOf(id), keyId])
  return { id, keyId }
}

/** Ends a session. Repeating it is harmless. */
export async function endSession(database: Queryable, id: string): Promise<void> {
  await database.query('delete from portal_sessions where id_hash = $1', [digestOf(id)])
}

const CREATE_LINK = `
  insert into portal_links (token_hash, account_id, expires_at)
  values ($1, $2, now() + interval '${LINK_MINUTES} minutes')
  returning expires_at`

/** A link that signs in to an account once. `token` is stored nowhere. */
export async function createSignInLink(
  database: Queryable,
  accountId: string,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = createToken()
  const { rows } = await database.query<{ expires_at: Date }>(CREATE_LINK, [digestOf(token), accountId])
  return { token, expiresAt: rows[0]!.expires_at }
}

/** Starts a session with a link. undefined: there is no such link, it was used, or it has expired. */
export function useSignInLink(database: Database, token: string): Promise<StartedSession | undefined> {
  return database.transaction(async (tx) => {
    // The row goes with its first use. A second use at the same time waits for the first one and finds nothing.
    const { rows } = await tx.query<{ account_id: string }>(
      'delete from portal_links where token_hash = $1 and expires_at > now() returning account_id',
      [digestOf(token)],
    )
    return rows[0] && startSession(tx, await portalKeyOf(tx, rows[0].account_id))
  })
}

/** The id of the account's key for the portal. If there is none that works, one is made. */
export async function portalKeyOf(tx: Queryable, accountId: string): Promise<string> {
  // Two links at the same time make one key.
  await tx.query('select from accounts where id = $1 for no key update', [accountId])
  const { rows } = await tx.query<{ id: string }>(
    `select id from api_keys
     where account_id = $1 and for_portal and revoked_at is null and coalesce(expires_at > now(), true)
     order by created_at limit 1`,
    [accountId],
  )
  if (rows[0]) return rows[0].id
  const { keyId } = await issueKey(tx, accountId, { name: PORTAL_KEY_NAME })
  await tx.query('update api_keys set for_portal = true where id = $1', [keyId])
  return keyId
}
