// A fake of Stripe over HTTP: Checkout sessions with idempotency keys, payment intents, refunds, and disputes. It also creates
// payment events and signs them with the official library.

import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Stripe from 'stripe'
import { afterAll, beforeAll } from 'vitest'

export const SECRET_KEY = 'sk_test_of_the_tests'
export const WEBHOOK_SECRET = 'whsec_of_the_tests'

export interface Session {
  readonly id: string
  readonly url: string
  readonly form: URLSearchParams
  readonly payment_intent: string
  status: 'open' | 'complete' | 'expired'
  /** Of the payment of a session that is complete. Default: it has succeeded. */
  payment?: 'processing' | 'requires_payment_method'
}

export interface Refund {
  readonly id: string
  readonly object: 'refund'
  readonly amount: number
  readonly currency: string | null
  readonly payment_intent: string
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
}

export interface StripeServer {
  readonly url: string
  readonly sessions: Session[]
  /** Received requests, with idempotency keys and authorization. */
  readonly requests: { path: string; key: string | undefined; authorization: string | undefined }[]
  /** The behavior of the next requests: answered, disconnected after the work is done, or answered with 500. */
  mode: 'answer' | 'disconnect' | 'fail'
  /** Holds responses until the returned function is called. */
  hold(): () => void
  sessionOf(purchaseId: string): Session
  /** Refunds what is missing to a total of refunds that have not failed. The latest refund, if nothing is missing. */
  refund(session: Session, total: number): Refund
  /** A dispute as Stripe has it from now on. */
  dispute(session: Session, id: string, status: string, amount: number): object
  /** The object of checkout.session.* events. */
  sessionObject(session: Session, over?: object): object
  /** The object of charge.refunded: so much is refunded by now. */
  chargeObject(session: Session, refunded: number, over?: object): object
}

/** It lives as long as the test file. */
export function withStripeServer(): StripeServer {
  const sessions: Session[] = []
  const requests: StripeServer['requests'] = []
  const byKey = new Map<string, Session>()
  const refunds: Refund[] = []
  const disputes = new Map<string, { readonly payment_intent: string }>()
  let held: Promise<void> | undefined
  const server = createServer((request, response) => void answer(request, response))
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => void server.close())

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!
    const key = request.headers['idempotency-key'] as string | undefined
    requests.push({ path, key, authorization: request.headers.authorization })
    const form = new URLSearchParams(await text(request))
    await held
    if (stripe.mode === 'fail') return send(response, 500, { error: { type: 'api_error', message: 'down' } })
    const made = work(request.method!, path, form, key)
    if (stripe.mode === 'disconnect') return void response.destroy()
    if (!made) return send(response, 404, { error: { type: 'invalid_request_error', message: 'none' } })
    if ('refused' in made) {
      return send(response, 400, { error: { type: 'invalid_request_error', message: made.refused } })
    }
    send(response, 200, made.object)
  }

  function work(method: string, url: string, form: URLSearchParams, key: string | undefined) {
    const { pathname: path, searchParams: query } = new URL(url, 'http://stripe')
    if (path === '/v1/refunds') return listOf(path, refunds.toReversed(), query)
    if (path === '/v1/disputes') return listOf(path, [...disputes.values()].reverse(), query)
    if (method === 'POST' && path === '/v1/checkout/sessions') {
      const known = byKey.get(key ?? '')
      if (known && known.form.toString() !== form.toString()) return { refused: 'other parameters' }
      const id = `cs_test_${randomBytes(8).toString('hex')}`
      const session: Session = known ?? {
        id,
        url: `https://checkout.stripe.com/c/pay/${id}`,
        form,
        payment_intent: `pi_${randomBytes(8).toString('hex')}`,
        status: 'open',
      }
      if (!known) sessions.push(session)
      byKey.set(key ?? '', session)
      return { object: stripe.sessionObject(session, { payment_intent: null, payment_status: 'unpaid' }) }
    }
    const expired = /^\/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(path)?.[1]
    if (expired) {
      const session = sessions.find(({ id }) => id === expired)
      if (!session) return undefined
      if (session.status !== 'open') return { refused: 'Only open sessions can be expired' }
      session.status = 'expired'
      return { object: stripe.sessionObject(session) }
    }
    const read = /^\/v1\/checkout\/sessions\/(\w+)$/.exec(path)?.[1]
    if (read) {
      const session = sessions.find(({ id }) => id === read)
      if (!session) return undefined
      const isPaid = session.status === 'complete' && session.payment === undefined
      const status = isPaid ? 'succeeded' : (session.payment ?? 'requires_payment_method')
      return {
        object: stripe.sessionObject(session, {
          payment_status: isPaid ? 'paid' : 'unpaid',
          ...(query.getAll('expand[0]').includes('payment_intent') && {
            payment_intent:
              session.status === 'complete'
                ? { id: session.payment_intent, object: 'payment_intent', status }
                : null,
          }),
        }),
      }
    }
    const intent = /^\/v1\/payment_intents\/(\w+)$/.exec(path)?.[1]
    const session = sessions.find(({ payment_intent }) => payment_intent === intent)
    if (session) {
      const metadata = { purchase_id: session.form.get('payment_intent_data[metadata][purchase_id]') }
      return { object: { id: intent, object: 'payment_intent', metadata } }
    }
    // A payment of another product of the same Stripe account.
    return intent?.startsWith('pi_other')
      ? { object: { id: intent, object: 'payment_intent', metadata: {} } }
      : undefined
  }

  /** Pages as Stripe makes them, of 3 and not of 100. */
  function listOf(
    url: string,
    all: readonly { readonly id?: string; readonly payment_intent: string }[],
    query: URLSearchParams,
  ) {
    const found = all.filter(({ payment_intent }) => payment_intent === query.get('payment_intent'))
    const from = 1 + found.findIndex(({ id }) => id === query.get('starting_after'))
    const data = found.slice(from, from + 3)
    return { object: { object: 'list', url, data, has_more: from + 3 < found.length } }
  }

  const amountOf = ({ form }: Session) => Number(form.get('line_items[0][price_data][unit_amount]'))
  const currencyOf = ({ form }: Session) => form.get('line_items[0][price_data][currency]')
  const stripe: StripeServer = {
    sessions,
    requests,
    mode: 'answer',
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    hold() {
      let release = () => {}
      held = new Promise((resolve) => {
        release = resolve
      })
      return () => {
        held = undefined
        release()
      }
    },
    refund(session, total) {
      const own = refunds.filter(({ payment_intent }) => payment_intent === session.payment_intent)
      const refunded = own
        .filter(({ status }) => status !== 'failed' && status !== 'canceled')
        .reduce((sum, { amount }) => sum + amount, 0)
      if (refunded >= total && own.length > 0) return own.at(-1)!
      const refund: Refund = {
        id: `re_${randomBytes(8).toString('hex')}`,
        object: 'refund',
        amount: total - refunded,
        currency: currencyOf(session),
        payment_intent: session.payment_intent,
        status: 'succeeded',
      }
      refunds.push(refund)
      return refund
    },
    dispute(session, id, status, amount) {
      const { payment_intent } = session
      const object = { id, object: 'dispute', amount, currency: currencyOf(session), status, payment_intent }
      disputes.set(id, object)
      return object
    },
    sessionOf(purchaseId) {
      const found = sessions.findLast(({ form }) => form.get('client_reference_id') === purchaseId)
      if (!found) throw new Error(`There is no session for the purchase ${purchaseId}.`)
      return found
    },
    sessionObject: (session, over = {}) => ({
      id: session.id,
      object: 'checkout.session',
      mode: 'payment',
      status: session.status,
      url: session.url,
      client_reference_id: session.form.get('client_reference_id'),
      amount_total: amountOf(session),
      currency: currencyOf(session),
      payment_status: 'paid',
      payment_intent: session.payment_intent,
      metadata: {
        purchase_id: session.form.get('metadata[purchase_id]'),
        account_id: session.form.get('metadata[account_id]'),
      },
      ...over,
    }),
    chargeObject: (session, refunded, over = {}) => ({
      id: `ch_${session.payment_intent}`,
      object: 'charge',
      amount: amountOf(session),
      amount_refunded: refunded,
      currency: currencyOf(session),
      payment_intent: session.payment_intent,
      ...over,
    }),
  }
  return stripe

  function send(response: ServerResponse, status: number, body: object): void {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
}

const library = new Stripe(SECRET_KEY)

/** An event as Stripe sends it, with its signature. */
export function signedEvent(
  type: string,
  object: object,
  signed: { readonly secret?: string; readonly at?: number } = {},
): { readonly body: string; readonly signature: string } {
  const id = `evt_${randomBytes(8).toString('hex')}`
  const body = JSON.stringify({
    id,
    object: 'event',
    type,
    livemode: false,
    api_version: '2026-01-01',
    data: { object },
  })
  const signature = library.webhooks.generateTestHeaderString({
    payload: body,
    secret: signed.secret ?? WEBHOOK_SECRET,
    ...(signed.at !== undefined && { timestamp: signed.at }),
  })
  return { body, signature }
}

/** Sends an event to the receiver. The status of its answer. */
export async function sendEvent(
  service: string,
  { body, signature }: { readonly body: string; readonly signature: string },
): Promise<number> {
  const response = await fetch(`${service}/billing/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body,
  })
  await response.text()
  return response.status
}
