// Sign-in to the console. Operators have no accounts and no passwords: a person who can run the `lotline` command makes a single-use
// link, with the name under which the trail lists what is done in the session.

import type { Database, Queryable } from '../database/database.ts'
import { createToken, csrfTokenOf, digestOf } from '../platform/random-token.ts'
import { noteAction } from './trail.ts'

/** A session ends this long after its sign-in, whether it is used or not. */
export const SESSION_MINUTES = 60
export const LINK_MINUTES = 5

export interface OperatorSession {
  /** The name that was given with the link. */
  readonly operator: string
  readonly expiresAt: Date
  /** What each form of the session sends along. */
  readonly csrfToken: string
}

const CREATE_LINK = `
  insert into operator_links (token_hash, operator, expires_at)
  values ($1, $2, now() + interval '${LINK_MINUTES} minutes')
  returning expires_at`

/** A link that signs in to the console once, as an operator with this name. `token` is stored nowhere. */
export async function createOperatorLink(
  database: Queryable,
  operator: string,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = createToken()
  const { rows } = await database.query<{ expires_at: Date }>(CREATE_LINK, [digestOf(token), operator])
  return { token, expiresAt: rows[0]!.expires_at }
}

const START = `
  insert into operator_sessions (id_hash, operator, expires_at)
  values ($1, $2, now() + interval '${SESSION_MINUTES} minutes')`

/**
 * Starts a session with a link and returns the session's id, which goes into the cookie and is stored nowhere. undefined: there is no
 * such link, it was used, or it has expired.
 */
export function useOperatorLink(database: Database, token: string): Promise<string | undefined> {
  return database.transaction(async (tx) => {
    // The row goes with its first use. A second use at the same time waits for the first one and finds nothing.
    const { rows } = await tx.query<{ operator: string }>(
      'delete from operator_links where token_hash = $1 and expires_at > now() returning operator',
      [digestOf(token)],
    )
    if (!rows[0]) return undefined
    const id = createToken()
    await noteAction(tx, { name: rows[0].operator, via: 'console' }, { action: 'console.sign-in' })
    await tx.query(START, [digestOf(id), rows[0].operator])
    return id
  })
}

/** undefined: there is no session with this id, or it has ended. */
export async function findOperatorSession(
  database: Queryable,
  id: string,
): Promise<OperatorSession | undefined> {
  const { rows } = await database.query<Omit<OperatorSession, 'csrfToken'>>(
    'select operator, expires_at as "expiresAt" from operator_sessions where id_hash = $1 and expires_at > now()',
    [digestOf(id)],
  )
  return rows[0] && { ...rows[0], csrfToken: csrfTokenOf(id) }
}

/** Ends a session. Repeating it is harmless. */
export async function endOperatorSession(database: Queryable, id: string): Promise<void> {
  await database.query('delete from operator_sessions where id_hash = $1', [digestOf(id)])
}
