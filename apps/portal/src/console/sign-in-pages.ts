// Pages of the console for browsers that are not signed in: by link, by passkey, and the page that makes a passkey.

import type { PageAnswer } from '../answer.ts'
import { type Html, html } from '../html.ts'
import { signInCard } from '../pages/sign-in.ts'
import { note } from '../parts.ts'

const ASSETS = '/assets'
const PASSKEY_SCRIPT = html`<script src=${`${ASSETS}/passkey.js`} type="module"></script>`

/** How operators can sign in to the console now. */
export interface SignInState {
  readonly isLocked: boolean
  readonly hasSharedSignIn: boolean
  /** Whether there are named operators, who have passkeys. */
  readonly hasOperators: boolean
  /** Where passkeys work, if they do not under the host of this page. */
  readonly passkeyUrl: string | undefined
}

/** @param message why the last attempt failed */
export function operatorSignInPage(state: SignInState, message?: string, status = 200): PageAnswer {
  const { isLocked, hasSharedSignIn, hasOperators } = state
  return {
    ...signInCard(
      'Sign in to the console',
      html`${message !== undefined && note('bad', message)}
        ${
          isLocked
            ? note(
                'bad',
                html`<p>The console is locked. Unlock it with the command, where the service runs:</p><pre>lotline console unlock</pre>`,
              )
            : html`${hasOperators && passkeySignIn(state)}${hasSharedSignIn && linkSignIn(hasOperators)}
              <p class="quiet">A session ends after 60 minutes.</p>`
        }`,
      ASSETS,
    ),
    status,
  }
}

function passkeySignIn({ passkeyUrl }: SignInState): Html {
  if (passkeyUrl !== undefined)
    return html`<p>Passkeys do not work under the address of this page. <a href=${passkeyUrl}>Open the console at ${passkeyUrl}</a> to sign in
      with one.</p>`
  return html`<p>Named operators sign in with the passkey of this device, or of a security key.</p>
    <form method="post" action="/passkey" data-passkey="sign-in">
      <input type="hidden" name="response" /><button autofocus>Sign in with a passkey</button>
    </form>
    ${passkeyNotes}`
}

function linkSignIn(hasOperators: boolean): Html {
  return html`${hasOperators && html`<h2>Or use a link</h2>`}<p>Make a link with the command, where the service runs, and open it in this browser:</p>
    <pre>lotline console link</pre>
    <p class="quiet">A link works once, for 5 minutes.</p>`
}

const passkeyNotes = html`<div id="passkey-problem" role="alert" hidden class="note bad"></div>
  <noscript><p>Passkeys need JavaScript.</p></noscript>${PASSKEY_SCRIPT}`

/** Opening the link changes nothing, so that programs that check links in messages do not use it up. */
export function operatorLinkPage(token: string): PageAnswer {
  return signInCard(
    'Sign in with this link',
    html`<p>This link works once. Continue to sign in to the console.</p>
      <form method="post" action=${`/link/${token}`}><button autofocus>Sign in</button></form>`,
    ASSETS,
  )
}

export const unusableOperatorLinkPage: PageAnswer = {
  ...signInCard(
    'This link does not work',
    html`<p>It was used already, or it is more than 5 minutes old. Make another one with the command:</p>
      <pre>lotline console link</pre>`,
    ASSETS,
  ),
  status: 410,
}

/** The data of the page that makes a passkey. */
export interface EnrollmentState {
  readonly token: string
  readonly operator: string
  readonly role: string
  /** For the browser, in JSON. undefined: passkeys do not work under the host of this page. */
  readonly options: string | undefined
  readonly passkeyUrl: string | undefined
}

/** @param problem why the last attempt failed */
export function enrollmentPage(state: EnrollmentState, problem?: string): PageAnswer {
  const { token, operator, role, options, passkeyUrl } = state
  return {
    ...signInCard(
      'Make a passkey',
      html`${problem !== undefined && note('bad', problem)}
        <p>You are <b>${operator}</b>, with the role <b>${role}</b>. Your device or security key keeps the passkey, and asks you for a
          fingerprint, a face, or a PIN each time you sign in to the console.</p>
        ${
          options === undefined
            ? html`<p>Passkeys do not work under the address of this page. <a href=${`${passkeyUrl}/enroll/${token}`}>Open this link at
                ${passkeyUrl}</a>.</p>`
            : html`<form method="post" action=${`/enroll/${token}`} data-passkey="make" data-options=${options}>
                <input type="hidden" name="response" /><button autofocus>Make a passkey</button>
              </form>
              ${passkeyNotes}
              <p class="quiet">This link works once.</p>`
        }`,
      ASSETS,
    ),
    status: problem === undefined ? 200 : 422,
  }
}

export const unusableEnrollmentPage: PageAnswer = {
  ...signInCard(
    'This link does not work',
    html`<p>It was used already, it is more than 60 minutes old, or the operator was removed. Make another one with the command:</p>
      <pre>lotline operators link NAME</pre>
      <p>If you have made a passkey with it, <a href="/">sign in</a>.</p>`,
    ASSETS,
  ),
  status: 410,
}
