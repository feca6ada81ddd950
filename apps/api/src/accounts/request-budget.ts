// How much others can cause: the mails that a stranger can have sent to one mailbox and from one source address, and the turns at
// Stripe for an account (billing/stripe-turns.ts). Counted in the database, so that all processes share the limits and a restart resets
// none. Only hashes are stored. For mails, it does not matter whether an account exists.

import { hash } from 'node:crypto'
import type { Queryable } from '../database/database.ts'

/** Requests in an hour and in a day. Both begin with their first request. */
export interface Bound {
  readonly perHour: number
  readonly perDay: number
}

/** To all addresses of a mailbox. */
export const MAILS_TO_MAILBOX: Bound = { perHour: 5, perDay: 20 }
/** From one IPv4 address, or one /64 network of IPv6. */
export const MAILS_FROM_SOURCE: Bound = { perHour: 20, perDay: 60 }
/** Of these, for sign-up. */
export const SIGN_UPS_FROM_SOURCE: Bound = { perHour: 10, perDay: 10 }

export interface MailWanted {
  /** The normalized address. */
  readonly mailbox: string
  /** Where the request comes from. */
  readonly source: string
  readonly isSignUp: boolean
}

/** Takes one mail from the budgets. Returns the whole seconds to wait if one is used up, and nothing was taken; otherwise undefined. */
export async function takeMail(
  database: Queryable,
  { mailbox, source, isSignUp }: MailWanted,
): Promise<number | undefined> {
  const wanted: (readonly [subject: string, bound: Bound])[] = [
    [`mailbox ${mailbox}`, MAILS_TO_MAILBOX],
    [`source ${source}`, MAILS_FROM_SOURCE],
  ]
  if (isSignUp) wanted.push([`sign-ups ${source}`, SIGN_UPS_FROM_SOURCE])
  return takeRequest(database, wanted)
}

/** Whether nothing is left in a budget. It is only read. */
export async function isUsedUp(
  database: Queryable,
  [subject, { perHour, perDay }]: readonly [subject: string, bound: Bound],
): Promise<boolean> {
  const { rowCount } = await database.query(
    `select from request_budgets where subject = $1
       and (day_used >= $3 and day_began > now() - interval '1 day'
         or hour_used >= $2 and hour_began > now() - interval '1 hour')`,
    [hash('sha256', subject, 'buffer'), perHour, perDay],
  )
  return rowCount > 0
}

/**
 * Takes one request from each of the budgets, which are named by their subjects. Returns the whole seconds to wait if one is used up,
 * and nothing was taken; otherwise undefined.
 */
export async function takeRequest(
  database: Queryable,
  wanted: readonly (readonly [subject: string, bound: Bound])[],
): Promise<number | undefined> {
  const sorted = wanted
    .map(([subject, bound]) => ({ subject: hash('sha256', subject, 'buffer'), bound }))
    .sort((one, other) => Buffer.compare(one.subject, other.subject))
  const { rows } = await database.query<{ wait: number | null }>('select take_request($1, $2, $3) as wait', [
    sorted.map(({ subject }) => subject),
    sorted.map(({ bound }) => bound.perHour),
    sorted.map(({ bound }) => bound.perDay),
  ])
  const wait = rows[0]!.wait
  return wait === null ? undefined : Math.max(1, Math.ceil(wait))
}
