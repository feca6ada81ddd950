// The mails to the subscribers of watches, as the work needs them. The package @lotline/portal writes them.

import type * as Portal from '@lotline/portal/mails'

export type SubscriberMails = Pick<typeof Portal, 'confirmationMail' | 'digestMail'>
export type HomeOfDigest = Portal.DigestHome
