// Accounts that their owners open: with a link that was sent to their e-mail address, so that the address is theirs. The link is made
// on request (PORTAL=open) or by the operator (an invitation). A mailbox gets one account in its life, and so the credits of a free
// account once: the primary key of mailboxes decides, also between links that are used at the same moment.

import type { Database, Queryable } from '../database/database.ts'
import { createToken, digestOf } from '../platform/random-token.ts'
import type { EmailAddress } from './email-address.ts'
import { hashOfMailbox, openForMailbox } from './open-account.ts'
import type { PlanId } from './plans.ts'
import { createSignInLink, portalKeyOf, type StartedSession, startSession } from './portal-sessions.ts'

export const SIGN_UP_MINUTES = 60
export const INVITATION_DAYS = 7
/** Accounts of one address that one mail has links for, the oldest first. */
const MAX_ACCOUNTS_IN_MAIL = 10

const CREATE = `
  insert into sign_up_links (token_hash, email, mailbox_hash, plan, expires_at)
  values ($1, $2, $3, $4, now() + make_interval(mins => $5::integer))
  returning expires_at as "expiresAt"`

export interface SignUpLink {
  /** Stored nowhere. */
  readonly token: string
  readonly expiresAt: Date
}

/** A link that makes an account of a plan, once, and signs in to it. */
export async function createSignUpLink(
  database: Queryable,
  { address, mailbox }: EmailAddress,
  plan: PlanId,
  minutes: number,
): Promise<SignUpLink> {
  const token = createToken()
  const { rows } = await database.query<{ expiresAt: Date }>(CREATE, [
    ...[digestOf(token), address, hashOfMailbox(mailbox), plan, minutes],
  ])
  return { token, expiresAt: rows[0]!.expiresAt }
}

/** Makes links useless whose mail could not be sent. */
export async function withdrawLinks(database: Queryable, tokens: readonly string[]): Promise<void> {
  const hashes = tokens.map(digestOf)
  await database.query('delete from sign_up_links where token_hash = any ($1::bytea[])', [hashes])
  await database.query('delete from portal_links where token_hash = any ($1::bytea[])', [hashes])
}

/** `taken`: the mailbox has an account already. The link is used up in both cases. */
export type SignedUp =
  | {
      readonly accountId: string
      readonly plan: PlanId
      /** Shown this once. */
      readonly key: string
      readonly session: StartedSession
    }
  | 'taken'

/** Opens the account of a link, with its first key, and signs in. undefined: there is no such link, it was used, or it has expired. */
export function signUp(database: Database, token: string): Promise<SignedUp | undefined> {
  return database.transaction(async (tx) => {
    const { rows } = await tx.query<{ email: string; plan: PlanId; mailbox_hash: Buffer }>(
      'delete from sign_up_links where token_hash = $1 and expires_at > now() returning email, plan, mailbox_hash',
      [digestOf(token)],
    )
    const link = rows[0]
    if (!link) return undefined
    // Of accounts whose address was never normalized, such as those of an older backup.
    const { rows: same } = await tx.query('select from accounts where lower(email) = lower($1) limit 1', [
      link.email,
    ])
    if (same.length > 0) return 'taken'
    const opened = await openForMailbox(tx, { plan: link.plan, email: link.email }, link.mailbox_hash)
    if (!opened) return 'taken'
    const session = await startSession(tx, await portalKeyOf(tx, opened.accountId))
    return { accountId: opened.accountId, plan: link.plan, key: opened.key, session }
  })
}

export interface AccountOfMailbox {
  readonly accountId: string
  /** As its owner, or the operator, has written it. What is sent goes to it, not to what a visitor has typed. */
  readonly email: string
}

const FIND = `
  select a.id as "accountId", a.email from accounts a
  where a.email is not null
    and (lower(a.email) = lower($1) or a.id = (select account_id from mailboxes where mailbox_hash = $2))
  order by a.created_at, a.id limit $3`

/** The accounts whose address is this one, or another one of the same mailbox. */
export async function findAccountsOfMailbox(
  database: Queryable,
  { address, mailbox }: EmailAddress,
): Promise<AccountOfMailbox[]> {
  const { rows } = await database.query<AccountOfMailbox>(FIND, [
    ...[address, hashOfMailbox(mailbox), MAX_ACCOUNTS_IN_MAIL],
  ])
  return rows
}

/** A sign-in link for each of the accounts. */
export function createLinksOf(
  database: Database,
  accounts: readonly AccountOfMailbox[],
): Promise<readonly (AccountOfMailbox & { readonly token: string })[]> {
  return database.transaction(async (tx) => {
    const links = []
    for (const account of accounts) {
      links.push({ ...account, token: (await createSignInLink(tx, account.accountId)).token })
    }
    return links
  })
}
