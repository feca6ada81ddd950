// The manual at /docs: a browsable reference over our own copy of the contract. It loads nothing from anywhere else and
// tells nobody of its readers, which the page's content security policy makes the browser enforce: keys are typed into it.

import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'

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

const ICON =
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M1 8l7-6 7 6v7H1z" fill="%23069061"/></svg>'

export async function serveDocs(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', POLICY)
    reply.header('referrer-policy', 'no-referrer')
  })
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Lotline API',
      favicon: ICON,
      telemetry: false,
      withDefaultFonts: false,
      // All that would lead to the services of the page's maker.
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
      externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
    },
  })
}
