// The reference at /docs/reference: every operation, browsable, from our own copy of the contract. Keys are typed into it, so it loads
// nothing from other hosts and has no analytics; a content security policy enforces this. Its bundle has 4 MB and is loaded with the first
// request.

import Fastify, { type FastifyInstance } from 'fastify'
import { HEADER, HEADER_FILES } from './layout.ts'
import { referenceDocument } from './reference-document.ts'

const PREFIX = '/docs/reference'

// The bundle creates inline styles. The page itself creates data: and blob: URLs.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Reference · Lotline</title>
<meta name="description" content="Every operation of Lotline, with its price, limits, errors and samples.">
${HEADER_FILES}
<link rel="stylesheet" href="/docs/reference.css">
<script src="${PREFIX}/js/scalar.js" defer></script>
<script src="/docs/reference.js" type="module"></script>
</head>
<body>
${HEADER}
<div id="app"></div>
</body>
</html>
`

export async function serveReference(server: FastifyInstance): Promise<void> {
  server.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', POLICY)
  })
  const bundle = once(readBundle)
  server.get(`${PREFIX}/`, async (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE))
  server.get(`${PREFIX}/js/scalar.js`, async (_request, reply) =>
    reply.type('application/javascript; charset=utf-8').send(await bundle()),
  )
  server.get(PREFIX, async (_request, reply) => reply.redirect(`${PREFIX}/`, 301))
  const document = once(async () => referenceDocument())
  server.get('/docs/openapi.json', async (_request, reply) =>
    reply.type('application/json').send(await document()),
  )
}

/** The page's bundle, requested once and not kept in memory. */
async function readBundle(): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const server = Fastify()
  try {
    await server.register(scalar, { routePrefix: PREFIX, configuration: { url: '/docs/openapi.json' } })
    const answer = await server.inject(`${PREFIX}/js/scalar.js`)
    if (answer.statusCode !== 200) {
      throw new Error(
        `@scalar/fastify-api-reference returned status ${answer.statusCode} instead of its bundle.`,
      )
    }
    return answer.body
  } finally {
    await server.close()
  }
}

/** Creates a value once for all callers. After a failure, the next caller creates it again. */
export function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined
  return () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}
