// Asks a stranger to confirm an address. It contains no text of the account that gave the address, so that it carries no messages of others.

import { html } from '../html.ts'
import { FREQUENCY_WORDS, mailButton, mailDocument, QUIET, type SubscriberMail } from './mail-parts.ts'

export interface Confirmation {
  /** The page with the button that confirms. */
  readonly url: string
  readonly frequency: 'daily' | 'weekly'
  /** How long the link works. */
  readonly days: number
}

const SUBJECT = 'Confirm your subscription to changes of homes'

export function confirmationMail({ url, frequency, days }: Confirmation): SubscriberMail {
  const ask = `Somebody entered your address to get the changes of a saved search of homes by mail ${FREQUENCY_WORDS[frequency]}.`
  const link = `The link works for ${days} days.`
  const ignore =
    'If it was not you, ignore this message, or open the link and choose to get no more mail. Nothing else is sent without your confirmation.'
  return {
    subject: SUBJECT,
    text: `${[ask, 'Open this link to confirm:', url, link, ignore].join('\n\n')}\n`,
    html: mailDocument(
      SUBJECT,
      html`<h1 style="margin:0 0 12px;font-size:20px">Confirm your subscription</h1>
        <p>${ask}</p>
        ${mailButton(url, 'Confirm')}
        <p style=${QUIET}>${link} ${ignore}</p>`,
    ),
  }
}
