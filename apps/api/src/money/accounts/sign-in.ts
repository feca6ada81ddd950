// One-time links and sessions in a browser, of customers and of operators. Only hashes are stored, so a copy of the database opens
// nothing. A link or session of one audience is none of another.

import type { Queryable } from '../../infrastructure/database.ts'
import { createToken, digestOf } from '../../infrastructure/platform.ts'
import type { PlanId } from './plans.ts'

/** A session ends this long after its sign-in, whether it is used or not. */
export const SESSION_MINUTES = 60
/** Of a link that signs in. */
export const LINK_MINUTES = 5

/** What a link says of its user, by its audience. */
interface LinkFacts {
  readonly portal: { readonly accountId: string }
  /** `mailboxHash`: in hexadecimal digits. */
  readonly sign_up: { readonly email: string; readonly mailboxHash: string; readonly plan: PlanId }
  readonly console: { readonly operator: string }
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
    digestOf(token),
    audience,
    JSON.stringify(facts),
    minutes,
  ])
  return { token, expiresAt: rows[0]!.expiresAt }
}

/** Uses a link up. undefined: there is no such link, it was used, or it has expired. */
export async function consumeLink<A extends keyof LinkFacts>(
  tx: Queryable,
  audience: A,
  token: string,
): Promise<LinkFacts[A] | undefined> {
  // The row goes with its first use. A second use at the same time waits for the first one and finds nothing.
  const { rows } = await tx.query<{ facts: LinkFacts[A] }>(
    'delete from one_time_links where token_hash = $1 and audience = $2 and expires_at > now() returning facts',
    [digestOf(token), audience],
  )
  return rows[0]?.facts
}

/** Makes links useless whose mail could not be sent. */
export async function withdrawLinks(database: Queryable, tokens: readonly string[]): Promise<void> {
  await database.query('delete from one_time_links where token_hash = any ($1::bytea[])', [
    tokens.map(digestOf),
  ])
}

/** Sessions of one key or operator at a time. A further sign-in ends the oldest one. */
const MAX_SESSIONS = 50

const START = `
  with crowding as (
    delete from browser_sessions where id_hash in (
      select id_hash from browser_sessions where audience = $2 and subject = $3 and expires_at > now()
      order by expires_at desc offset ${MAX_SESSIONS - 1})
  )
  insert into browser_sessions (id_hash, audience, subject, expires_at)
  values ($1, $2, $3, now() + interval '${SESSION_MINUTES} minutes')`

/**
 * Starts a session and returns its id, which is always a new one, goes into the cookie, and is stored nowhere.
 *
 * @param subject whose rights it has: the id of a key in the portal, the name of the operator in the console
 */
export async function startSessionOf(
  database: Queryable,
  audience: 'portal' | 'console',
  subject: string,
): Promise<string> {
  const id = createToken()
  await database.query(START, [digestOf(id), audience, subject])
  return id
}

/** Ends a session. Repeating it is harmless. */
export async function endSession(database: Queryable, id: string): Promise<void> {
  await database.query('delete from browser_sessions where id_hash = $1', [digestOf(id)])
}
