// The digest of a watch: its homes with their changes, as plain text and as HTML.

import { count, dollars, rate, words } from '../format.ts'
import { type Html, html } from '../html.ts'
import { FREQUENCY_WORDS, mailDocument, oneLine, QUIET, type SubscriberMail } from './mail-parts.ts'

export interface DigestChange {
  /** The type of the event, such as `listing.new`. */
  readonly type: string
  readonly reason: string | null
  readonly priceBefore: number | null
  readonly priceAfter: number | null
  readonly statusAfter: string | null
}

/** A home with its changes, the latest first. */
export interface DigestHome {
  /** As far as it may be shown; null: nothing of it may, or nothing is known. */
  readonly address: string | null
  /** The page of the listing. */
  readonly url: string | null
  readonly photoUrl: string | null
  /** As text for display. */
  readonly price: string | null
  readonly beds: number | null
  readonly baths: number | null
  readonly squareFeet: number | null
  readonly changes: readonly DigestChange[]
  /** The source of the listing requires it. */
  readonly attribution: string | null
}

export interface Digest {
  /** The name of the watch. */
  readonly name: string
  readonly frequency: 'daily' | 'weekly'
  readonly homes: readonly DigestHome[]
  /** Homes that are not in the mail. */
  readonly moreHomes: number
  /** The number of all changes. */
  readonly changes: number
  /** The page with the button that unsubscribes. */
  readonly unsubscribeUrl: string
}

export function digestMail(digest: Digest): SubscriberMail {
  const { homes, moreHomes, unsubscribeUrl, frequency } = digest
  const name = oneLine(digest.name, 80)
  const changes = count(digest.changes, 'change')
  const subject = `${name}: ${changes}`
  const more =
    moreHomes > 0 &&
    `${count(moreHomes, 'more home')} changed and ${moreHomes === 1 ? 'is' : 'are'} not in this message.`
  const why = `You get this message ${FREQUENCY_WORDS[frequency]} because you confirmed a subscription to the saved search "${name}".`
  return {
    subject,
    text: `${[
      `${name}: ${changes}`,
      ...homes.map(textOfHome),
      ...(more ? [more] : []),
      why,
      `Unsubscribe: ${unsubscribeUrl}`,
    ].join('\n\n')}\n`,
    html: mailDocument(
      subject,
      html`<h1 style="margin:0;font-size:20px">${name}</h1>
        <p style=${QUIET}>${changes}</p>
        ${homes.map(cardOfHome)}
        ${more && html`<p>${more}</p>`}
        <p style=${`${QUIET};margin-top:24px;padding-top:16px;border-top:1px solid #dededa`}>${why}
          ${' '}<a href=${unsubscribeUrl} style="color:#5d5d58">Unsubscribe</a></p>`,
    ),
  }
}

function textOfHome(home: DigestHome): string {
  const { url, attribution } = home
  return [
    addressOf(home),
    ...home.changes.map((change) => `- ${wordsOf(change)}`),
    ...[factsOf(home), url, attribution && oneLine(attribution, 500)].filter(Boolean),
  ].join('\n')
}

const PHOTO = 'display:block;width:100%;max-width:552px;height:auto;border-radius:6px;margin-bottom:10px'

function cardOfHome(home: DigestHome): Html {
  const { url, photoUrl, attribution } = home
  const address = addressOf(home)
  const photo = photoUrl && html`<img src=${photoUrl} alt="" width="552" style=${PHOTO} />`
  const title = url ? html`<a href=${url} style="color:#1f5f4a">${address}</a>` : address
  return html`<div style="margin-top:20px;padding-top:20px;border-top:1px solid #dededa">
    ${photo && url ? html`<a href=${url}>${photo}</a>` : photo}
    <h2 style="margin:0;font-size:17px">${title}</h2>
    ${home.changes.map((change) => html`<p style="margin:2px 0 0">${wordsOf(change)}</p>`)}
    ${factsOf(home) && html`<p style=${QUIET}>${factsOf(home)}</p>`}
    ${attribution && html`<p style=${QUIET}>${attribution}</p>`}
  </div>`
}

function addressOf({ address }: DigestHome): string {
  return address === null ? 'Address not shown' : oneLine(address, 200)
}

function factsOf({ price, beds, baths, squareFeet }: DigestHome): string {
  const parts = [
    price && oneLine(price, 40),
    beds !== null && count(beds, 'bed'),
    baths !== null && `${rate(baths)} ${baths === 1 ? 'bath' : 'baths'}`,
    squareFeet !== null && `${squareFeet.toLocaleString('en-US')} sq ft`,
  ]
  return parts.filter(Boolean).join(' · ')
}

const TITLES: Readonly<Record<string, string>> = {
  'listing.new': 'New',
  'listing.removed': 'No longer in the search',
  'listing.back_on_market': 'Back on the market',
  'listing.status_changed': 'New status',
  'listing.price_changed': 'New price',
  'listing.retracted': 'An earlier change was reported by mistake',
}

function wordsOf({ type, reason, priceBefore, priceAfter, statusAfter }: DigestChange): string {
  const title = TITLES[type] ?? words(type.replace(/^listing\./, ''))
  const prices =
    priceBefore !== null && priceAfter !== null
      ? `${dollars(priceBefore)} → ${dollars(priceAfter)}`
      : undefined
  const details = [reason && words(reason), statusAfter && words(statusAfter.toLowerCase()), prices].filter(
    Boolean,
  )
  return details.length > 0 ? `${title}: ${details.join(', ')}` : title
}
