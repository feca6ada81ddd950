// Settings of orders and payment in the portal. billing/price-list.ts reads the price list.

import { resolve } from 'node:path'
import type { Secret } from '../platform/secret.ts'
import { secret, secretSetting, setting, text, url } from './setting-kinds.ts'

export interface BillingConfig {
  /** The price list, an absolute path. */
  readonly file: string
  /** undefined: the operator approves orders. */
  readonly stripe: StripeConfig | undefined
}

export interface StripeConfig {
  readonly secretKey: Secret
  readonly webhookSecret: Secret
  readonly apiUrl: string
  /** The origin to which customers return after payment. */
  readonly publicUrl: string
}

export const BILLING_SETTINGS = {
  BILLING_FILE: setting(
    text('a path'),
    undefined,
    'A YAML or JSON file with the prices of plans and packs, which customers can then order in the portal. Without it, the portal has no page "Plan and credits".',
  ),
  STRIPE_SECRET_KEY: secretSetting(
    secret(text('a key')),
    undefined,
    'The secret key of your Stripe account. With it, customers pay orders with Stripe Checkout. Needs BILLING_FILE, STRIPE_WEBHOOK_SECRET, and PUBLIC_URL. Without it, you approve orders (`lotline purchases`).',
  ),
  STRIPE_WEBHOOK_SECRET: secretSetting(
    secret(text('a secret')),
    undefined,
    'The signing secret of the Stripe webhook endpoint that sends to /billing/stripe.',
  ),
  STRIPE_API_URL: setting(
    url('http', 'https'),
    'https://api.stripe.com',
    'Where the API of Stripe is. Only tests change it.',
  ),
} as const

interface BillingValues {
  readonly PUBLIC_URL: string | undefined
  readonly BILLING_FILE: string | undefined
  readonly STRIPE_SECRET_KEY: Secret | undefined
  readonly STRIPE_WEBHOOK_SECRET: Secret | undefined
  readonly STRIPE_API_URL: string
}

/** Returns undefined if customers cannot order. */
export function readBilling(values: BillingValues, problems: string[]): BillingConfig | undefined {
  const { BILLING_FILE, PUBLIC_URL: publicUrl } = values
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = values
  if (secretKey !== undefined) {
    const needed = { BILLING_FILE, STRIPE_WEBHOOK_SECRET: webhookSecret }
    for (const [name, value] of Object.entries({ ...needed, PUBLIC_URL: publicUrl })) {
      if (value === undefined) problems.push(`${name} is not set, but STRIPE_SECRET_KEY needs it.`)
    }
  }
  if (BILLING_FILE === undefined) return undefined
  const hasAll = secretKey !== undefined && webhookSecret !== undefined && publicUrl !== undefined
  return {
    file: resolve(BILLING_FILE),
    stripe: hasAll ? { secretKey, webhookSecret, apiUrl: values.STRIPE_API_URL, publicUrl } : undefined,
  }
}
