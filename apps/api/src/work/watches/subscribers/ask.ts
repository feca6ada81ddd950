// Sends the mail that asks a person to confirm the address. The person is a stranger, so at most one such mail is delivered: it is
// recorded before it is sent, and is sent again only if the server certainly did not take it. After a crash at that moment it is not
// sent; the account can set the subscriber again.

import type { Queryable } from '../../../infrastructure/database.ts'
import type { Mailer } from '../../../infrastructure/mail.ts'
import { createLink, withdrawLinks } from '../../../money/accounts.ts'
import { CONFIRMATION_MINUTES } from './confirmation.ts'
import type { SubscriberMails } from './mail-texts.ts'
import type { DigestFrequency } from './subscriber-store.ts'

const MAX_ASK_ATTEMPTS = 5

interface PersonToAsk {
  readonly id: string
  readonly email: string
  readonly frequency: DigestFrequency
  readonly attempts: number
}

const CLAIM = `
  update watch_subscribers set ask_at = null, ask_attempts = ask_attempts + 1
  where (account_id, watch_id) = (
    select s.account_id, s.watch_id from watch_subscribers s join accounts a on a.id = s.account_id
    where s.ask_at <= now() and s.status = 'unconfirmed' and a.status = 'active'
    order by s.ask_at limit 1 for update of s skip locked)
  returning id, email, frequency, ask_attempts as attempts`

const ASK_AGAIN = `
  update watch_subscribers set ask_at = now() + make_interval(mins => $2::integer)
  where id = $1 and status = 'unconfirmed'`

export interface AskParts {
  readonly database: Queryable
  readonly mailer: Mailer
  readonly publicUrl: string
  readonly mails: () => Promise<SubscriberMails>
}

/** Asks the next person. False: there is none. */
export async function askNextPerson({ database, mailer, publicUrl, mails }: AskParts): Promise<boolean> {
  const { confirmationMail } = await mails()
  const { rows } = await database.query<PersonToAsk>(CLAIM)
  const [person] = rows
  if (!person) return false
  const { token } = await createLink(
    database,
    'watch_subscriber',
    { subscriberId: person.id },
    CONFIRMATION_MINUTES,
  )
  const content = confirmationMail({
    url: `${publicUrl}/subscriptions/confirm/${token}`,
    frequency: person.frequency,
    days: CONFIRMATION_MINUTES / 60 / 24,
  })
  const failure = await mailer.send({ kind: 'watch_confirmation', to: person.email, ...content })
  if (failure && wasNotTaken(failure)) {
    await withdrawLinks(database, [token])
    // 1, 4, 16, and 64 minutes later.
    if (person.attempts < MAX_ASK_ATTEMPTS)
      await database.query(ASK_AGAIN, [person.id, 4 ** (person.attempts - 1)])
  }
  return true
}

/** Whether the server certainly did not take the mail: it said so, or it was never given the content. */
function wasNotTaken(failure: Error): boolean {
  const { responseCode, command } = failure as { readonly responseCode?: unknown; readonly command?: unknown }
  return typeof responseCode === 'number' || command === 'CONN'
}
