// The pages behind the links in mails to the subscribers of watches, for persons without an account. A GET shows a page with a button;
// only a POST changes something. Mailbox providers send the POST of RFC 8058 by themselves, without a cookie and without an Origin, so
// the link alone is the credential. It is valid for one subscriber, and can do nothing else.

import type * as Portal from '@lotline/portal'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { isToken } from '../../infrastructure/platform.ts'
import type { Subscriptions, Watches } from '../../work/watches.ts'
import type { BrowserSessionDeps } from '../http/browser-session.ts'
import { createBrowserSessions } from '../http/browser-session.ts'
import { PAGE_HEADERS, servePageAssets } from './portal.ts'

export type SubscriptionPagesDeps = BrowserSessionDeps & {
  readonly watches: Pick<Watches, 'subscriptions'>
}

/** Maximum bytes of a form. Providers send one short field. */
const FORM_LIMIT = 4 * 1024
const HTML = 'text/html; charset=utf-8'

/** The site of these pages has no navigation. */
const SITE: Parameters<typeof Portal.layOut>[2] = {
  name: 'Lotline',
  home: '/',
  assets: '/subscriptions/assets',
  signOut: '/',
  label: 'Subscription',
  sections: [],
  aside: () => '',
}

/** Without a mail server, these pages do not exist. */
export async function serveSubscriptionPages(
  server: FastifyInstance,
  { deps }: { readonly deps: SubscriptionPagesDeps },
): Promise<void> {
  const { subscriptions } = deps.watches
  if (!subscriptions) return
  const sessions = createBrowserSessions(deps)
  let loading: Promise<typeof Portal> | undefined
  const load = () => {
    loading ??= import('@lotline/portal')
    return loading
  }

  server.addHook('onRequest', async (_request, reply) => {
    // The pages of other sites cannot read these, and the links in their addresses stay here.
    for (const name of ['access-control-allow-origin', 'access-control-expose-headers'])
      reply.removeHeader(name)
    reply.headers({ ...PAGE_HEADERS, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
  })
  // RFC 8058 allows forms in both encodings. The forms of these pages use URL encoding.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'string', bodyLimit: FORM_LIMIT }, (_request, body, done) =>
    done(null, body),
  )
  await servePageAssets(server, '/subscriptions/assets')

  server.get('/subscriptions/confirm/:token', async ({ params }, reply) => {
    const { confirmSubscriptionPage, unusableSubscriptionPage } = await load()
    const { token } = params as { readonly token: string }
    return show(reply, isToken(token) ? confirmSubscriptionPage(token) : unusableSubscriptionPage)
  })
  server.post('/subscriptions/confirm/:token', async (request, reply) => {
    const { confirmedPage, refusedPage, unusableSubscriptionPage } = await load()
    const { token } = request.params as { readonly token: string }
    if (!isToken(token)) return show(reply, unusableSubscriptionPage)
    const used = await sessions.lookUp(request, () => useConfirmation(subscriptions, token, request.body))
    if (!used) return show(reply, unusableSubscriptionPage)
    if (used === 'refused') return show(reply, refusedPage)
    if ('refusal' in used) return showTooMany(reply, used.retryAfterS)
    return show(reply, confirmedPage(used.name, used.frequency))
  })

  server.get('/subscriptions/unsubscribe/:link', async ({ params }, reply) => {
    const { unsubscribePage, unusableSubscriptionPage } = await load()
    const { link } = params as { readonly link: string }
    const isLink = await subscriptions.isUnsubscribeLink(link)
    return show(reply, isLink ? unsubscribePage(link) : unusableSubscriptionPage)
  })
  server.post('/subscriptions/unsubscribe/:link', async (request, reply) => {
    const { unsubscribedPage, unusableSubscriptionPage } = await load()
    const { link } = request.params as { readonly link: string }
    const all = hasField(request.body, 'all')
    const done = await subscriptions.unsubscribe(link, { all })
    return show(reply, done ? unsubscribedPage(all) : unusableSubscriptionPage)
  })

  async function show(reply: FastifyReply, page: Portal.PageAnswer): Promise<FastifyReply> {
    const { layOut } = await load()
    return reply
      .code(page.status)
      .type(HTML)
      .send(layOut(page, undefined, SITE))
  }
}

function showTooMany(reply: FastifyReply, retryAfterS: number): FastifyReply {
  return reply
    .code(429)
    .header('retry-after', String(retryAfterS))
    .type('text/plain; charset=utf-8')
    .send('Too many failed attempts came from your address. Wait a moment, then try again.\n')
}

async function useConfirmation(subscriptions: Subscriptions, token: string, body: unknown) {
  if (!hasField(body, 'refuse')) return subscriptions.confirm(token)
  return (await subscriptions.refuse(token)) && ('refused' as const)
}

/** Whether a form with URL encoding has this field. */
function hasField(body: unknown, name: string): boolean {
  return typeof body === 'string' && new URLSearchParams(body).has(name)
}
