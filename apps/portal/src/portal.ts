// The portal: turns a path and a form into a page, a redirect, or a file. It renders, and calls the API through a port (api.ts). The
// service in front of it checks the session, the cookie, and the origin of the request (apps/api/src/interfaces/portal/portal.ts).

import {
  type MapTiles,
  type PageAnswer,
  type PortalAnswer,
  page,
  redirect,
  type SignedInAccount,
  type Visit,
} from './answer.ts'
import { type ApiError, ApiProblem, type PortalApi } from './api.ts'
import type { PortalBilling } from './billing.ts'
import { html } from './html.ts'
import { layOut } from './layout.ts'
import { billingRoutes } from './pages/billing.ts'
import { exploreRoutes } from './pages/explore.ts'
import { jobRoutes } from './pages/jobs.ts'
import { keyRoutes } from './pages/keys.ts'
import { overview } from './pages/overview.ts'
import { usageRoutes } from './pages/usage.ts'
import { watchRoutes } from './pages/watches.ts'
import { webhookRoutes } from './pages/webhooks.ts'
import { note, problem } from './parts.ts'
import { matchRoute, type PageRoute, pageAbove } from './routes.ts'

export type { FileAnswer, MapTiles, PageAnswer, PortalAnswer, SignedInAccount } from './answer.ts'
export type { ApiCallResult, ApiError, ApiInput, PortalApi } from './api.ts'
export type { PortalBilling } from './billing.ts'
export { layOut } from './layout.ts'
export {
  linkPage,
  returnPage,
  type SignInWays,
  signInPage,
  unusableLinkPage,
  wrongOriginPage,
} from './pages/sign-in.ts'
export {
  confirmPage,
  sentPage,
  signUpPage,
  takenPage,
  unusableSignUpPage,
  welcomePage,
} from './pages/sign-up.ts'
export {
  confirmedPage,
  confirmSubscriptionPage,
  refusedPage,
  unsubscribedPage,
  unsubscribePage,
  unusableSubscriptionPage,
} from './pages/subscriptions.ts'

export interface PortalRequest {
  readonly method: 'GET' | 'POST'
  /** Without the query, such as `/portal/keys`. */
  readonly path: string
  readonly query: URLSearchParams
  readonly form: URLSearchParams
  readonly session: SignedInAccount
  readonly api: PortalApi
  readonly tiles: MapTiles | undefined
  readonly billing: PortalBilling | undefined
}

export interface RenderedPage {
  readonly kind: 'html'
  readonly status: number
  readonly text: string
}

const ROUTES: readonly PageRoute[] = [
  ['GET', '/portal', overview],
  ...usageRoutes,
  ...billingRoutes,
  ...keyRoutes,
  ...jobRoutes,
  ...webhookRoutes,
  ...watchRoutes,
  ...exploreRoutes,
]

/** Answers a request of a signed-in user. `signed out`: the key of the session no longer works. */
export async function answerRequest(
  request: PortalRequest,
): Promise<RenderedPage | Exclude<PortalAnswer, PageAnswer> | 'signed out'> {
  const { method, path, session } = request
  const found = matchRoute(ROUTES, method, path)
  const visit: Visit = { ...request, params: found?.params ?? {}, now: new Date() }
  const above = found || method === 'POST' ? undefined : pageAbove(ROUTES, path)
  if (above !== undefined) return redirect(above)
  const answer = found ? await attempt(found.handler, visit) : NOT_FOUND_ERROR
  if (answer === 'signed out' || answer.kind !== 'page') return answer
  return { kind: 'html', status: answer.status, text: layOut(answer, session) }
}

async function attempt(
  handler: (visit: Visit) => Promise<PortalAnswer>,
  visit: Visit,
): Promise<PortalAnswer | 'signed out'> {
  try {
    return await handler(visit)
  } catch (thrown) {
    if (!(thrown instanceof ApiProblem)) throw thrown
    const { error } = thrown
    return error.status === 401 ? 'signed out' : problemPage(error, visit.session)
  }
}

const NOT_FOUND_ERROR: PageAnswer = {
  ...page(
    undefined,
    'Page not found',
    html`<h1>Page not found</h1><p>The portal has no page at this address. Go to <a href="/portal">the overview</a>.</p>`,
  ),
  status: 404,
}

/** The API's refusal, as a page. */
export function problemPage(error: ApiError, session?: SignedInAccount): PageAnswer {
  return { ...problemText(error, session), status: error.status }
}

function problemText(error: ApiError, session: SignedInAccount | undefined): PageAnswer {
  if (error.code === 'out_of_credits') {
    const { balance, held } = error.details as { readonly balance?: number; readonly held?: number }
    if (balance === 0) {
      return page(
        undefined,
        'No credits left',
        html`<h1>No credits left</h1>
          <p class="figure"><strong>0</strong> credits available</p>
          ${note(
            'bad',
            html`<p>The balance of your account is 0, so the API refuses every call, and the portal cannot read your data.
              Nothing is deleted.</p>
              <p>${
                session?.hasBilling
                  ? html`<a href="/portal/billing">Choose a plan or buy credits</a>.`
                  : 'Ask the operator of the service for more credits.'
              } The portal works again as soon as your account has them.</p>`,
          )}
          ${held ? html`<p>Running jobs hold ${held} credits.</p>` : ''}`,
      )
    }
  }
  if (error.code === 'account_suspended') {
    return page(
      undefined,
      'Account suspended',
      html`<h1>Account suspended</h1>${note('bad', html`<p>${error.message}</p>`)}`,
    )
  }
  return page(undefined, 'This did not work', html`<h1>This did not work</h1>${problem(error)}`)
}
