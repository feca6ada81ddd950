// The page on which a user approves a connector. The user signs in through the portal and returns here. If the portal is off, the page asks
// for a key. The page's HTML is in oauth/consent-page.ts; oidc-provider stores the authorization request.
// Why: decisions/interfaces/consent-asks-for-a-key.md

import type { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { InteractionResults, Provider } from 'oidc-provider'
import { poll } from '../../infrastructure/platform.ts'
import { isRefusal, type Refusal } from '../../infrastructure/refusals.ts'
import { findAccount } from '../../money/accounts.ts'
import {
  consentPage,
  createConnector,
  DEFAULT_CREDIT_LIMIT,
  errorPage,
  MAX_CREDIT_LIMIT,
  mcpResourceUrl,
  operationsInScopes,
  reloadPage,
  SCOPES,
  type Scope,
  scopesIn,
  tokenDigest,
} from '../../money/oauth.ts'
import { authenticate, type FailedKeyCheck, refuseSuspended } from '../../requests/engine.ts'
import { type BrowserSessionDeps, createBrowserSessions } from '../http/browser-session.ts'
import { RequestBody } from '../http/request-body.ts'
import { prepare, refuseTooMany, sendExpired, sendHtml, sendWithoutClient } from './oauth-answers.ts'

export interface ConsentParts {
  readonly deps: BrowserSessionDeps
  /** Returns the source address of a request, for the limit on failed keys. */
  readonly addressOf: (request: IncomingMessage) => string
  readonly publicUrl: string
  readonly getProvider: () => Promise<Provider>
  /** Runs a lookup of a client for the request of a page: its document counts against the address. */
  readonly pageRequests: AsyncLocalStorage<IncomingMessage>
}

/** Maximum bytes of a form. */
const MAX_FORM_BYTES = 16 * 1024

/** An authorization request, as oidc-provider stores it. */
interface ConsentInteraction {
  readonly uid: string
  readonly params: Readonly<Record<string, unknown>>
  /** The URL at which oidc-provider continues. */
  readonly returnTo: string
  /** The decision. undefined: none yet. */
  readonly result?: object | undefined
}

type Client = NonNullable<Awaited<ReturnType<Provider['Client']['find']>>>

/** The key that approves, and its account. */
interface Approver {
  readonly accountId: string
  readonly keyId: string
}

/** The signed-in user, as the page shows it. */
interface SignedInUser {
  /** The account's email address, or else its id. */
  readonly account: string
  /** The CSRF token of the session's forms. */
  readonly csrfToken: string
}

/** The page's content in addition to the authorization request. */
interface ConsentPageState {
  readonly signedIn?: SignedInUser | undefined
  readonly refusal?: Refusal | undefined
  /** The error message for the submitted form. Default: the message of the refusal. */
  readonly problem?: string | undefined
  /** The submitted form. The page keeps the user's input. */
  readonly form?: URLSearchParams | undefined
}

/** The user's choices. */
interface Choice {
  readonly scopes: readonly Scope[]
  /** Credits a month. */
  readonly creditLimit: number
}

export function serveConsent(
  server: FastifyInstance,
  { deps, addressOf, publicUrl, getProvider, pageRequests }: ConsentParts,
): void {
  const sessions = createBrowserSessions(deps)

  server.get('/oauth/consent/:uid', async (request, reply) => {
    const waitMs = deps.visitorLimits.pages.take(addressOf(request.raw))
    if (waitMs !== undefined) return refuseTooMany(request, reply, waitMs)
    const provider = await getProvider()
    const step = await findStep(provider, request, reply)
    if (!step) return sendExpired(reply)
    if (!deps.config.portal) return sendPage(provider, step, request, reply)
    const session = await sessions.read(request)
    if (session && 'refusal' in session)
      return sendPage(provider, step, request, reply, { refusal: waiting(session) })
    if (session) return sendPage(provider, step, request, reply, { signedIn: await describe(session) })
    // Browsers do not send the session cookie when the client's site redirects them here. They do when the page reloads itself.
    const isReloaded = (request.query as { readonly reloaded?: string }).reloaded !== undefined
    return isReloaded ? askToSignIn(step, reply) : sendHtml(reply, reloadPage(`${pathOf(step)}?reloaded=1`))
  })

  server.post('/oauth/consent/:uid', async (request, reply) => {
    const waitMs = deps.visitorLimits.pages.take(addressOf(request.raw))
    if (waitMs !== undefined) return refuseTooMany(request, reply, waitMs)
    // A form of another site: the browser says so, and does not send this site's cookie.
    if (request.headers.origin !== publicUrl) {
      return sendHtml(reply.code(403), errorPage('access_denied', 'The form was sent from another page.'))
    }
    const form = await readForm(request)
    const provider = await getProvider()
    const step = await findStep(provider, request, reply)
    if (!step || !form) return sendExpired(reply)
    const decision = form.get('decision')
    if (decision === 'switch') {
      await sessions.signOut(request, reply)
      return askToSignIn(step, reply)
    }
    if (decision !== 'allow') {
      deps.observer.oauth('denied')
      const result = { error: 'access_denied', error_description: 'The user has denied the request.' }
      return finish(provider, request, reply, result)
    }
    const client = await findClient(provider, step, request)
    if (!client) return sendWithoutClient(reply)
    const session = deps.config.portal ? await sessions.read(request) : undefined
    if (session && 'refusal' in session)
      return sendPage(provider, step, request, reply, { refusal: waiting(session), form })
    // The session has ended since the page was shown.
    if (!session && deps.config.portal) return askToSignIn(step, reply)
    const signedIn = session && (await describe(session))
    // Another user has signed in with this browser since then.
    if (session && !sessions.hasToken(session, form.get('csrf')))
      return sendPage(provider, step, request, reply, { signedIn, problem: OTHER_ACCOUNT, form })
    const choice = readChoice(form, scopesIn(step.params.scope as string | undefined))
    if (typeof choice === 'string')
      return sendPage(provider, step, request, reply, { signedIn, problem: choice, form })
    const approver = await authenticateApprover(request, session ?? form.get('key')?.trim() ?? '')
    if (isRefusal(approver))
      return sendPage(provider, step, request, reply, { signedIn, refusal: approver, form })
    const approved = await approve(provider, step, client, choice, approver)
    if (!approved) return followOther(provider, step, request, reply)
    if (isRefusal(approved))
      return sendPage(provider, step, request, reply, { signedIn, refusal: approved, form })
    return finish(provider, request, reply, approved)
  })

  /** Shows the portal's sign-in, which returns to the page. */
  function askToSignIn(step: ConsentInteraction, reply: FastifyReply): FastifyReply {
    sessions.returnTo(reply, pathOf(step))
    return reply.redirect('/portal', 303)
  }

  async function describe(session: {
    readonly accountId: string
    readonly csrfToken: string
  }): Promise<SignedInUser> {
    const { accountId, csrfToken } = session
    const account = await findAccount(deps.database, accountId)
    return { account: account?.email ?? accountId, csrfToken }
  }

  /** @param by the session, or a key */
  async function authenticateApprover(
    request: FastifyRequest,
    by: string | { readonly keyHash: string },
  ): Promise<Refusal | Approver> {
    const credentials = typeof by === 'object' ? by : by === '' ? undefined : `Bearer ${by}`
    const identity = await authenticate(deps, credentials, addressOf(request.raw))
    if (isRefusal(identity)) return identity
    if ('refusal' in identity) {
      deps.observer.guessRefused()
      return waiting(identity)
    }
    return refuseSuspended(identity.principal) ?? identity.principal
  }

  /** The result that oidc-provider continues with. undefined: another approval of the request came first. */
  async function approve(
    provider: Provider,
    { uid, params }: ConsentInteraction,
    client: Client,
    { scopes, creditLimit }: Choice,
    { accountId, keyId }: Approver,
  ): Promise<InteractionResults | Refusal | undefined> {
    const clientId = String(params.client_id)
    const grant = new provider.Grant({ accountId, clientId })
    const resource = mcpResourceUrl(publicUrl)
    grant.addResourceScope(resource, scopes.join(' '))
    // Scopes that the user declined are not requested again.
    const others = SCOPES.filter((scope) => !scopes.includes(scope))
    if (others.length > 0) {
      grant.rejectResourceScope(resource, others.join(' '))
      grant.rejectOIDCScope(others.join(' '))
    }
    grant.addOIDCScope([...scopes, 'offline_access'].join(' '))
    const grantId = await grant.save()
    const created = await createConnector(deps.database, {
      accountId,
      keyId,
      name: nameOf(client),
      clientId,
      grant: tokenDigest(grantId),
      request: tokenDigest(uid),
      operations: operationsInScopes(scopes),
      creditLimit,
    })
    if (created === undefined || isRefusal(created)) {
      await grant.destroy()
      return created
    }
    deps.observer.oauth('approved')
    return { login: { accountId, remember: false }, consent: { grantId } }
  }

  /** A browser that sends "Allow" twice shows the second response: it redirects to the first one's result, once that is stored. */
  async function followOther(
    provider: Provider,
    { returnTo }: ConsentInteraction,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    await poll(
      async () => {
        const step = await findStep(provider, request, reply)
        return !step || Boolean(step.result) || undefined
      },
      { attempts: MAX_LOOKS, pauseMs: LOOK_EVERY_MS },
    )
    return reply.redirect(returnTo, 303)
  }

  /** undefined: its registration has ended, or its document cannot be fetched now. */
  async function findClient(
    provider: Provider,
    { params }: ConsentInteraction,
    request: FastifyRequest,
  ): Promise<Client | undefined> {
    try {
      return await pageRequests.run(request.raw, () => provider.Client.find(String(params.client_id)))
    } catch (error) {
      const { name = '', status } = error as { readonly name?: string; readonly status?: number }
      if (/^InvalidClient/.test(name) || status === 429) return undefined
      throw error
    }
  }

  async function finish(
    provider: Provider,
    request: FastifyRequest,
    reply: FastifyReply,
    result: InteractionResults,
  ) {
    reply.hijack()
    prepare(request.raw, reply.raw, publicUrl)
    await provider.interactionFinished(request.raw, reply.raw, result, { mergeWithLastSubmission: false })
  }

  async function sendPage(
    provider: Provider,
    step: ConsentInteraction,
    request: FastifyRequest,
    reply: FastifyReply,
    { signedIn, refusal, problem = refusal?.message, form }: ConsentPageState = {},
  ) {
    const { params } = step
    const clientId = String(params.client_id)
    const client = await findClient(provider, step, request)
    if (!client) return sendWithoutClient(reply)
    const returnsTo = new URL(String(params.redirect_uri))
    // Browsers also apply form-action to redirects after a form, and the last redirect leads to the client.
    const target = /^https?:$/.test(returnsTo.protocol) ? returnsTo.origin : returnsTo.protocol
    const page = consentPage({
      action: pathOf(step),
      signedIn,
      clientName: nameOf(client),
      clientHost: clientId.startsWith('https://') ? new URL(clientId).host : undefined,
      returnsTo: /^https?:$/.test(returnsTo.protocol) ? returnsTo.host : returnsTo.protocol,
      scopes: scopesIn(params.scope as string | undefined),
      onlyRead: form !== undefined && form.get('access') !== 'all',
      credits: form?.get('credits') ?? String(DEFAULT_CREDIT_LIMIT),
      problem,
    })
    if (refusal?.retryAfterS !== undefined) reply.header('retry-after', String(refusal.retryAfterS))
    const status = problem === undefined ? 200 : refusal?.code === 'rate_limited' ? 429 : 400
    return sendHtml(reply.code(status), page, `form-action 'self' ${target}`)
  }
}

function waiting({ refusal, retryAfterS }: FailedKeyCheck): Refusal {
  return { ...refusal, retryAfterS }
}

/** The number and the interval of lookups of a request that another approval is finishing. */
const MAX_LOOKS = 40
const LOOK_EVERY_MS = 50

const NOTHING_CHOSEN = 'Choose what the application may do.'
const WRONG_LIMIT = `Enter the credits for a month as a whole number from 0 to ${MAX_CREDIT_LIMIT.toLocaleString('en-US')}.`
const OTHER_ACCOUNT = 'Another account has signed in with this browser. Check the account, then allow again.'

function pathOf({ uid }: ConsentInteraction): string {
  return `/oauth/consent/${encodeURIComponent(uid)}`
}

/** The authorization request in the browser's cookie. undefined: none, or expired. */
async function findStep(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ConsentInteraction | undefined> {
  try {
    const step = await provider.interactionDetails(request.raw, reply.raw)
    return step.uid === (request.params as { readonly uid: string }).uid ? step : undefined
  } catch (error) {
    if ((error as { readonly name?: string }).name === 'SessionNotFound') return undefined
    throw error
  }
}

async function readForm(request: FastifyRequest): Promise<URLSearchParams | undefined> {
  const sent = new RequestBody(request.raw)
  if (!/^application\/x-www-form-urlencoded\b/i.test(sent.type ?? '')) return undefined
  const bytes = await sent.read(MAX_FORM_BYTES)
  return bytes && new URLSearchParams(bytes.toString('utf8'))
}

/** The scopes that the user selected, or the error in the selection. */
function readChoice(form: URLSearchParams, asked: readonly Scope[]): Choice | string {
  const scopes = form.get('access') === 'all' ? asked : asked.filter((scope) => scope === 'read')
  if (scopes.length === 0) return NOTHING_CHOSEN
  const text = form.get('credits')?.trim() ?? String(DEFAULT_CREDIT_LIMIT)
  const creditLimit = /^\d+$/.test(text) ? Number(text) : Number.NaN
  return creditLimit <= MAX_CREDIT_LIMIT ? { scopes, creditLimit } : WRONG_LIMIT
}

/** The client's own name without control characters, or else its id. */
function nameOf({
  clientName,
  clientId,
}: {
  readonly clientName?: string | undefined
  readonly clientId: string
}) {
  const name = clientName?.replace(/[\p{Cc}\p{Cf}]/gu, '').trim()
  return (name || clientId).slice(0, 100)
}
