// Sign-in by email and sign-up: the pages between the request for a link and the account.

import { type PageAnswer, page } from '../answer.ts'
import { html } from '../html.ts'
import { note, secret } from '../parts.ts'
import { emailForm, type SignInWays, signInCard } from './sign-in.ts'

/** @param message why the last attempt failed */
export function signUpPage(message?: string, status = 200): PageAnswer {
  return {
    ...signInCard(
      'Create an account',
      html`${message !== undefined && note('bad', message)}
        <p>We send a link to your address. Open it to confirm that the address is yours.</p>
        ${emailForm('/portal/sign-up', 'Send me the link')}
        <p class="quiet">You have an account? <a href="/portal">Sign in</a>.</p>`,
    ),
    status,
  }
}

/** The same for every address, with or without an account. */
export function sentPage(address: string, isSignUp: boolean): PageAnswer {
  return signInCard(
    'Check your mail',
    html`<p>${
      isSignUp
        ? html`We sent a message to <strong>${address}</strong>. Open the link in it to create your account.`
        : html`If <strong>${address}</strong> belongs to an account, we sent a sign-in link to it.`
    }</p>
      <p>The link works once, within ${isSignUp ? '60 minutes' : '5 minutes'}.</p>
      <p class="quiet">No message? Look into the spam folder, or
        ${' '}<a href=${isSignUp ? '/portal/sign-up' : '/portal'}>check the address and try again</a>.</p>`,
  )
}

/** Opening the link changes nothing, so that programs that check links in messages do not use it up. */
export function confirmPage(token: string): PageAnswer {
  return signInCard(
    'Create your account',
    html`<p>This confirms your address. You get an account and its first API key.</p>
      <form method="post" action=${`/portal/sign-up/${token}`}><button autofocus>Create account</button></form>`,
  )
}

export const unusableSignUpPage: PageAnswer = {
  ...signInCard(
    'This link does not work',
    html`<p>It was used already, or it is too old. If you have created your account with it,
      ${' '}<a href="/portal">sign in</a>. Otherwise, ask for another link.</p>`,
  ),
  status: 410,
}

/** The mailbox has had an account before. */
export function takenPage({ byEmail }: SignInWays): PageAnswer {
  return {
    ...signInCard(
      'You already have an account',
      html`<p>Your address, or another spelling of it, belongs to an account already. No other one was created.</p>
        ${byEmail ? emailForm('/portal/email', 'Send me a sign-in link') : html`<p><a href="/portal">Sign in</a></p>`}`,
    ),
    status: 409,
  }
}

/** @param key shown only this once @param credits the account's credits, for its first call */
export function welcomePage(key: string, credits: number): PageAnswer {
  return page(
    undefined,
    'Your account is ready',
    html`<h1>Your account is ready</h1>
      ${note('good', html`<p>You are signed in, and your account has ${credits} credits.</p>`)}
      <p>This is your first API key. Copy it now: it is not shown again. You can create others at any time.</p>
      ${secret('API key', key)}
      <p><a class="button" href="/portal">Go to the overview</a></p>
      <p>Or <a href="/docs/quick-start">make your first call</a>.</p>`,
  )
}
