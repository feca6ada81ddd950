// Sessions of the console. The shared sign-in is a single-use link of the `lotline` command with the operator's name, which the trail shows
// for the actions of the session. Named operators sign in with passkeys (passkeys.ts).

// Why: decisions/money/operators-sign-in-by-link.md

import type { Database, Queryable } from '../../infrastructure/database.ts'
import { csrfToken, tokenDigest } from '../../infrastructure/platform.ts'
import { type ConsoleSessions, type EndedSession, endConsoleSessions } from '../accounts/end-sessions.ts'
import {
  consumeLink,
  createLink,
  noteSessionUse,
  type OneTimeLink,
  type SessionBrowser,
  startSessionFor,
} from '../accounts/sign-in.ts'
import { holdConsoleAccess } from './console-access.ts'
import { findOperator } from './named-operators.ts'
import type { OperatorRole } from './roles.ts'
import { type Operator, recordAction, runAsOperator } from './trail.ts'

/** How the operator of a session has signed in. */
export type SignInWay = 'link' | 'passkey'

export interface OperatorSession {
  /** The name of the named operator, or the one that was given with the link. */
  readonly operator: string
  /** undefined: the shared sign-in. */
  readonly operatorId: string | undefined
  readonly role: OperatorRole
  readonly signIn: SignInWay
  readonly expiresAt: Date
  /** The CSRF token of the session's forms. */
  readonly csrfToken: string
}

/**
 * Creates a link that signs in to the console once, as an owner with this name. Returns why not: the console is locked, the shared sign-in
 * is off, or the name is that of a named operator, who signs in with a passkey.
 */
export async function createOperatorLink(
  tx: Queryable,
  operator: string,
): Promise<OneTimeLink | 'locked' | 'off' | 'named'> {
  const { lockedAt, hasSharedSignIn } = await holdConsoleAccess(tx)
  if (lockedAt !== null) return 'locked'
  if (!hasSharedSignIn) return 'off'
  if (await findOperator(tx, operator)) return 'named'
  return createLink(tx, 'console', { operator })
}

/**
 * Starts a session with a link and returns the session's id. Returns undefined if the link does not exist, was used, or has
 * expired, or if the shared sign-in is off.
 */
export function useOperatorLink(
  database: Database,
  token: string,
  browser: Partial<SessionBrowser> = {},
): Promise<string | undefined> {
  return database.transaction(async (tx) => {
    const { lockedAt, hasSharedSignIn } = await holdConsoleAccess(tx)
    if (lockedAt !== null || !hasSharedSignIn) return undefined
    const link = await consumeLink(tx, 'console', token)
    // An operator of this name may have been added after the link was made.
    if (!link || (await findOperator(tx, link.operator))) return undefined
    const operator: Operator = { name: link.operator, via: 'console', signIn: 'link' }
    await recordAction(tx, operator, { action: 'console.sign-in' })
    return startSessionFor(tx, 'console', link.operator, browser)
  })
}

// A named operator's role is that of his row now. The rules of the access are judged for each request.
const FIND = `
  select s.subject as operator, s.operator_id as "operatorId", coalesce(o.role, 'owner') as role,
    s.audience, s.expires_at as "expiresAt"
  from browser_sessions s cross join console_access a left join operators o on o.id = s.operator_id
  where s.id_hash = $1 and s.expires_at > now() and a.locked_at is null
    and case s.audience
      when 'operator' then o.id is not null
      when 'console' then a.has_shared_sign_in or not exists (select from operators)
      else false
    end`

/**
 * Returns undefined if no session has this id, if it has ended, or if the console is locked.
 *
 * @param browser records the use of the session
 */
export async function findOperatorSession(
  database: Queryable,
  id: string,
  browser?: SessionBrowser,
): Promise<OperatorSession | undefined> {
  const { rows } = await database.query<
    Omit<OperatorSession, 'csrfToken' | 'operatorId' | 'signIn'> & {
      readonly operatorId: string | null
      readonly audience: 'console' | 'operator'
    }
  >(FIND, [tokenDigest(id)])
  const [found] = rows
  if (!found) return undefined
  if (browser) await noteSessionUse(database, id, browser)
  const { audience, operatorId, ...session } = found
  return {
    ...session,
    operatorId: operatorId ?? undefined,
    signIn: audience === 'operator' ? 'passkey' : 'link',
    csrfToken: csrfToken(id),
  }
}

/** A session of the console in lists. Nothing of it opens anything. */
export interface ListedSession {
  readonly id: string
  readonly operator: string
  readonly role: OperatorRole
  readonly signIn: SignInWay
  readonly startedAt: Date
  /** null: never since the sign-in. */
  readonly lastUsedAt: Date | null
  readonly expiresAt: Date
  /** The address of the browser at its sign-in, and at its last use. */
  readonly firstAddress: string | null
  readonly lastAddress: string | null
  readonly userAgent: string | null
}

/** Open sessions of the console, the latest sign-in first. */
export async function listSessions(database: Queryable): Promise<ListedSession[]> {
  const { rows } = await database.query<ListedSession>(
    `select s.id, s.subject as operator, coalesce(o.role, 'owner') as role,
       case s.audience when 'operator' then 'passkey' else 'link' end as "signIn",
       s.started_at as "startedAt", s.last_used_at as "lastUsedAt", s.expires_at as "expiresAt",
       s.first_address as "firstAddress", s.last_address as "lastAddress", s.user_agent as "userAgent"
     from browser_sessions s left join operators o on o.id = s.operator_id
     where s.audience in ('console', 'operator') and s.expires_at > now() order by s.started_at desc, s.id`,
  )
  return rows
}

/** Ends sessions of the console, in all processes with their next request. Returns the ended ones. */
export function revokeSessions(
  database: Database,
  operator: Operator,
  sessions: ConsoleSessions,
): Promise<EndedSession[]> {
  return runAsOperator(database, operator, async (change) => {
    const ended = await endConsoleSessions(change.database, sessions)
    for (const { id, subject } of ended)
      await recordAction(
        change.database,
        // A form of the console has one entry, which ends one session.
        operator,
        { action: 'console.revoke', object: id, before: { operator: subject } },
      )
    return ended
  })
}
