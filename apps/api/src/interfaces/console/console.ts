// The operator console over HTTP, on its own listener (ADMIN_PORT), which serves neither the API nor the portal. The pages are
// @lotline/portal/console, loaded with the first request.
// A page of another site can neither read nor change anything: the request must have a host name of the console (a foreign name that
// resolves to this machine is refused), the cookie is not sent with cross-site requests, and a POST must come from a page of the console
// and have the token of the session.
// Why: decisions/interfaces/console-has-its-own-listener.md

import type * as Console from '@lotline/portal/console'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Config } from '../../infrastructure/config.ts'
import { isToken, type Observer } from '../../infrastructure/platform.ts'
import { createGuessLimit, endSession, SESSION_MINUTES, type SessionBrowser } from '../../money/accounts.ts'
import {
  findOperatorSession,
  type OperatorSession,
  readConsoleAccess,
  useOperatorLink,
} from '../../money/operator.ts'
import { statusOfCode, toErrorRefusal } from '../../requests/engine.ts'
import { isLocalName } from '../http/from-this-machine.ts'
import { type ServerOptionsDeps, serverOptions } from '../http/server-options.ts'
import { createSessionCookie, isFromSameHost, isSameToken } from '../http/session-cookie.ts'
import { sourceAddressReader } from '../http/source-address.ts'
import { STANDARD_HEADERS } from '../http/standard-headers.ts'
import { PAGE_HEADERS, servePageAssets, takeForms } from '../portal/portal.ts'
import { formOf } from '../portal/portal-api.ts'
import { type AuditRunnerDeps, createAuditRunner } from './audit-runner.ts'
import { type ConsoleApiDeps, createConsoleApi } from './console-api.ts'
import { passkeyUrlFor, servePasskeys } from './passkey-routes.ts'

export type ConsoleDeps = AuditRunnerDeps &
  ConsoleApiDeps &
  ServerOptionsDeps & {
    readonly config: Pick<Config, 'trustedProxies'>
    readonly observer: Observer
  }

type ConsolePageRenderer = typeof Console
const HTML = 'text/html; charset=utf-8'
const TOO_MANY = 'Too many attempts that did not work came from your address. Wait a moment, then try again.'

/** Builds the server without listening. @param sharedMs maximum age of expensive figures, in milliseconds; default: 10 s */
export async function createConsole(
  deps: ConsoleDeps,
  { url, sharedMs }: Pick<NonNullable<Config['admin']>, 'url'> & { readonly sharedMs?: number },
): Promise<FastifyInstance> {
  const { database } = deps
  const server = Fastify(serverOptions(deps))
  const cookie = createSessionCookie('lotline_console', url?.startsWith('https:') === true)
  const addressOf = sourceAddressReader(deps.config.trustedProxies)
  const guesses = createGuessLimit()
  const apiFor = createConsoleApi(deps, createAuditRunner(deps), sharedMs)
  let loading: Promise<ConsolePageRenderer> | undefined
  const load = () => {
    loading ??= import('@lotline/portal/console')
    return loading
  }

  server.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...STANDARD_HEADERS, ...PAGE_HEADERS })
    if (isOwnHost(request.headers.host ?? '', url)) return
    return reply
      .code(421)
      .type('text/plain; charset=utf-8')
      .send('This is not the address of the console. Open it by a name of this machine, or by ADMIN_URL.\n')
  })
  takeForms(server)
  await servePageAssets(server, '/assets')

  server.get('/link/:token', async ({ params }, reply) => {
    const { operatorLinkPage, unusableOperatorLinkPage } = await load()
    const { token } = params as { readonly token: string }
    return show(reply, isToken(token) ? operatorLinkPage(token) : unusableOperatorLinkPage)
  })
  server.post('/link/:token', async (request, reply) => {
    const { refusedPage, unusableOperatorLinkPage } = await load()
    if (!isFromOwnPage(request)) return show(reply, refusedPage)
    const { token } = request.params as { readonly token: string }
    if (!isToken(token)) return show(reply, unusableOperatorLinkPage)
    const id = await lookUp(request, () => useOperatorLink(database, token, browserOf(request)))
    if (id === undefined) return show(reply, unusableOperatorLinkPage)
    if (typeof id !== 'string') return showTooMany(request, reply, id.waitMs)
    return begin(request, reply, id)
  })
  servePasskeys(server, {
    database,
    url,
    log: deps.log,
    load,
    lookUp,
    isFromOwnPage,
    browserOf,
    begin,
    show,
    showTooMany,
    showSignIn,
    takeAttempt: (request) => guesses.take(addressOf(request.raw)),
  })
  server.get('/*', answer)
  server.post('/*', answer)

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const pages = await load()
    const isPost = request.method === 'POST'
    if (isPost && !isFromOwnPage(request)) return show(reply, pages.refusedPage)
    const id = cookie.read(request)
    // Checked before the rate limit: a signed-in operator is not blocked by other traffic from the same address.
    const session = id === undefined ? undefined : await findOperatorSession(database, id, browserOf(request))
    const waitMs = id === undefined || session ? undefined : guesses.take(addressOf(request.raw))
    if (waitMs !== undefined) {
      deps.observer.guessRefused()
      return showTooMany(request, reply, waitMs)
    }
    if (!URL.canParse(request.url, 'http://localhost')) return show(reply, pages.notFoundPage)
    const { pathname: path, searchParams: query } = new URL(request.url, 'http://localhost')
    if (!session) {
      return path === '/' && !isPost ? showSignIn(request, reply) : reply.redirect('/', 303)
    }
    const form = formOf(request)
    if (isPost && !isSameToken(session.csrfToken, form.get('csrf'))) return show(reply, pages.refusedPage)
    if (isPost && path === '/sign-out') {
      await endSession(database, id!)
      cookie.set(reply, '', 0)
      return reply.redirect('/', 303)
    }
    const answered = await pages.answerOperator({
      method: isPost ? 'POST' : 'GET',
      path,
      query,
      form,
      session,
      console: apiFor(session),
    })
    if (answered.kind === 'redirect') return reply.redirect(answered.to, 303)
    return show(reply, answered, session)
  }

  /** Redeems the link in the request, unless its address has made too many wrong attempts. */
  async function lookUp<T>(
    request: FastifyRequest,
    find: () => Promise<T | undefined>,
  ): Promise<T | { readonly waitMs: number } | undefined> {
    const address = addressOf(request.raw)
    const waitMs = guesses.waitOf(address)
    if (waitMs !== undefined) {
      deps.observer.guessRefused()
      return { waitMs }
    }
    const found = await find()
    if (found === undefined) guesses.take(address)
    return found
  }

  function isFromOwnPage(request: FastifyRequest): boolean {
    // A proxy may replace the Host header.
    return isFromSameHost(request) || (url !== undefined && request.headers.origin === url)
  }

  async function showTooMany(
    request: FastifyRequest,
    reply: FastifyReply,
    waitMs: number,
  ): Promise<FastifyReply> {
    reply.header('retry-after', String(Math.max(1, Math.ceil(waitMs / 1000))))
    return showSignIn(request, reply, TOO_MANY, 429)
  }

  /** @param message why the last attempt failed */
  async function showSignIn(
    request: FastifyRequest,
    reply: FastifyReply,
    message?: string,
    status = 200,
  ): Promise<FastifyReply> {
    const { operatorSignInPage } = await load()
    const { lockedAt, hasSharedSignIn, hasOperators } = await readConsoleAccess(database)
    const passkeyUrl = passkeyUrlFor(request, url)
    const state = { isLocked: lockedAt !== null, hasSharedSignIn, hasOperators, passkeyUrl }
    return show(reply, operatorSignInPage(state, message, status))
  }

  /** The browser gets a new session id, and its previous session ends. */
  async function begin(request: FastifyRequest, reply: FastifyReply, id: string): Promise<FastifyReply> {
    const earlier = cookie.read(request)
    if (earlier !== undefined) await endSession(database, earlier)
    cookie.set(reply, id, SESSION_MINUTES * 60)
    return reply.redirect('/', 303)
  }

  function browserOf(request: FastifyRequest): SessionBrowser {
    return { address: addressOf(request.raw), userAgent: request.headers['user-agent'] }
  }

  async function show(
    reply: FastifyReply,
    page: Console.PageAnswer,
    session?: OperatorSession,
  ): Promise<FastifyReply> {
    const { layOutConsole } = await load()
    return reply.code(page.status).type(HTML).send(layOutConsole(page, session))
  }

  server.setNotFoundHandler(async (_request, reply) => show(reply, (await load()).notFoundPage))
  server.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
    // Errors of Fastify itself: the form is too large, or is not a form.
    const { statusCode = 500 } = error
    if (statusCode < 500) return show(reply, { ...(await load()).refusedPage, status: statusCode })
    const status = statusOfCode(toErrorRefusal(error, deps.log, request.id).code)
    return show(reply, (await load()).failurePage(status === 503 ? 503 : 500))
  })
  return server
}

/** Whether a host is a name of this machine, or the console's public name behind a proxy. */
function isOwnHost(host: string, url: string | undefined): boolean {
  return isLocalName(host) || (url !== undefined && host.toLowerCase() === new URL(url).host)
}
