// The pages that are shown to somebody who is not signed in.

import { type PageAnswer, page } from '../answer.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { note } from '../parts.ts'

/** @param message why the last attempt failed, or why the session is over */
export function signInPage(message?: string, status = 200): PageAnswer {
  return {
    ...card(
      'Sign in',
      html`<p>Paste an API key of your account. The portal does what this key may do.</p>
        ${message !== undefined && note('bad', message)}
        <form method="post" action="/portal/session">
          <label for="key">API key</label>
          <input id="key" name="key" type="password" class="code" required autocomplete="off" spellcheck="false"
            autocapitalize="off" placeholder="lot_…" autofocus />
          <button>Sign in</button>
        </form>
        <p class="quiet">A session ends after 60 minutes. You don't have a key? Ask the operator of this service for a sign-in
          link.</p>`,
    ),
    status,
  }
}

/** The link itself changes nothing, so that programs that look at links in messages do not use it up. */
export function linkPage(token: string): PageAnswer {
  return card(
    'Sign in with this link',
    html`<p>This link works once. Continue to sign in to your account.</p>
      <form method="post" action=${`/portal/link/${token}`}><button autofocus>Sign in</button></form>`,
  )
}

export const unusableLinkPage: PageAnswer = {
  ...card(
    'This link does not work',
    html`<p>It was used already, or it is more than 5 minutes old. Ask the operator of this service for another one, or
        <a href="/portal">sign in with an API key</a>.</p>`,
  ),
  status: 410,
}

/**
 * Where customers come back to from the page of payment. The cookie of the session is not sent with a request that another site has
 * caused, so this page, which needs none, loads the next one.
 */
export const returnPage: PageAnswer = {
  ...card(
    'Back from the payment',
    html`<p><a href="/portal/billing">Continue to your plan and credits</a></p>`,
  ),
  leadsTo: '/portal/billing',
}

/** @param publicUrl where the portal is, if the operator has said so */
export function wrongOriginPage(publicUrl: string | undefined): PageAnswer {
  return {
    ...card(
      'This request was refused',
      html`<p>It did not come from a page of this portal, or its page is out of date.
        ${' '}<a href=${`${publicUrl ?? ''}/portal`}>Open the portal</a> and try again.</p>`,
    ),
    status: 403,
  }
}

/** @param assets the path of the files that the page loads */
export function card(title: string, content: Html, assets = '/portal/assets'): PageAnswer {
  return page(
    undefined,
    title,
    html`<div class="card">
      <p class="brand"><img src=${`${assets}/icon.svg`} alt="" width="24" height="24" />Lotline</p>
      <h1>${title}</h1>
      ${content}
    </div>`,
  )
}
