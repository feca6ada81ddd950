// POST /billing/stripe: payment events from Stripe. The signature covers the bytes of the body, so it is checked before the body is parsed
// as JSON. After a response other than 2xx, Stripe sends the event again, for up to three days.

import type { FastifyInstance } from 'fastify'
import type { Billing } from '../../money/billing.ts'

export interface PaymentEventsDeps {
  readonly billing: Billing | undefined
}

/** Maximum bytes of an event. */
const EVENT_LIMIT = 512 * 1024

export async function servePaymentEvents(
  server: FastifyInstance,
  { deps }: { deps: PaymentEventsDeps },
): Promise<void> {
  const receive = deps.billing?.receiveEvent
  if (!receive) return
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: EVENT_LIMIT }, (_request, body, done) =>
    done(null, body),
  )
  server.post('/billing/stripe', async (request, reply) => {
    const signature = request.headers['stripe-signature']
    const { body } = request
    const outcome =
      typeof signature === 'string' && Buffer.isBuffer(body) ? await receive(body, signature) : 'forged'
    return outcome === 'taken'
      ? reply.code(200).send({ received: true })
      : reply
          .code(400)
          .send({ error: 'The signature does not fit the event, or it is more than 5 minutes old.' })
  })
}
