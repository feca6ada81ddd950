// Stripe as Lotline uses it: a Checkout session for a purchase, and signed events about its payment. Card data never comes here. The
// official library is loaded with its first use.

import type Stripe from 'stripe'
import type { StripeConfig } from '../config/billing-config.ts'
import type { PaymentFact } from './payment-facts.ts'
import type { Purchase } from './purchases.ts'

export interface Checkout {
  readonly id: string
  readonly url: string
}

export interface StripePayments {
  /**
   * The Checkout session of a purchase. Repeating it returns the same session: the id of the purchase is the idempotency key, so a
   * process that is killed before it has stored the session makes no second one. After each refusal the key is another one.
   *
   * @throws when Stripe refuses, fails, or does not answer in time
   */
  openCheckout(purchase: Purchase): Promise<Checkout>
  /** Ends a session, so that it can no longer be paid. False: it is paid, or is being paid. */
  expireCheckout(id: string): Promise<boolean>
  /** What a session says about its payment, for a customer who comes back before the event. undefined: it is not paid. */
  readCheckout(id: string): Promise<PaymentFact | undefined>
  /**
   * An event of the webhook. `forged`: its signature does not fit, or is more than 5 minutes old. undefined: it concerns no purchase.
   *
   * @throws when Stripe must be asked for the purchase of a payment and does not answer
   */
  readEvent(body: Buffer, signature: string): Promise<PaymentFact | 'forged' | undefined>
}

/** Of one request. The library repeats a request that fails up to twice, with the same idempotency key. */
const TIMEOUT_MS = 10_000
const MAX_RETRIES = 2
/** How old a signature may be, in seconds. */
const TOLERANCE_S = 300

/** @param title of a purchase, as Stripe and the customer's receipt show it */
export function createStripePayments(
  { secretKey, webhookSecret, apiUrl, publicUrl }: StripeConfig,
  title: (purchase: Purchase) => string,
): StripePayments {
  let loading: Promise<Stripe> | undefined
  const load = () => {
    loading ??= import('stripe').then(({ default: Library }) => {
      const { hostname, port, protocol } = new URL(apiUrl)
      return new Library(secretKey.reveal(), {
        ...{ host: hostname, protocol: protocol === 'http:' ? 'http' : 'https', telemetry: false },
        ...(port !== '' && { port }),
        ...{ timeout: TIMEOUT_MS, maxNetworkRetries: MAX_RETRIES },
      })
    })
    return loading
  }

  /** The purchase that a payment is for. undefined: it is a payment of something else. */
  async function purchaseOf(paymentIntent: string): Promise<string | undefined> {
    const stripe = await load()
    return (await stripe.paymentIntents.retrieve(paymentIntent)).metadata.purchase_id
  }

  return {
    async openCheckout(purchase) {
      const stripe = await load()
      const metadata = { purchase_id: purchase.id, account_id: purchase.accountId }
      // Equal for each repetition, or Stripe refuses the key.
      const session = await stripe.checkout.sessions.create(
        {
          mode: 'payment',
          // The payment must be the price of the order, in its currency.
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
        { idempotencyKey: keyOf(purchase) },
      )
      if (!session.url) throw new Error(`Stripe sent no URL for the session of purchase ${purchase.id}.`)
      return { id: session.id, url: session.url }
    },
    async expireCheckout(id) {
      const stripe = await load()
      try {
        await stripe.checkout.sessions.expire(id)
        return true
      } catch (error) {
        // A session that Stripe does not know cannot be paid.
        if (statusOf(error) === 404) return true
        // Only an answer of Stripe says that it cannot be ended.
        if (statusOf(error) !== 400) throw error
        return (await stripe.checkout.sessions.retrieve(id)).status === 'expired'
      }
    },
    async readCheckout(id) {
      const stripe = await load()
      return paidFactOf(await stripe.checkout.sessions.retrieve(id))
    },
    async readEvent(body, signature) {
      const stripe = await load()
      let event: Stripe.Event
      try {
        event = stripe.webhooks.constructEvent(body, signature, webhookSecret.reveal(), TOLERANCE_S)
      } catch {
        return 'forged'
      }
      return factOf(event, purchaseOf)
    },
  }
}

/** The status of an answer. undefined: there was none. */
export function statusOf(error: unknown): number | undefined {
  return (error as { statusCode?: number }).statusCode
}

function keyOf({ id, refusedCheckouts }: Purchase): string {
  return `lotline-purchase-${id}${refusedCheckouts === 0 ? '' : `-${refusedCheckouts}`}`
}

async function factOf(
  { type, data }: Stripe.Event,
  purchaseOf: (paymentIntent: string) => Promise<string | undefined>,
): Promise<PaymentFact | undefined> {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired': {
      const session = data.object as Stripe.Checkout.Session
      const purchaseId = session.metadata?.purchase_id
      if (!isId(purchaseId)) return undefined
      const checkout = session.id
      if (type === 'checkout.session.async_payment_failed') return { kind: 'failed', purchaseId, checkout }
      if (type === 'checkout.session.expired') return { kind: 'expired', purchaseId, checkout }
      return paidFactOf(session)
    }
    case 'charge.refunded': {
      const { payment_intent, amount_refunded: amount, currency } = data.object as Stripe.Charge
      const paymentIntent = idOf(payment_intent)
      const purchaseId = paymentIntent && (await purchaseOf(paymentIntent))
      if (!paymentIntent || !isId(purchaseId)) return undefined
      return { kind: 'refunded', purchaseId, paymentIntent, amount, currency }
    }
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated': {
      const { id: dispute, payment_intent, amount, currency, status } = data.object as Stripe.Dispute
      const paymentIntent = idOf(payment_intent)
      // An inquiry takes no money.
      if (!paymentIntent || status.startsWith('warning_') || status === 'prevented') return undefined
      const purchaseId = await purchaseOf(paymentIntent)
      if (!isId(purchaseId)) return undefined
      return {
        ...{ kind: 'disputed', purchaseId, paymentIntent, dispute, amount, currency },
        isWon: status === 'won',
      }
    }
    default:
      return undefined
  }
}

/** Some methods of payment take days: the session is completed, and the money arrives later or not. */
function paidFactOf(session: Stripe.Checkout.Session): PaymentFact | undefined {
  const { purchase_id: purchaseId, account_id: accountId = '' } = session.metadata ?? {}
  if (!isId(purchaseId) || session.payment_status !== 'paid') return undefined
  return {
    ...{ kind: 'paid', purchaseId, checkout: session.id, accountId, reference: session.client_reference_id },
    ...{ paymentIntent: idOf(session.payment_intent), amount: session.amount_total ?? 0 },
    currency: session.currency ?? '',
  }
}

function idOf(reference: string | { readonly id: string } | null): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id
}

/** Metadata can be written by others who use the same Stripe account. */
function isId(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}
