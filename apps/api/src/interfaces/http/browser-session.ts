// Browser sessions: the cookie, the sign-in, and which requests may change data. The portal uses them, and so can any page that needs to
// know the account. Nothing under /v1 reads a cookie.
// A request that changes data is a POST. It must come from a page of this service (its Origin shows that), and if there is a session, its
// form must contain the session's token (`csrfToken`).

import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../infrastructure/config.ts'
import type { Database } from '../../infrastructure/database.ts'
import { type Observer, tokenDigest } from '../../infrastructure/platform.ts'
import { isRefusal, type Refusal, refuseFor } from '../../infrastructure/refusals.ts'
import {
  endSession,
  type PortalSession,
  type PortalSessions,
  SESSION_MINUTES,
  type StartedSession,
  startSession,
  useSignInLink,
  type VisitorLimits,
} from '../../money/accounts.ts'
import {
  type AuthenticationParts,
  authenticate,
  type FailedKeyCheck,
  refuseGuesser,
} from '../../requests/engine.ts'
import { createSessionCookie, isFromSameHost, isSameToken } from './session-cookie.ts'
import { sourceAddressReader } from './source-address.ts'

export type BrowserSessionDeps = AuthenticationParts & {
  readonly config: Config
  readonly database: Database
  readonly observer: Observer
  readonly portalSessions: PortalSessions
  readonly visitorLimits: VisitorLimits
}

/** The path after a sign-in. It is also sent with a sign-in link. */
const RETURN_COOKIE = 'lotline_return'
/** As long as a request for authorization is kept. */
const RETURN_SECONDS = 15 * 60
/** Sessions that a process remembers: about 1 MB. */
const MAX_KNOWN = 10_000

export interface BrowserSessions {
  /**
   * Finds the session of the request's cookie with one query. undefined: the browser is not signed in.
   * Invalid cookies are counted by address. Sessions of an address with too many are looked up together, and its invalid ones are refused.
   * An existing session is never refused, whichever process created it, because others may share its address.
   */
  read(request: FastifyRequest): Promise<PortalSession | FailedKeyCheck | undefined>
  /** Signs in with an API key that does not belong to a connector. A wrong key counts as a failed key of its address, as in a call. */
  signInWithKey(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
  ): Promise<StartedSession | Refusal | FailedKeyCheck>
  /** Signs in with a single-use link. undefined: the link is invalid or expired, which counts like a wrong cookie. */
  signInWithLink(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
  ): Promise<StartedSession | FailedKeyCheck | undefined>
  /**
   * Looks up a credential of a visitor, unless the address has made too many wrong attempts. A credential that is not found counts like a
   * wrong cookie.
   */
  lookUp<T>(
    request: FastifyRequest,
    find: () => Promise<T | undefined>,
  ): Promise<T | FailedKeyCheck | undefined>
  /** Gives the browser a new session in place of its previous one. */
  begin(
    request: FastifyRequest,
    reply: FastifyReply,
    started: StartedSession,
  ): Promise<PortalSession | undefined>
  signOut(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Stores in the browser which page of this service follows the next sign-in. */
  returnTo(reply: FastifyReply, path: string): void
  /** The page that follows a sign-in, however the user signed in. Reading it clears it. */
  takeReturn(request: FastifyRequest, reply: FastifyReply): string
  /** Whether a page of this service sent the POST. */
  isFromOwnPage(request: FastifyRequest): boolean
  /** Whether the form was created for this session. */
  hasToken(session: PortalSession, sent: unknown): boolean
}

export function createBrowserSessions(deps: BrowserSessionDeps): BrowserSessions {
  const { database, portalSessions } = deps
  const { publicUrl, trustedProxies } = deps.config
  const addressOf = sourceAddressReader(trustedProxies)
  const isSecure = publicUrl?.startsWith('https:') === true
  const returnAttributes = `Path=/portal; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  const cookie = createSessionCookie('lotline_session', isSecure)
  // Digests of session ids that this process has created or found. Each request still reads its session.
  const known = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: SESSION_MINUTES * 60_000 })
  const nameOf = (id: string) => tokenDigest(id).toString('base64')

  /** The browser gets a new session id, and its previous session ends. */
  async function exchange(
    request: FastifyRequest,
    reply: FastifyReply,
    started: StartedSession,
  ): Promise<StartedSession> {
    const earlier = cookie.read(request)
    if (earlier !== undefined) await endSession(database, earlier)
    cookie.set(reply, started.id, SESSION_MINUTES * 60)
    known.set(nameOf(started.id), true)
    return started
  }

  /** Looks up the credential in the request, unless its address has made too many wrong attempts. */
  async function lookUp<T>(request: FastifyRequest, find: () => Promise<T | undefined>) {
    const { guesses } = deps.visitorLimits
    const address = addressOf(request.raw)
    const waitMs = guesses.waitOf(address)
    if (waitMs !== undefined) {
      deps.observer.guessRefused()
      return refuseGuesser(waitMs)
    }
    const found = await find()
    if (found === undefined) guesses.take(address)
    return found
  }

  return {
    async read(request) {
      const id = cookie.read(request)
      if (id === undefined) return undefined
      const name = nameOf(id)
      if (known.has(name)) {
        const session = await portalSessions.find(id)
        if (session) return session
        known.delete(name)
      }
      const isGuessing = deps.visitorLimits.guesses.waitOf(addressOf(request.raw)) !== undefined
      const session = isGuessing ? await portalSessions.findGuess(id) : undefined
      const found = session ?? (await lookUp(request, () => portalSessions.find(id)))
      if (found && !('refusal' in found)) known.set(name, true)
      return found
    },
    async signInWithKey(request, reply, key) {
      const identity = await authenticate(deps, `Bearer ${key}`, addressOf(request.raw))
      if (isRefusal(identity)) return identity
      if ('refusal' in identity) {
        deps.observer.guessRefused()
        return identity
      }
      // A connector's token is for programs. With a session, its holder could act as the user in the browser.
      if (identity.principal.isOfClient) return refuseFor('invalid_api_key', 'unknown', {})
      return exchange(request, reply, await startSession(database, identity.principal.keyId))
    },
    async signInWithLink(request, reply, token) {
      const started = await lookUp(request, () => useSignInLink(database, token))
      if (!started || 'refusal' in started) return started
      return exchange(request, reply, started)
    },
    lookUp,
    async begin(request, reply, started) {
      await exchange(request, reply, started)
      return portalSessions.find(started.id)
    },
    async signOut(request, reply) {
      const id = cookie.read(request)
      if (id !== undefined) await endSession(database, id)
      cookie.set(reply, '', 0)
    },
    returnTo(reply, path) {
      reply.header('set-cookie', `${RETURN_COOKIE}=${path}; Max-Age=${RETURN_SECONDS}; ${returnAttributes}`)
    },
    takeReturn({ headers }, reply) {
      const path = /(?:^|; *)lotline_return=([^;]*)/.exec(headers.cookie ?? '')?.[1]
      if (path === undefined) return '/portal'
      reply.header('set-cookie', `${RETURN_COOKIE}=; Max-Age=0; ${returnAttributes}`)
      // Set only by the page that asks for a sign-in.
      return /^\/oauth\/consent\/[\w-]{1,100}$/.test(path) ? path : '/portal'
    },
    isFromOwnPage(request) {
      const { origin } = request.headers
      if (publicUrl === undefined) return isFromSameHost(request)
      return origin !== undefined && URL.canParse(origin) && new URL(origin).origin === publicUrl
    },
    hasToken: ({ csrfToken }, sent) => isSameToken(csrfToken, sent),
  }
}
