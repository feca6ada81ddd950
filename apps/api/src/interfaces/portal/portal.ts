// biome-ignore-all lint/nursery/noMisusedPromises: Fastify waits for its plugins, which the linter does not know.
// The portal over HTTP: sessions, forms, and the headers of its pages. The pages are the package @lotline/portal, which is loaded with
// the first request. A POST is answered only if a page of the portal sent it (browser-session.ts).

import { Readable } from 'node:stream'
import type * as Portal from '@lotline/portal'
import { assets } from '@lotline/portal/assets'
import type { TileFile } from '@lotline/portal/tiles'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Config, ConfigError } from '../../infrastructure/config.ts'
import { isToken } from '../../infrastructure/platform.ts'
import { isRefusal } from '../../infrastructure/refusals.ts'
import type { KeyQueues } from '../../money/limits.ts'
import { type Engine, type FailedKeyCheck, statusOfCode } from '../../requests/engine.ts'
import { type BrowserSessionDeps, createBrowserSessions } from '../http/browser-session.ts'
import { cutWhenStalled } from '../http/send.ts'
import { sourceAddressReader } from '../http/source-address.ts'
import { cacheStatic } from '../http/static-cache.ts'
import { createSessionApi, createSessionBilling, formOf } from './portal-api.ts'
import { type PortalEmailDeps, serveEmailSignIn, waysOf } from './portal-email.ts'

export type PortalDeps = BrowserSessionDeps &
  PortalEmailDeps & {
    readonly billingQueues: KeyQueues
  }

// Nothing inline, and nothing from another host.
const POLICY =
  "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
/** Headers of every page of the portal and the console. */
export const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  // With `no-referrer`, browsers would send forms without their origin.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const
const HTML = 'text/html; charset=utf-8'
/** Maximum bytes of a form. */
const FORM_LIMIT = 64 * 1024

export async function servePortal(
  server: FastifyInstance,
  { deps, engine }: { readonly deps: PortalDeps; readonly engine: Engine },
): Promise<void> {
  const sessions = createBrowserSessions(deps)
  const addressOf = sourceAddressReader(deps.config.trustedProxies)
  const map = await openMapTiles(deps.config)
  if (map.file) server.addHook('onClose', map.file.close)
  const ways = waysOf(deps)
  let loading: Promise<typeof Portal> | undefined
  const load = () => {
    loading ??= import('@lotline/portal')
    return loading
  }

  server.addHook('onRequest', async (request, reply) => {
    // Pages of other sites cannot read the portal, whatever CORS allows for the API.
    for (const name of ['access-control-allow-origin', 'access-control-expose-headers'])
      reply.removeHeader(name)
    reply.headers(PAGE_HEADERS)
    if (request.url.startsWith('/portal/explore')) reply.header('content-security-policy', map.policy)
  })
  takeForms(server)
  await servePageAssets(server, '/portal/assets')

  if (map.file) serveTiles(server, map.file)

  server.post('/portal/session', async (request, reply) => {
    const { signInPage, wrongOriginPage } = await load()
    if (!sessions.isFromOwnPage(request)) return show(reply, wrongOriginPage(deps.config.publicUrl))
    const identity = await sessions.signInWithKey(request, reply, formOf(request).get('key')?.trim() ?? '')
    if (isRefusal(identity)) return show(reply, signInPage(ways, WRONG_KEY, statusOfCode(identity.code)))
    if ('refusal' in identity) return showTooMany(reply, identity)
    return reply.redirect(sessions.takeReturn(request, reply), 303)
  })

  server.get('/portal/link/:token', async ({ params }, reply) => {
    const { linkPage, unusableLinkPage } = await load()
    const { token } = params as { readonly token: string }
    return show(reply, isToken(token) ? linkPage(token) : unusableLinkPage(ways))
  })
  server.post('/portal/link/:token', async (request, reply) => {
    const { unusableLinkPage, wrongOriginPage } = await load()
    if (!sessions.isFromOwnPage(request)) return show(reply, wrongOriginPage(deps.config.publicUrl))
    const { token } = request.params as { readonly token: string }
    const started = isToken(token) && (await sessions.signInWithLink(request, reply, token))
    if (started && 'refusal' in started) return showTooMany(reply, started)
    if (!started) return show(reply, unusableLinkPage(ways))
    return reply.redirect(sessions.takeReturn(request, reply), 303)
  })

  serveEmailSignIn(server, {
    deps,
    sessions,
    load,
    show,
    showTooMany,
    addressOf: ({ raw }) => addressOf(raw),
  })

  server.get('/portal/billing/return', async ({ query }, reply) => {
    const { order } = query as { readonly order?: unknown }
    return show(reply, (await load()).returnPage(typeof order === 'string' ? order : null))
  })
  server.get('/portal', answer)
  server.get('/portal/*', answer)
  server.post('/portal/*', answer)

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const portal = await load()
    const isPost = request.method === 'POST'
    if (isPost && !sessions.isFromOwnPage(request)) {
      return show(reply, portal.wrongOriginPage(deps.config.publicUrl))
    }
    const found = await sessions.read(request)
    if (found && 'refusal' in found) return showTooMany(reply, found)
    const session = found && { ...found, hasBilling: deps.billing !== undefined }
    const url = new URL(request.url, 'http://localhost')
    if (!session) {
      return url.pathname === '/portal' && !isPost
        ? show(reply, portal.signInPage(ways))
        : reply.redirect('/portal', 303)
    }
    const form = formOf(request)
    if (isPost && !sessions.hasToken(session, form.get('csrf'))) {
      return show(reply, portal.wrongOriginPage(deps.config.publicUrl))
    }
    if (isPost && url.pathname === '/portal/sign-out') {
      await sessions.signOut(request, reply)
      return reply.redirect('/portal', 303)
    }
    const billing = url.pathname.startsWith('/portal/billing') ? deps.billing : undefined
    const waitMs = billing && deps.visitorLimits.billing.take(session.keyId)
    if (waitMs !== undefined) {
      const retryAfterS = Math.max(2, Math.ceil(waitMs / 1000))
      reply.header('retry-after', String(retryAfterS))
      const refused = { status: 429, code: 'rate_limited', message: TOO_FAST, requestId: request.id }
      return show(reply, portal.problemPage({ ...refused, details: {}, retryAfterS }, session), session)
    }
    const slot = billing && (await takeSlot(reply, session.keyId))
    // The browser disconnected while it waited.
    if (billing && !slot) return reply.redirect('/portal/billing', 303)
    const api = createSessionApi(engine, session, addressOf(request.raw), reply)
    const answered = await portal
      .answerRequest({
        method: isPost ? 'POST' : 'GET',
        path: url.pathname,
        query: url.searchParams,
        form,
        session,
        api,
        tiles: map.tiles,
        billing: billing && createSessionBilling(billing, session),
      })
      .finally(() => slot?.release())
    if (answered === 'signed out') {
      await sessions.signOut(request, reply)
      return reply.redirect('/portal', 303)
    }
    switch (answered.kind) {
      case 'html':
        return reply.code(answered.status).type(HTML).send(answered.text)
      case 'redirect':
        return reply.redirect(answered.to, 303)
      case 'file': {
        const file = await api.openFile(answered)
        if (!('pieces' in file)) return show(reply, portal.problemPage(file), session)
        reply.type(file.type).header('content-disposition', `attachment; filename="${answered.name}"`)
        reply.send(Readable.from(file.pieces))
        cutWhenStalled(reply.raw)
        return reply
      }
    }
  }

  /** undefined: the browser has disconnected. */
  async function takeSlot({ raw }: FastifyReply, keyId: string) {
    const left = new AbortController()
    raw.once('close', () => left.abort())
    if (raw.closed) left.abort()
    return deps.billingQueues.take(keyId, left).catch(() => undefined)
  }

  async function showTooMany(
    reply: FastifyReply,
    { refusal, retryAfterS }: FailedKeyCheck,
  ): Promise<FastifyReply> {
    const { signInPage } = await load()
    reply.header('retry-after', String(retryAfterS))
    return show(reply, signInPage(ways, TOO_MANY, statusOfCode(refusal.code)))
  }

  async function show(
    reply: FastifyReply,
    page: Portal.PageAnswer,
    session?: Portal.SignedInAccount,
  ): Promise<FastifyReply> {
    const { layOut } = await load()
    return reply.code(page.status).type(HTML).send(layOut(page, session))
  }
}

interface MapBase {
  /** The tile settings of the page with the map. undefined: the map has only its outlines. */
  readonly tiles: Portal.MapTiles | undefined
  /** The file from which this service serves tiles. */
  readonly file: TileFile | undefined
  /** The content security policy of the page with the map. */
  readonly policy: string
}

/** @throws {ConfigError} if the tile file cannot be used, so that the service does not start with an empty map */
async function openMapTiles({ mapTiles }: Config): Promise<MapBase> {
  if (!mapTiles) return { tiles: undefined, file: undefined, policy: POLICY }
  const { from, attribution } = mapTiles
  if ('url' in from) {
    const { origin } = new URL(from.url.replaceAll(/[{}]/g, ''))
    const tiles = { url: from.url, minZoom: 0, maxZoom: MAX_ZOOM, layers: undefined, attribution }
    // The page fetches pictures and then draws them, so only these two directives name the host.
    return {
      tiles,
      file: undefined,
      policy: `${POLICY}; connect-src 'self' ${origin}; img-src 'self' ${origin}`,
    }
  }
  const { openTileFile } = await import('@lotline/portal/tiles')
  const file = await openTileFile(from.file, '/portal/tiles/{z}/{x}/{y}').catch((error: Error) => {
    throw new ConfigError([error.message])
  })
  return { tiles: { ...file.tiles, attribution }, file, policy: POLICY }
}

/** Public like the other static files, so browsers may cache them. */
function serveTiles(server: FastifyInstance, file: TileFile): void {
  server.get('/portal/tiles/:z/:x/:y', async ({ params }, reply) => {
    const names = params as Readonly<Record<'z' | 'x' | 'y', string>>
    const [z, x, y] = [names.z, names.x, names.y].map((text) =>
      /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN,
    ) as [number, number, number]
    const isTile = z <= 26 && x < 2 ** z && y < 2 ** z
    const tile = isTile ? await file.read(z, x, y) : undefined
    if (!tile) return reply.code(404).type('text/plain').send('There is no such tile.')
    return reply.header('cache-control', 'public, max-age=86400').type(file.type).send(tile)
  })
}

/** The maximum zoom of a tile URL: most servers have no tiles beyond it. The map enlarges them. */
const MAX_ZOOM = 18

/** Static files of the pages, below `path`. */
export async function servePageAssets(server: FastifyInstance, path: string): Promise<void> {
  await server.register(async (cached) => {
    cacheStatic(cached)
    for (const { name, type, read } of assets) {
      cached.get(`${path}/${name}`, async (_request, reply) => reply.type(type).send(await read()))
    }
  })
}

/** U+0000, plain or percent-encoded. Invalid UTF-8 is decoded to U+FFFD, so a form never contains half a surrogate pair. */
const UNSTORABLE = /\0|%00/

/** Parses forms as text, and no other body. No form field needs U+0000, which the database cannot store. */
export function takeForms(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_LIMIT },
    (_request, body, done) => done(null, body),
  )
  server.addHook('preHandler', async ({ body }, reply) => {
    if (typeof body !== 'string' || !UNSTORABLE.test(body)) return
    return reply
      .code(400)
      .type('text/plain; charset=utf-8')
      .send('A field of the form has the character U+0000. Remove it and send the form again.\n')
  })
}

const WRONG_KEY = 'This key does not work. Check that you pasted all of it, and that it was not revoked.'
const TOO_FAST = 'This key has opened too many pages of plans and payment.'
const TOO_MANY = 'Too many failed attempts came from your address. Wait a moment, then try again.'
