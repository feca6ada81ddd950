// Passkeys over HTTP: the page that makes one with a link, and the sign-in. Both need a host that browsers accept for passkeys: localhost, or
// that of ADMIN_URL.

import type * as Console from '@lotline/portal/console'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../infrastructure/database.ts'
import type { SessionBrowser } from '../../money/accounts.ts'
import {
  createPasskeyChallenge,
  PasskeyRefused,
  type PasskeySite,
  readEnrollment,
  usePasskey,
  usePasskeyLink,
} from '../../money/operator.ts'
import { formOf } from '../portal/portal-api.ts'

/** The parts of the console that these routes use. */
export interface PasskeyRoutes {
  readonly database: Database
  /** ADMIN_URL. */
  readonly url: string | undefined
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  load(): Promise<typeof Console>
  /** Redeems what the request brings, unless its address has made too many wrong attempts. */
  lookUp<T>(
    request: FastifyRequest,
    find: () => Promise<T | undefined>,
  ): Promise<T | { readonly waitMs: number } | undefined>
  /** Counts an attempt. Returns the milliseconds to wait if there were too many. */
  takeAttempt(request: FastifyRequest): number | undefined
  isFromOwnPage(request: FastifyRequest): boolean
  browserOf(request: FastifyRequest): SessionBrowser
  begin(request: FastifyRequest, reply: FastifyReply, sessionId: string): Promise<FastifyReply>
  show(reply: FastifyReply, page: Console.PageAnswer): Promise<FastifyReply>
  showTooMany(request: FastifyRequest, reply: FastifyReply, waitMs: number): Promise<FastifyReply>
  showSignIn(
    request: FastifyRequest,
    reply: FastifyReply,
    message?: string,
    status?: number,
  ): Promise<FastifyReply>
}

const REFUSED = 'The passkey was refused. Try again, or make another link with the command.'
const UNKNOWN =
  'This passkey does not work here. It was removed with its operator, belongs to another address of the console, or took too long.'

export function servePasskeys(server: FastifyInstance, routes: PasskeyRoutes): void {
  const { database, url, load, show } = routes

  server.get('/enroll/:token', (request, reply) => showEnrollment(request, reply))

  server.post('/enroll/:token', async (request, reply) => {
    const { refusedPage, unusableEnrollmentPage } = await load()
    const site = passkeySiteOf(request, url)
    if (!routes.isFromOwnPage(request) || !site) return show(reply, refusedPage)
    const token = tokenOf(request)
    const response = formOf(request).get('response') ?? ''
    const id = await refusal(request, () =>
      routes.lookUp(request, () =>
        usePasskeyLink(database, site, { token, response, browser: routes.browserOf(request) }),
      ),
    )
    if (id instanceof PasskeyRefused) return showEnrollment(request, reply, REFUSED)
    if (id === undefined) return show(reply, unusableEnrollmentPage)
    if (typeof id !== 'string') return routes.showTooMany(request, reply, id.waitMs)
    return routes.begin(request, reply, id)
  })

  // For the script of the page. Each challenge is a row for some minutes, so they are counted as attempts are.
  server.post('/passkey/challenge', async (request, reply) => {
    const site = passkeySiteOf(request, url)
    const say = (status: number, text: string) =>
      reply.code(status).type('text/plain; charset=utf-8').send(text)
    if (!routes.isFromOwnPage(request) || !site) return say(403, 'Load the page again.')
    const waitMs = routes.takeAttempt(request)
    if (waitMs !== undefined) {
      reply.header('retry-after', String(Math.max(1, Math.ceil(waitMs / 1000))))
      return say(429, 'Too many attempts came from your address. Wait a moment, then try again.')
    }
    const options = await createPasskeyChallenge(database, site)
    return options ? reply.send(options) : say(409, 'The console is locked.')
  })

  server.post('/passkey', async (request, reply) => {
    const { refusedPage } = await load()
    const site = passkeySiteOf(request, url)
    if (!routes.isFromOwnPage(request) || !site) return show(reply, refusedPage)
    const response = formOf(request).get('response') ?? ''
    const id = await refusal(request, () =>
      routes.lookUp(request, () =>
        usePasskey(database, site, { response, browser: routes.browserOf(request) }),
      ),
    )
    if (id instanceof PasskeyRefused) return routes.showSignIn(request, reply, REFUSED, 403)
    if (id === undefined) return routes.showSignIn(request, reply, UNKNOWN, 403)
    if (typeof id !== 'string') return routes.showTooMany(request, reply, id.waitMs)
    return routes.begin(request, reply, id)
  })

  /** Opening the page changes nothing. */
  async function showEnrollment(
    request: FastifyRequest,
    reply: FastifyReply,
    problem?: string,
  ): Promise<FastifyReply> {
    const { enrollmentPage, unusableEnrollmentPage } = await load()
    const token = tokenOf(request)
    const site = passkeySiteOf(request, url)
    const passkeyUrl = passkeyUrlFor(request, url)
    const found = await routes.lookUp(request, () =>
      readEnrollment(database, site ?? siteOf(passkeyUrl!), token),
    )
    if (!found) return show(reply, unusableEnrollmentPage)
    if ('waitMs' in found) return routes.showTooMany(request, reply, found.waitMs)
    const { operator, role } = found
    const options = site && JSON.stringify(found.options)
    return show(reply, enrollmentPage({ token, operator, role, options, passkeyUrl }, problem))
  }

  /** A refused passkey is no failure. It counts as a wrong attempt, and the log has the reason. */
  async function refusal<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T | PasskeyRefused> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof PasskeyRefused)) throw error
      routes.takeAttempt(request)
      routes.log.warn({ reason: error.message }, 'a passkey was refused')
      return error
    }
  }
}

function tokenOf({ params }: FastifyRequest): string {
  return (params as { readonly token: string }).token
}

function siteOf(origin: string): PasskeySite {
  return { host: new URL(origin).hostname, origin }
}

/** The site of a request. undefined: browsers use no passkeys under its host, which is an address. The host was checked before. */
function passkeySiteOf(
  { headers: { host = '' } }: FastifyRequest,
  url: string | undefined,
): PasskeySite | undefined {
  if (url !== undefined && new URL(url).host === host.toLowerCase()) return siteOf(url)
  return /^localhost(?::\d+)?$/i.test(host) ? siteOf(`http://${host.toLowerCase()}`) : undefined
}

/** Where passkeys work, if not under the host of the request. */
export function passkeyUrlFor(request: FastifyRequest, url: string | undefined): string | undefined {
  if (passkeySiteOf(request, url)) return undefined
  const port = /:\d+$/.exec(request.headers.host ?? '')?.[0] ?? ''
  return url ?? `http://localhost${port}`
}
