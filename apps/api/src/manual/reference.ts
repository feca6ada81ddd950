// The reference at /docs/reference: every operation, browsable, over our own copy of the contract. It loads nothing from
// anywhere else and tells nobody of its readers, which the page's content security policy makes the browser enforce: keys
// are typed into it. Its bundle has 4 MB and is loaded when somebody asks for it.

import Fastify, { type FastifyInstance } from 'fastify'
import { readAsset } from './assets.ts'
import { once } from './once.ts'
import { referenceDocument } from './reference-document.ts'

const PREFIX = '/docs/reference'

// Inline: the page's own start-up script and styles. data: and blob: are made by the page itself.
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export async function serveReference(server: FastifyInstance): Promise<void> {
  server.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', POLICY)
  })
  for (const path of [`${PREFIX}/`, `${PREFIX}/js/scalar.js`]) {
    const answer = once(() => answerOf(path))
    server.get(path, async (_request, reply) => {
      const { type, body } = await answer()
      return reply.type(type).send(body)
    })
  }
  // The page's own links are relative to its folder.
  server.get(PREFIX, async (_request, reply) => reply.redirect(`${PREFIX}/`, 301))
  const document = once(async () => referenceDocument())
  server.get('/docs/openapi.json', async (_request, reply) =>
    reply.type('application/json').send(await document()),
  )
}

/** What the reference's maker serves at a path. Its server is asked once for each and then forgotten. */
async function answerOf(path: string): Promise<{ readonly type: string; readonly body: string }> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const server = Fastify()
  try {
    await server.register(scalar, {
      routePrefix: PREFIX,
      configuration: {
        url: '/docs/openapi.json',
        pageTitle: 'Reference · Lotline',
        favicon: `data:image/svg+xml,${(await readAsset('icon.svg')).trim().replaceAll('#', '%23')}`,
        telemetry: false,
        withDefaultFonts: false,
        // Only samples that are run by a test.
        hiddenClients: true,
        // All that would lead to the services of the page's maker.
        agent: { disabled: true },
        mcp: { disabled: true },
        showDeveloperTools: 'never',
        hideClientButton: true,
        externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
      },
    })
    const answer = await server.inject(path)
    if (answer.statusCode !== 200) throw new Error(`The reference answers ${path} with ${answer.statusCode}.`)
    // The page's maker names no language.
    const body = answer.body.replace(/<html(?![^>]* lang=)/, '<html lang="en"')
    return { type: String(answer.headers['content-type']), body }
  } finally {
    await server.close()
  }
}
