// Sign-up: an account is opened with a link that was sent to its owner's e-mail address, which proves that the address is theirs.
// The link is created on request (PORTAL=open) or by the operator (an invitation). The primary key of mailboxes ensures that a
// mailbox gets one account, and so the credits of a free account once, even with concurrent links.

// Why: decisions/interfaces/sign-up-asks-for-an-address.md

import type { Database, Queryable } from '../../infrastructure/database.ts'
import type { EmailAddress } from './email-address.ts'
import { hashMailbox, openForMailbox } from './open-account.ts'
import type { PlanId } from './plans.ts'
import { createSignInLink, getPortalKey, type StartedSession, startSession } from './portal-sessions.ts'
import { consumeLink, createLink, type OneTimeLink } from './sign-in.ts'

export const SIGN_UP_MINUTES = 60
export const INVITATION_DAYS = 7
/** Accounts of one address that one mail has links for, oldest first. */
const MAX_ACCOUNTS_IN_MAIL = 10

/** Creates a link that opens an account on a plan once, and signs in to it. */
export function createSignUpLink(
  database: Queryable,
  { address, mailbox }: EmailAddress,
  plan: PlanId,
  minutes: number,
): Promise<OneTimeLink> {
  const mailboxHash = hashMailbox(mailbox).toString('hex')
  return createLink(database, 'sign_up', { email: address, mailboxHash, plan }, minutes)
}

/** `taken`: the mailbox already has an account. The link is consumed in both cases. */
export type SignUpResult =
  | {
      readonly accountId: string
      readonly plan: PlanId
      /** Shown this once. */
      readonly key: string
      readonly session: StartedSession
    }
  | 'taken'

/**
 * Opens the account of a link, with its first key, and signs in. Returns undefined if the link does not exist, was used, or has
 * expired.
 */
export function signUp(database: Database, token: string): Promise<SignUpResult | undefined> {
  return database.transaction(async (tx) => {
    const link = await consumeLink(tx, 'sign_up', token)
    if (!link) return undefined
    // Finds accounts whose address was never normalized, such as those of an older backup.
    const { rows: same } = await tx.query('select from accounts where lower(email) = lower($1) limit 1', [
      link.email,
    ])
    if (same.length > 0) return 'taken'
    const { email, plan, mailboxHash } = link
    const opened = await openForMailbox(tx, { plan, email }, Buffer.from(mailboxHash, 'hex'))
    if (!opened) return 'taken'
    const session = await startSession(tx, await getPortalKey(tx, opened.accountId))
    return { accountId: opened.accountId, plan, key: opened.key, session }
  })
}

export interface AccountOfMailbox {
  readonly accountId: string
  /** As its owner or the operator wrote it. Mail goes to this address, not to the text that a visitor typed. */
  readonly email: string
}

const FIND_ACCOUNTS_BY_MAILBOX = `
  select a.id as "accountId", a.email from accounts a
  where a.email is not null
    and (lower(a.email) = lower($1) or a.id = (select account_id from mailboxes where mailbox_hash = $2))
  order by a.created_at, a.id limit $3`

/** The accounts with this address or another address of the same mailbox. */
export async function findAccountsOfMailbox(
  database: Queryable,
  { address, mailbox }: EmailAddress,
): Promise<AccountOfMailbox[]> {
  const { rows } = await database.query<AccountOfMailbox>(FIND_ACCOUNTS_BY_MAILBOX, [
    address,
    hashMailbox(mailbox),
    MAX_ACCOUNTS_IN_MAIL,
  ])
  return rows
}

/** A sign-in link for each of the accounts. */
export function createSignInLinks(
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
