// One-time links and browser sessions, of customers and operators. Only hashes are stored, so a copy of the database opens
// nothing. A link or session is valid for one audience only.

// Why: decisions/money/links-and-sessions.md
// Why: decisions/money/session-length.md

import type { Queryable } from '../../infrastructure/database.ts'
import { createToken, tokenDigest } from '../../infrastructure/platform.ts'
import type { PlanId } from './plans.ts'

/** A session ends this long after its sign-in, whether it is used or not. */
export const SESSION_MINUTES = 60
/** Lifetime of a sign-in link. */
export const LINK_MINUTES = 5

/** The data of a link, by its audience. */
interface LinkFacts {
  readonly portal: { readonly accountId: string }
  /** `mailboxHash`: in hexadecimal digits. */
  readonly sign_up: { readonly email: string; readonly mailboxHash: string; readonly plan: PlanId }
  readonly console: { readonly operator: string }
  readonly watch_subscriber: { readonly subscriberId: string }
  /** Makes a passkey for a named operator. */
  readonly enrollment: { readonly operatorId: string }
  /** Its token is the challenge of a sign-in with a passkey. */
  readonly passkey: Readonly<Record<string, never>>
}

export interface OneTimeLink {
  /** Stored nowhere. */
  readonly token: string
  readonly expiresAt: Date
}

const CREATE_LINK = `
  insert into one_time_links (token_hash, audience, facts, expires_at)
  values ($1, $2, $3, now() + make_interval(mins => $4::integer))
  returning expires_at as "expiresAt"`

export async function createLink<A extends keyof LinkFacts>(
  database: Queryable,
  audience: A,
  facts: LinkFacts[A],
  minutes = LINK_MINUTES,
): Promise<OneTimeLink> {
  const token = createToken()
  const { rows } = await database.query<{ expiresAt: Date }>(CREATE_LINK, [
    tokenDigest(token),
    audience,
    JSON.stringify(facts),
    minutes,
  ])
  return { token, expiresAt: rows[0]!.expiresAt }
}

/** Consumes a link. Returns undefined if it does not exist, was used, or has expired. */
export async function consumeLink<A extends keyof LinkFacts>(
  tx: Queryable,
  audience: A,
  token: string,
): Promise<LinkFacts[A] | undefined> {
  // The first use deletes the row. A concurrent second use waits and finds nothing.
  const { rows } = await tx.query<{ facts: LinkFacts[A] }>(
    'delete from one_time_links where token_hash = $1 and audience = $2 and expires_at > now() returning facts',
    [tokenDigest(token), audience],
  )
  return rows[0]?.facts
}

/** Invalidates all links to the console, and all sign-ins to it that are under way. */
export async function withdrawConsoleLinks(tx: Queryable): Promise<void> {
  await tx.query(`delete from one_time_links where audience in ('console', 'enrollment', 'passkey')`)
}

/** Invalidates links whose mail could not be sent. */
export async function withdrawLinks(database: Queryable, tokens: readonly string[]): Promise<void> {
  await database.query('delete from one_time_links where token_hash = any ($1::bytea[])', [
    tokens.map(tokenDigest),
  ])
}

/** Sessions of one key or operator at a time. A further sign-in ends the oldest one. */
const MAX_SESSIONS = 50

const INSERT_SESSION = `
  with crowding as (
    delete from browser_sessions where id_hash in (
      select id_hash from browser_sessions where audience = $2 and subject = $3 and expires_at > now()
      order by expires_at desc offset ${MAX_SESSIONS - 1})
  )
  insert into browser_sessions (id_hash, audience, subject, expires_at, operator_id, first_address, last_address, user_agent)
  values ($1, $2, $3, now() + interval '${SESSION_MINUTES} minutes', $4, $5, $5, $6)`

/** A browser that uses a session of the console. */
export interface SessionBrowser {
  /** The address of the client. */
  readonly address: string | undefined
  readonly userAgent: string | undefined
}

const MAX_USER_AGENT_LENGTH = 300

/** The part of a User-Agent header that is stored. */
function userAgentOf({ userAgent }: Partial<SessionBrowser>): string | null {
  return userAgent?.replaceAll(/\p{Cc}/gu, ' ').slice(0, MAX_USER_AGENT_LENGTH) ?? null
}

/**
 * Starts a session and returns its id, which is always new, goes into the cookie, and is not stored.
 *
 * @param audience `console`: the shared sign-in by link; `operator`: a named operator, whose id is `operatorId`
 * @param subject the id of a key in the portal, or the name of the operator in the console
 */
export async function startSessionFor(
  database: Queryable,
  audience: 'portal' | 'console' | 'operator',
  subject: string,
  { operatorId, ...browser }: Partial<SessionBrowser> & { readonly operatorId?: string } = {},
): Promise<string> {
  const id = createToken()
  await database.query(INSERT_SESSION, [
    tokenDigest(id),
    audience,
    subject,
    operatorId ?? null,
    browser.address ?? null,
    userAgentOf(browser),
  ])
  return id
}

// At most one write a minute for each session and browser.
const NOTE_USE = `
  update browser_sessions set last_used_at = now(), last_address = $2, user_agent = $3
  where id_hash = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute'
    or last_address is distinct from $2 or user_agent is distinct from $3)`

/** Records when and by which browser a session of the console was used. */
export async function noteSessionUse(
  database: Queryable,
  id: string,
  browser: SessionBrowser,
): Promise<void> {
  await database.query(NOTE_USE, [tokenDigest(id), browser.address ?? null, userAgentOf(browser)])
}
