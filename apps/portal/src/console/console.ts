// The console: turns a path and a form into a page or a redirect. It renders, and reaches the service through a port (port.ts). The service
// in front of it checks the session, the cookie, and the origin of the request (apps/api/src/interfaces/console/).
// To add a page: write it in pages/, with its routes and its navigation entry, and add it to PAGES.

import { type PageAnswer, type PortalAnswer, page, type RedirectAnswer, redirect } from '../answer.ts'
import { html } from '../html.ts'
import { layOut, type Site } from '../layout.ts'
import { signInCard } from '../pages/sign-in.ts'
import { note } from '../parts.ts'
import { matchRoute, pageAbove } from '../routes.ts'
import { accountPages } from './pages/accounts.ts'
import { auditPages } from './pages/audit.ts'
import { dataPages, sourcePages } from './pages/data.ts'
import { providerPages, queuePages, webhookPages } from './pages/operation.ts'
import { purchasePages } from './pages/purchases.ts'
import { trailPages } from './pages/trail.ts'
import type { ConsoleApi } from './port.ts'
import type { ConsolePages, ConsoleVisit, SignedInOperator } from './visit.ts'

export type * from './port.ts'
export type { SignedInOperator } from './visit.ts'
export type { PageAnswer, RedirectAnswer }

/** All pages, in the order of the navigation. */
const PAGES: readonly ConsolePages[] = [
  accountPages,
  purchasePages,
  sourcePages,
  dataPages,
  providerPages,
  queuePages,
  webhookPages,
  auditPages,
  trailPages,
]

const ROUTES = [
  ['GET', '/', async () => redirect('/accounts')] as const,
  ...PAGES.flatMap(({ routes }) => routes),
]

const ASSETS = '/assets'

const CONSOLE: Site = {
  name: 'Lotline console',
  label: 'Console',
  home: '/',
  assets: ASSETS,
  signOut: '/sign-out',
  sections: PAGES.map(({ section, path, title }) => [section, path, title] as const),
  aside: (session) => {
    const { operator } = session as SignedInOperator
    return html`<span class="who quiet" title=${operator}>${operator}</span>`
  },
}

export interface ConsoleRequest {
  readonly method: 'GET' | 'POST'
  /** Without the query, such as `/accounts`. */
  readonly path: string
  readonly query: URLSearchParams
  readonly form: URLSearchParams
  readonly session: SignedInOperator
  readonly console: ConsoleApi
}

/** Answers a request of a signed-in operator. */
export async function answerOperator(request: ConsoleRequest): Promise<PageAnswer | RedirectAnswer> {
  const { method, path } = request
  const found = matchRoute<ConsoleVisit>(ROUTES, method, path)
  if (!found) {
    const above = method === 'POST' ? undefined : pageAbove(ROUTES, path, '/')
    return above === undefined ? notFoundPage : redirect(above)
  }
  const answer: PortalAnswer = await found.handler({ ...request, params: found.params, now: new Date() })
  if (answer.kind === 'file') throw new Error('The operator console has no downloadable files.')
  return answer
}

/** @param session undefined: the browser is not signed in */
export function layOutConsole(answer: PageAnswer, session: SignedInOperator | undefined): string {
  return layOut(answer, session, CONSOLE)
}

export const notFoundPage: PageAnswer = {
  ...page(
    undefined,
    'Page not found',
    html`<h1>Page not found</h1><p>The console has no page at this address. Go to <a href="/accounts">the accounts</a>.</p>`,
  ),
  status: 404,
}

/** @param message why the last attempt failed */
export function operatorSignInPage(message?: string, status = 200): PageAnswer {
  return {
    ...signInCard(
      'Sign in to the console',
      html`${message !== undefined && note('bad', message)}
        <p>Make a link with the command, where the service runs, and open it in this browser:</p>
        <pre>lotline console link</pre>
        <p class="quiet">A link works once, for 5 minutes. A session ends after 60 minutes.</p>`,
      ASSETS,
    ),
    status,
  }
}

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

export const refusedPage: PageAnswer = {
  ...signInCard(
    'This request was refused',
    html`<p>It did not come from a page of this console, or its page is out of date. <a href="/">Open the console</a> and try
      again.</p>`,
    ASSETS,
  ),
  status: 403,
}

export function failurePage(status: 500 | 503): PageAnswer {
  return {
    ...signInCard(
      'This did not work',
      html`<p>${
        status === 503
          ? 'The database is not available now. Try again in a moment.'
          : 'The service failed. Its log has the reason.'
      }</p><p><a href="/">Open the console</a></p>`,
      ASSETS,
    ),
    status,
  }
}
