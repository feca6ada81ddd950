// The baseline of a lookup: a route of Fastify that sends the same bytes with the same header fields and does nothing
// else: no key, no limit, no charge, no database.

import { json } from 'node:stream/consumers'
import fastify from 'fastify'
import { serve } from './serve.ts'

export interface BareOrder {
  readonly path: string
  readonly bodies: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
}

const { path, bodies, headers } = (await json(process.stdin)) as BareOrder
const bytes = new Map(Object.entries(bodies).map(([id, body]) => [id, Buffer.from(body)]))
const app = fastify({ logger: false })
app.get<{ Params: { id: string } }>(path, (request, reply) => {
  reply.headers(headers).send(bytes.get(request.params.id))
})
await serve(app)
