// Limits the mails that strangers can cause to one mailbox and from one source address, whether or not an account exists.

import { hash } from 'node:crypto'
import { type Budget, type Queryable, takeBudget } from '../../infrastructure/database.ts'

/** The budget of mails to all addresses of one mailbox. */
export const MAILS_TO_MAILBOX = { kind: 'mails_to_mailbox', perHour: 5, perDay: 20 } as const satisfies Budget
/** The budget of mails requested from one IPv4 address or one /64 network of IPv6. */
export const MAILS_FROM_SOURCE = {
  kind: 'mails_from_source',
  perHour: 20,
  perDay: 60,
} as const satisfies Budget
/** Sign-up mails, which also count toward the other limits. */
export const SIGN_UPS_FROM_SOURCE = {
  kind: 'sign_ups_from_source',
  perHour: 10,
  perDay: 10,
} as const satisfies Budget

export interface MailRequest {
  /** The normalized address. */
  readonly mailbox: string
  /** The network address that the request comes from. */
  readonly source: string
  readonly isSignUp: boolean
}

/**
 * Takes one mail from the budgets. If one is used up, takes nothing and returns the whole seconds to wait; otherwise returns
 * undefined.
 */
export function takeMail(
  database: Queryable,
  { mailbox, source, isSignUp }: MailRequest,
): Promise<number | undefined> {
  const hashed = (text: string) => hash('sha256', text, 'base64')
  return takeBudget(
    database,
    [MAILS_TO_MAILBOX, hashed(mailbox)],
    [MAILS_FROM_SOURCE, hashed(source)],
    ...(isSignUp ? [[SIGN_UPS_FROM_SOURCE, hashed(source)] as const] : []),
  )
}
