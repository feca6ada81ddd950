// Sign-in to the console. Operators have no accounts or passwords: a person who can run the `lotline` command creates a
// single-use link with the operator's name, which the trail shows for the actions of the session.

// Why: decisions/money/operators-sign-in-by-link.md

import type { Database, Queryable } from '../../infrastructure/database.ts'
import { csrfToken, tokenDigest } from '../../infrastructure/platform.ts'
import { consumeLink, createLink, type OneTimeLink, startSessionFor } from '../accounts/sign-in.ts'
import { recordAction } from './trail.ts'

export interface OperatorSession {
  /** The name that was given with the link. */
  readonly operator: string
  readonly expiresAt: Date
  /** The CSRF token of the session's forms. */
  readonly csrfToken: string
}

/** Creates a link that signs in to the console once, as an operator with this name. */
export function createOperatorLink(database: Queryable, operator: string): Promise<OneTimeLink> {
  return createLink(database, 'console', { operator })
}

/**
 * Starts a session with a link and returns the session's id. Returns undefined if the link does not exist, was used, or has
 * expired.
 */
export function useOperatorLink(database: Database, token: string): Promise<string | undefined> {
  return database.transaction(async (tx) => {
    const link = await consumeLink(tx, 'console', token)
    if (!link) return undefined
    await recordAction(tx, { name: link.operator, via: 'console' }, { action: 'console.sign-in' })
    return startSessionFor(tx, 'console', link.operator)
  })
}

/** Returns undefined if no session has this id, or if it has ended. */
export async function findOperatorSession(
  database: Queryable,
  id: string,
): Promise<OperatorSession | undefined> {
  const { rows } = await database.query<Omit<OperatorSession, 'csrfToken'>>(
    `select subject as operator, expires_at as "expiresAt" from browser_sessions
     where id_hash = $1 and audience = 'console' and expires_at > now()`,
    [tokenDigest(id)],
  )
  return rows[0] && { ...rows[0], csrfToken: csrfToken(id) }
}
