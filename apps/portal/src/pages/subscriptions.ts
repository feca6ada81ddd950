// The pages behind the links in mails to the subscribers of watches. They need no session. Opening a link changes nothing, so that
// programs that check links in messages neither confirm nor unsubscribe.

import { type PageAnswer, page } from '../answer.ts'
import { type Html, html } from '../html.ts'

export function confirmSubscriptionPage(token: string): PageAnswer {
  return card(
    'Confirm your subscription',
    html`<p>You get the changes of a saved search of homes by mail. You can unsubscribe with one click at any time.</p>
      <p>If you did not ask for this, choose to get no more mail from this sender.</p>
      <form method="post" action=${`/subscriptions/confirm/${token}`}>
        <button autofocus>Confirm</button>
        <button class="plain" name="refuse" value="1">Send me no more mail</button>
      </form>`,
  )
}

/** @param name the name of the watch */
export function confirmedPage(name: string, frequency: 'daily' | 'weekly'): PageAnswer {
  return card(
    'Your subscription is confirmed',
    html`<p>You get the changes of <strong>${name}</strong> by mail ${frequency === 'daily' ? 'each day' : 'each Monday'}
      on which there are some.</p>`,
  )
}

export const refusedPage: PageAnswer = card(
  'You get no more mail',
  html`<p>The sender of this subscription cannot cause any more mail to your address.</p>`,
)

export const unusableSubscriptionPage: PageAnswer = {
  ...card(
    'This link does not work',
    html`<p>It was used already, it is more than 7 days old, or the subscription was removed.</p>`,
  ),
  status: 410,
}

export function unsubscribePage(link: string): PageAnswer {
  return card(
    'Unsubscribe',
    html`<p>You get no more mail about the changes of this saved search, or about any saved search of this sender.</p>
      <form method="post" action=${`/subscriptions/unsubscribe/${link}`}>
        <button autofocus>Unsubscribe</button>
        <button class="plain" name="all" value="1">Unsubscribe from all</button>
      </form>`,
  )
}

/** Also if it was unsubscribed before. @param all whether it is about all watches of the account */
export function unsubscribedPage(all: boolean): PageAnswer {
  return card(
    'You are unsubscribed',
    html`<p>You get no more mail about ${all ? 'any saved search of this sender' : 'this saved search'}.</p>`,
  )
}

function card(title: string, content: Html): PageAnswer {
  return page(undefined, title, html`<div class="card"><h1>${title}</h1>${content}</div>`)
}
