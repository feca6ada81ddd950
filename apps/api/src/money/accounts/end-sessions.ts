// The one place where sessions of browsers end before their time: by a sign-out, a new sign-in, a revocation, a lock, or a change of the
// operator.

import type { Queryable } from '../../infrastructure/database.ts'
import { tokenDigest } from '../../infrastructure/platform.ts'

/** A session that has ended. Nothing of it opens anything. */
export interface EndedSession {
  /** The session's id in lists. */
  readonly id: string
  readonly audience: 'portal' | 'console' | 'operator'
  /** The id of a key in the portal, or the name of the operator in the console. */
  readonly subject: string
  readonly startedAt: Date
}

/** Sessions of the console: by their ids in lists, of a named operator, of the shared sign-in, or all of them. */
export type ConsoleSessions =
  | { readonly ids: readonly string[] }
  | { readonly operatorId: string }
  | 'shared'
  | 'all'

/** Ends the session with this id of a cookie. Repeating it is harmless. */
export async function endSession(database: Queryable, id: string): Promise<void> {
  await end(database, 'id_hash = $1', tokenDigest(id))
}

/** Ends sessions of the console, in all processes with their next request. Returns those that had not expired. */
export function endConsoleSessions(tx: Queryable, sessions: ConsoleSessions): Promise<EndedSession[]> {
  if (sessions === 'all') return end(tx, `audience in ('console', 'operator')`)
  if (sessions === 'shared') return end(tx, `audience = 'console'`)
  if ('operatorId' in sessions) return end(tx, 'operator_id = $1', sessions.operatorId)
  return end(tx, `audience in ('console', 'operator') and id = any ($1::uuid[])`, sessions.ids)
}

/** @param which a condition of SQL, with at most one value */
async function end(
  database: Queryable,
  which: string,
  value?: Buffer | string | readonly string[],
): Promise<EndedSession[]> {
  const { rows } = await database.query<EndedSession & { isOpen: boolean }>(
    `delete from browser_sessions where ${which}
     returning id, audience, subject, started_at as "startedAt", expires_at > now() as "isOpen"`,
    value === undefined ? [] : [value],
  )
  return rows.filter(({ isOpen }) => isOpen).map(({ isOpen: _, ...session }) => session)
}
