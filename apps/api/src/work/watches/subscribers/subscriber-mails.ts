// The chore that sends mail to the subscribers of watches: confirmations that are asked for, and digests at their times. Every process
// that runs jobs and can send mail runs it.

import type { Chore } from '../../../infrastructure/platform.ts'
import { type AskParts, askNextPerson } from './ask.ts'
import { planDigests } from './plan-digests.ts'
import { type DigestParts, sendNextDigest } from './send-digest.ts'

const EVERY_MS = 5_000
/** Mails that one process sends at a time. */
const MAILS_AT_A_TIME = 4

export function subscriberMailsChore(parts: AskParts & DigestParts): Chore {
  return {
    name: 'send mail to the subscribers of watches',
    everyMs: EVERY_MS,
    run: () => sendSubscriberMails(parts),
  }
}

/** Sends a few mails that are due. True: there may be more. */
async function sendSubscriberMails(parts: AskParts & DigestParts): Promise<boolean> {
  const isMorePlanned = await planDigests(parts.database)
  const sending = Array.from({ length: MAILS_AT_A_TIME }, async () => {
    const hasAsked = await askNextPerson(parts)
    return (await sendNextDigest(parts)) || hasAsked
  })
  // A failure of one does not leave the others behind.
  const ended = await Promise.allSettled(sending)
  const failure = ended.find((one) => one.status === 'rejected')
  if (failure) throw failure.reason
  return isMorePlanned || ended.some((one) => one.status === 'fulfilled' && one.value)
}
