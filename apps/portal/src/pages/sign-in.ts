// Pages for visitors who are not signed in.

import { type PageAnswer, page } from '../answer.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { note } from '../parts.ts'

/** Sign-in methods beside a key and an operator's link. */
export interface SignInWays {
  readonly byEmail: boolean
  /** Whether visitors can create an account. */
  readonly signUp: boolean
}

/** @param message why the last attempt failed, or why the session is over */
export function signInPage(ways: SignInWays, message?: string, status = 200): PageAnswer {
  return {
    ...signInCard(
      'Sign in',
      html`${message !== undefined && note('bad', message)}
        ${ways.byEmail && emailForm('/portal/email', 'Send me a sign-in link')}
        ${ways.byEmail && html`<h2>Or use an API key</h2>`}
        <p>Paste an API key of your account. The portal does what this key may do.</p>
        <form method="post" action="/portal/session">
          <label for="key">API key</label>
          <input id="key" name="key" type="password" class="code" required autocomplete="off" spellcheck="false"
            autocapitalize="off" placeholder="lot_…" autofocus=${!ways.byEmail} />
          <button class=${ways.byEmail ? 'plain' : ''}>Sign in</button>
        </form>
        ${ways.signUp && html`<p>You don't have an account? <a href="/portal/sign-up">Create one</a>.</p>`}
        <p class="quiet">A session ends after 60 minutes.${!ways.byEmail && NO_KEY_TEXT}</p>`,
    ),
    status,
  }
}

const NO_KEY_TEXT = " You don't have a key? Ask the operator of this service for a sign-in link."

/** Opening the link changes nothing, so that programs that check links in messages do not use it up. */
export function linkPage(token: string): PageAnswer {
  return signInCard(
    'Sign in with this link',
    html`<p>This link works once. Continue to sign in to your account.</p>
      <form method="post" action=${`/portal/link/${token}`}><button autofocus>Sign in</button></form>`,
  )
}

export function unusableLinkPage({ byEmail }: SignInWays): PageAnswer {
  return {
    ...signInCard(
      'This link does not work',
      html`<p>It was used already, or it is more than 5 minutes old. ${
        byEmail
          ? html`<a href="/portal">Get another one</a>, or sign in with an API key.`
          : html`Ask the operator of this service for another one, or <a href="/portal">sign in with an API key</a>.`
      }</p>`,
    ),
    status: 410,
  }
}

/**
 * The return page after a payment. Browsers do not send the session cookie with a request that another site caused, so this page, which
 * needs no session, loads the next one. @param order the id of the purchase, as Stripe returns it
 */
export function returnPage(order: string | null): PageAnswer {
  const isOrder = order !== null && /^[0-9a-f-]{36}$/.test(order)
  const leadsTo = isOrder ? `/portal/billing/orders/${order}?back=1` : '/portal/billing'
  return {
    ...signInCard(
      'Back from the payment',
      html`<p><a href=${leadsTo}>Continue to your plan and credits</a></p>`,
    ),
    leadsTo,
  }
}

/** @param publicUrl the portal's URL, if the operator has configured it */
export function wrongOriginPage(publicUrl: string | undefined): PageAnswer {
  return {
    ...signInCard(
      'This request was refused',
      html`<p>It did not come from a page of this portal, or its page is out of date.
        ${' '}<a href=${`${publicUrl ?? ''}/portal`}>Open the portal</a> and try again.</p>`,
    ),
    status: 403,
  }
}

export function emailForm(action: string, button: string): Html {
  return html`<form method="post" action=${action}>
    <label for="email">Email address</label>
    <input id="email" name="email" type="email" required maxlength="254" autocomplete="email" autofocus />
    <button>${button}</button>
  </form>`
}

/** @param assets the path of the static files */
export function signInCard(title: string, content: Html, assets = '/portal/assets'): PageAnswer {
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
