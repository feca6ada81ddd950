// Browser sessions. A session has the rights of one API key: its calls are calls of that key, with the key's rate window, limits,
// and usage rows. A session begins with the key itself, or with a single-use link that the operator creates. A session from a
// link uses the account's portal key, whose text is not stored.

// Why: decisions/interfaces/portal-uses-the-engine.md
// Why: decisions/money/guessed-cookies-share-a-query.md

import type { Database, Queryable } from '../../infrastructure/database.ts'
import { batch, collectFor, csrfToken, tokenDigest } from '../../infrastructure/platform.ts'
import { issueKey } from './keys.ts'
import { consumeLink, createLink, type OneTimeLink, startSessionFor } from './sign-in.ts'

/** The name of the account's key for the portal, as GET /v1/keys lists it. */
const PORTAL_KEY_NAME = 'Portal'

export interface PortalSession {
  readonly accountId: string
  readonly keyId: string
  /** The hash of the session's key, which `admit` needs. */
  readonly keyHash: string
  readonly expiresAt: Date
  /**
   * The CSRF token of the session's forms. It is derived from the session's id: only a browser with the cookie can know it, and
   * the id cannot be derived from it.
   */
  readonly csrfToken: string
}

/** What a sign-in returns. `id` goes into the cookie and is stored nowhere. */
export interface StartedSession {
  readonly id: string
  readonly keyId: string
}

const FIND_SESSIONS = `
  select s.id_hash, k.account_id as "accountId", k.id as "keyId", encode(k.hash, 'hex') as "keyHash", s.expires_at as "expiresAt"
  from browser_sessions s join api_keys k on k.id = s.subject::uuid
  where s.id_hash = any ($1) and s.audience = 'portal' and s.expires_at > now() and coalesce(least(k.revoked_at, k.expires_at) > now(), true)`

export interface PortalSessions {
  /**
   * Returns undefined if the session does not exist or has ended, or if its key was revoked or has expired. Reads the database
   * for each request, so a revoked key ends its sessions immediately.
   */
  find(id: string): Promise<PortalSession | undefined>
  /** Like `find`, for an id that is probably a guess: ids that arrive within GUESS_BATCH_MS are looked up together. */
  findGuess(id: string): Promise<PortalSession | undefined>
}

const READ_BATCH_SIZE = 256
const GUESS_BATCH_MS = 20

export function createPortalSessions(database: Queryable): PortalSessions {
  type SessionRow = Omit<PortalSession, 'csrfToken'> & { readonly id_hash: Buffer }
  const find = batch<string, PortalSession | undefined>(READ_BATCH_SIZE, async (ids) => {
    const hashes = ids.map(tokenDigest)
    const { rows } = await database.query<SessionRow>(FIND_SESSIONS, [hashes], {
      name: 'find_portal_sessions',
    })
    const found = new Map(rows.map(({ id_hash, ...session }) => [id_hash.toString('hex'), session]))
    return ids.map((id, at) => {
      const session = found.get(hashes[at]!.toString('hex'))
      return session && { ...session, csrfToken: csrfToken(id) }
    })
  })
  const gathered = collectFor(GUESS_BATCH_MS)
  return {
    find,
    async findGuess(id) {
      await gathered()
      return find(id)
    },
  }
}

/** Starts a session with the rights of a key that was just checked. */
export async function startSession(database: Queryable, keyId: string): Promise<StartedSession> {
  return { id: await startSessionFor(database, 'portal', keyId), keyId }
}

/** A link that signs in to an account once. */
export function createSignInLink(database: Queryable, accountId: string): Promise<OneTimeLink> {
  return createLink(database, 'portal', { accountId })
}

/** Starts a session with a link. undefined: there is no such link, it was used, or it has expired. */
export function useSignInLink(database: Database, token: string): Promise<StartedSession | undefined> {
  return database.transaction(async (tx) => {
    const link = await consumeLink(tx, 'portal', token)
    return link && startSession(tx, await getPortalKey(tx, link.accountId))
  })
}

/** Returns the id of the account's portal key. Creates one if none is live. */
export async function getPortalKey(tx: Queryable, accountId: string): Promise<string> {
  // Two concurrent links create one key.
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
