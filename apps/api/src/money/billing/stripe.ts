// The Stripe client: Checkout sessions for purchases, and signed events about payments. The service never receives card data. The
// Stripe library is loaded on first use.

// Why: decisions/money/stripe-without-subscriptions.md

import type Stripe from 'stripe'
import type { StripeConfig } from '../../infrastructure/config.ts'
import type { PaymentFact } from './payment-facts.ts'
import type { Purchase } from './purchases.ts'

export interface Checkout {
  readonly id: string
  readonly url: string
}

export interface StripePayments {
  /**
   * Creates the Checkout session of a purchase. Repeating it returns the same session, because the id of the purchase is the
   * idempotency key: a process that is killed before it stores the session makes no second one. Each refusal changes the key.
   *
   * @throws when Stripe refuses, fails, or does not answer in time
   */
  openCheckout(purchase: Purchase): Promise<Checkout>
  /** Ends a session, so that it can no longer be paid. Returns false if it is paid or being paid. */
  expireCheckout(id: string): Promise<boolean>
  /** The payment facts of a session, for a customer who returns before the event. Empty: it is not paid. */
  readCheckout(id: string): Promise<PaymentFact[]>
  /**
   * All facts that Stripe has about a purchase: its payment, refunds, and disputes. They equal the facts of the events.
   *
   * @throws when Stripe refuses, fails, or does not answer in time
   */
  readPurchase(purchase: Purchase): Promise<PaymentFact[]>
  /**
   * The facts of a webhook event. `forged`: its signature is wrong or more than 5 minutes old. Empty: it does not concern a
   * purchase or its payment.
   *
   * @throws when Stripe must be asked for details and does not answer
   */
  readEvent(body: Buffer, signature: string): Promise<PaymentFact[] | 'forged'>
}

/** Timeout of one request. The library repeats a failed request up to twice, with the same idempotency key. */
const TIMEOUT_MS = 10_000
const MAX_RETRIES = 2
/** How old a signature may be, in seconds. */
const TOLERANCE_S = 300
/** Refunds and disputes that are read per payment. A page of Stripe has 100. */
const MAX_LISTED = 1_000

/**
 * @param title of a purchase, as Stripe and the customer's receipt show it
 * @param timeoutMs of one request
 */
export function createStripePayments(
  { secretKey, webhookSecret, apiUrl, publicUrl }: StripeConfig,
  title: (purchase: Purchase) => string,
  timeoutMs = TIMEOUT_MS,
): StripePayments {
  let loading: Promise<Stripe> | undefined
  const load = () => {
    loading ??= import('stripe').then(({ default: Library }) => {
      const { hostname, port, protocol } = new URL(apiUrl)
      return new Library(secretKey.reveal(), {
        host: hostname,
        protocol: protocol === 'http:' ? 'http' : 'https',
        telemetry: false,
        ...(port !== '' && { port }),
        timeout: timeoutMs,
        maxNetworkRetries: MAX_RETRIES,
      })
    })
    return loading
  }

  /** The purchase of a payment. undefined: the payment is for something else. */
  async function purchaseOf(paymentIntent: string): Promise<string | undefined> {
    const stripe = await load()
    const id = (await stripe.paymentIntents.retrieve(paymentIntent)).metadata.purchase_id
    return isPurchaseId(id) ? id : undefined
  }

  async function refundsOf(purchaseId: string, paymentIntent: string): Promise<PaymentFact[]> {
    const stripe = await load()
    const refunds = await stripe.refunds
      .list({ payment_intent: paymentIntent, limit: 100 })
      .autoPagingToArray({ limit: MAX_LISTED })
    return refunds.map((refund) => toRefundFact(purchaseId, paymentIntent, refund))
  }

  async function disputesOf(purchaseId: string, paymentIntent: string): Promise<PaymentFact[]> {
    const stripe = await load()
    const disputes = await stripe.disputes
      .list({ payment_intent: paymentIntent, limit: 100 })
      .autoPagingToArray({ limit: MAX_LISTED })
    return disputes.flatMap((dispute) => toDisputeFacts(purchaseId, paymentIntent, dispute))
  }

  return {
    async openCheckout(purchase) {
      const stripe = await load()
      const metadata = { purchase_id: purchase.id, account_id: purchase.accountId }
      // Stripe refuses a repeated idempotency key with other parameters, so they must be the same each time.
      const session = await stripe.checkout.sessions.create(
        {
          mode: 'payment',
          // The payment must equal the price of the order, in its currency.
          adaptive_pricing: { enabled: false },
          client_reference_id: purchase.id,
          metadata,
          payment_intent_data: { metadata },
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: purchase.currency,
                unit_amount: purchase.price,
                product_data: { name: title(purchase) },
              },
            },
          ],
          success_url: `${publicUrl}/portal/billing/return?order=${purchase.id}`,
          cancel_url: `${publicUrl}/portal/billing/return?order=${purchase.id}`,
        },
        { idempotencyKey: checkoutIdempotencyKey(purchase) },
      )
      if (!session.url)
        throw new Error(`Stripe returned no URL for the Checkout session of purchase ${purchase.id}.`)
      return { id: session.id, url: session.url }
    },
    async expireCheckout(id) {
      const stripe = await load()
      try {
        await stripe.checkout.sessions.expire(id)
        return true
      } catch (error) {
        // A session that is unknown to Stripe cannot be paid.
        if (stripeErrorStatus(error) === 404) return true
        // Only a response of Stripe proves that the session cannot be ended.
        if (stripeErrorStatus(error) !== 400) throw error
        return (await stripe.checkout.sessions.retrieve(id)).status === 'expired'
      }
    },
    async readCheckout(id) {
      const stripe = await load()
      return toPaidFacts(await stripe.checkout.sessions.retrieve(id))
    },
    async readPurchase({ id, state, checkout, paymentIntent }) {
      const stripe = await load()
      const session =
        state !== 'paid' && checkout !== null
          ? await stripe.checkout.sessions.retrieve(checkout, { expand: ['payment_intent'] })
          : undefined
      const payment =
        paymentIntent ?? (session?.payment_status === 'paid' && referenceId(session.payment_intent))
      return [
        ...(session ? toSessionFacts(session) : []),
        ...(payment ? (await Promise.all([refundsOf(id, payment), disputesOf(id, payment)])).flat() : []),
      ]
    },
    async readEvent(body, signature) {
      const stripe = await load()
      let event: Stripe.Event
      try {
        event = stripe.webhooks.constructEvent(body, signature, webhookSecret.reveal(), TOLERANCE_S)
      } catch {
        return 'forged'
      }
      return readEventFacts(event, purchaseOf, refundsOf)
    },
  }
}

/** The status of Stripe's response. undefined: there was none. */
export function stripeErrorStatus(error: unknown): number | undefined {
  return (error as { statusCode?: number }).statusCode
}

function checkoutIdempotencyKey({ id, refusedCheckouts }: Purchase): string {
  return `lotline-purchase-${id}${refusedCheckouts === 0 ? '' : `-${refusedCheckouts}`}`
}

async function readEventFacts(
  { type, data }: Stripe.Event,
  purchaseOf: (paymentIntent: string) => Promise<string | undefined>,
  refundsOf: (purchaseId: string, paymentIntent: string) => Promise<PaymentFact[]>,
): Promise<PaymentFact[]> {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired': {
      const session = data.object as Stripe.Checkout.Session
      const purchaseId = session.metadata?.purchase_id
      if (!isPurchaseId(purchaseId)) return []
      const checkout = session.id
      if (type === 'checkout.session.async_payment_failed') return [{ kind: 'failed', purchaseId, checkout }]
      if (type === 'checkout.session.expired') return [{ kind: 'expired', purchaseId, checkout }]
      return toPaidFacts(session)
    }
    case 'charge.refunded': {
      // The charge has the sum of its refunds, which does not show whether one of them failed.
      const paymentIntent = referenceId((data.object as Stripe.Charge).payment_intent)
      const purchaseId = paymentIntent && (await purchaseOf(paymentIntent))
      return purchaseId ? refundsOf(purchaseId, paymentIntent) : []
    }
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated': {
      const refund = data.object as Stripe.Refund
      const paymentIntent = referenceId(refund.payment_intent)
      const purchaseId = paymentIntent && (await purchaseOf(paymentIntent))
      return purchaseId ? [toRefundFact(purchaseId, paymentIntent, refund)] : []
    }
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated': {
      const dispute = data.object as Stripe.Dispute
      const paymentIntent = referenceId(dispute.payment_intent)
      if (!paymentIntent || isInquiry(dispute)) return []
      const purchaseId = await purchaseOf(paymentIntent)
      return purchaseId ? toDisputeFacts(purchaseId, paymentIntent, dispute) : []
    }
    default:
      return []
  }
}

/** A refund may fail weeks after it succeeded. */
function toRefundFact(
  purchaseId: string,
  paymentIntent: string,
  { id: cause, amount, currency, status }: Stripe.Refund,
): PaymentFact {
  const isVoid = status === 'failed' || status === 'canceled'
  return { kind: 'refunded', purchaseId, paymentIntent, cause, amount, currency, isVoid }
}

function toDisputeFacts(purchaseId: string, paymentIntent: string, dispute: Stripe.Dispute): PaymentFact[] {
  if (isInquiry(dispute)) return []
  const { id: cause, amount, currency, status } = dispute
  const isVoid = status === 'won'
  return [{ kind: 'disputed', purchaseId, paymentIntent, cause, amount, currency, isVoid }]
}

/** An inquiry takes no money. */
function isInquiry({ status }: Stripe.Dispute): boolean {
  return status.startsWith('warning_') || status === 'prevented'
}

/** The facts of a session that is read, with its payment, instead of an event. */
function toSessionFacts(session: Stripe.Checkout.Session): PaymentFact[] {
  const { id: checkout, metadata, status, payment_intent: payment } = session
  const purchaseId = metadata?.purchase_id
  if (!isPurchaseId(purchaseId)) return []
  if (status === 'expired') return [{ kind: 'expired', purchaseId, checkout }]
  // While a slow payment is under way, it is `processing`.
  const state = typeof payment === 'object' ? payment?.status : undefined
  const hasFailed = status === 'complete' && (state === 'requires_payment_method' || state === 'canceled')
  return hasFailed ? [{ kind: 'failed', purchaseId, checkout }] : toPaidFacts(session)
}

/** Some payment methods take days: the session is completed, and the money arrives later or not at all. */
function toPaidFacts(session: Stripe.Checkout.Session): PaymentFact[] {
  const { purchase_id: purchaseId, account_id: accountId = '' } = session.metadata ?? {}
  if (!isPurchaseId(purchaseId) || session.payment_status !== 'paid') return []
  return [
    {
      kind: 'paid',
      purchaseId,
      checkout: session.id,
      accountId,
      reference: session.client_reference_id,
      paymentIntent: referenceId(session.payment_intent),
      amount: session.amount_total ?? 0,
      currency: session.currency ?? '',
    },
  ]
}

function referenceId(reference: string | { readonly id: string } | null): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id
}

/** Other users of the same Stripe account can write metadata, so the id is checked. */
function isPurchaseId(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}
