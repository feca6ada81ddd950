// The console: turns a path and a form into a page or a redirect. It renders, and reaches the service through a port (port.ts). The service
// in front of it checks the session, the cookie, and the origin of the request (apps/api/src/interfaces/console/).
// To add a page: write it in pages/, with its routes and its navigation entry, and add it to PAGES.

import { type PageAnswer, type PortalAnswer, page, type RedirectAnswer, redirect } from '../answer.ts'
import { html } from '../html.ts'
import { layOut, type Site } from '../layout.ts'
import { signInCard } from '../pages/sign-in.ts'
import { matchRoute, pageAbove } from '../routes.ts'
import { accountPages } from './pages/accounts.ts'
import { approvalPages } from './pages/approvals.ts'
import { auditPages } from './pages/audit.ts'
import { dataPages, sourcePages } from './pages/data.ts'
import { importPages } from './pages/imports.ts'
import { providerPages, queuePages, webhookPages } from './pages/operation.ts'
import { operatorPages } from './pages/operators.ts'
import { purchasePages } from './pages/purchases.ts'
import { trailPages } from './pages/trail.ts'
import { hasPermission } from './permissions.ts'
import type { ConsoleApi } from './port.ts'
import type { ConsolePages, ConsoleRoute, ConsoleVisit, SignedInOperator } from './visit.ts'

export { type ConsoleRole, hasPermission, PERMISSIONS, type Permission, ROLES } from './permissions.ts'
export type * from './port.ts'
export * from './sign-in-pages.ts'
export type { SignedInOperator } from './visit.ts'
export type { PageAnswer, RedirectAnswer }

/** All pages, in the order of the navigation. */
const PAGES: readonly ConsolePages[] = [
  accountPages,
  purchasePages,
  approvalPages,
  sourcePages,
  dataPages,
  importPages,
  providerPages,
  queuePages,
  webhookPages,
  auditPages,
  trailPages,
  operatorPages,
]

/** All routes, each with its permission. */
export const CONSOLE_ROUTES: readonly ConsoleRoute[] = PAGES.flatMap(({ routes }) => routes)

/** The routes as `matchRoute` takes them. */
const ROUTES = CONSOLE_ROUTES.map(
  ([method, pattern, permission, handle]) => [method, pattern, { permission, handle }] as const,
)

const ASSETS = '/assets'

const CONSOLE: Site = {
  name: 'Lotline console',
  label: 'Console',
  home: '/',
  assets: ASSETS,
  signOut: '/sign-out',
  sections: PAGES.map(({ section, path, title }) => [section, path, title] as const),
  aside: (session) => {
    const { operator, role } = session as SignedInOperator
    return html`<span class="who quiet" title=${`${operator}, ${role}`}>${operator}, ${role}</span>`
  },
}

/** The sections that a role can open, in the order of the navigation. */
function sectionsOf({ role }: SignedInOperator): Site['sections'] {
  return PAGES.filter(({ path, routes }) =>
    routes.some(
      ([method, pattern, permission]) =>
        method === 'GET' && pattern === path && hasPermission(role, permission),
    ),
  ).map(({ section, path, title }) => [section, path, title] as const)
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

/** Answers a request of a signed-in operator. Here, and nowhere else, is the permission of a route checked. */
export async function answerOperator(request: ConsoleRequest): Promise<PageAnswer | RedirectAnswer> {
  const { method, path, session } = request
  if (method === 'GET' && path === '/') return redirect(sectionsOf(session)[0]![1])
  const found = matchRoute(ROUTES, method, path)
  if (!found) {
    const above = method === 'POST' ? undefined : pageAbove(ROUTES, path, '/')
    return above === undefined ? notFoundPage : redirect(above)
  }
  const { permission, handle } = found.handler
  const can: ConsoleVisit['can'] = (wanted) => hasPermission(session.role, wanted)
  if (!can(permission)) return forbiddenPage(session, permission)
  const answer: PortalAnswer = await handle({ ...request, params: found.params, now: new Date(), can })
  if (answer.kind === 'file') throw new Error('The console has no files.')
  return answer
}

/** @param session undefined: the browser is not signed in */
export function layOutConsole(answer: PageAnswer, session: SignedInOperator | undefined): string {
  return layOut(answer, session, session ? { ...CONSOLE, sections: sectionsOf(session) } : CONSOLE)
}

function forbiddenPage({ role }: SignedInOperator, permission: string): PageAnswer {
  return {
    ...page(
      undefined,
      'Not permitted',
      html`<h1>Not permitted</h1><p>Your role ${role} does not have the permission <code>${permission}</code>. Nothing was changed. An owner can
        change your role: <code>lotline operators role</code></p>`,
    ),
    status: 403,
  }
}

export const notFoundPage: PageAnswer = {
  ...page(
    undefined,
    'Page not found',
    html`<h1>Page not found</h1><p>The console has no page at this address. Go to <a href="/accounts">the accounts</a>.</p>`,
  ),
  status: 404,
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
