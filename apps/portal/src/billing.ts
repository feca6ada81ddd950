// The port to plans, packs, and payment, for the account and the key of the session. The contract has no operations for them, so this is
// the pages' only data access besides the API.

export interface BillingPurchase {
  readonly id: string
  readonly kind: 'pack' | 'plan'
  /** The id of the pack, or the plan. */
  readonly item: string
  readonly credits: number
  /** In hundredths of the currency. */
  readonly price: number
  readonly currency: string
  readonly payment: 'manual' | 'stripe'
  readonly state: 'open' | 'paid' | 'refused' | 'cancelled' | 'failed'
  /** The reason of the refusal. */
  readonly reason: string | null
  /** The URL of the payment page. */
  readonly checkoutUrl: string | null
  readonly createdAt: Date
  readonly closedAt: Date | null
}

export interface BillingPlan {
  readonly id: string
  readonly title: string
  /** The price of one cycle, in hundredths of the currency. undefined: the plan is not sold. */
  readonly price: number | undefined
  readonly credits: number
  readonly ratePerMinute: number
  readonly cycleMonths: 1 | 12 | null
  /** `upgrade` is an order for now, and `advance` for the time after the current cycle; a downgrade needs no payment. */
  readonly change: 'upgrade' | 'advance' | 'downgrade' | 'none'
  readonly isCurrent: boolean
  readonly isNext: boolean
}

export interface BillingPack {
  readonly id: string
  readonly credits: number
  readonly price: number
}

export interface BillingState {
  readonly payment: 'manual' | 'stripe'
  /** ISO 4217, lower case. */
  readonly currency: string
  /** undefined: the session may not see it, and gets no plans, packs, or purchases either. */
  readonly account:
    | {
        readonly plan: string
        readonly creditsPerCycle: number
        readonly cycleMonths: 1 | 12 | null
        readonly renewsAt: Date | null
        readonly available: number
        readonly grantLeft: number
        /** Without a payment for the next cycle, the plan becomes Free. */
        readonly isPrepaid: boolean
        readonly next: {
          readonly plan: string
          readonly byCustomer: boolean
          readonly isPaid: boolean
        } | null
      }
    | undefined
  /** The reason why this session cannot order anything. */
  readonly closedBecause: 'suspended' | 'key' | undefined
  /** Only the operator changes the terms of this account. */
  readonly hasOwnTerms: boolean
  readonly takesPacks: boolean
  readonly plans: readonly BillingPlan[]
  readonly packs: readonly BillingPack[]
  /** Latest first. */
  readonly purchases: readonly BillingPurchase[]
}

export type BillingAnswer =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly because: string }

export interface PortalBilling {
  view(): Promise<BillingState>
  order(order: {
    readonly kind: 'pack' | 'plan'
    readonly item: string
    /** The price that the page showed, in hundredths of the currency. */
    readonly price: number
    /** The form's UUID. Sending the form again returns the first order. */
    readonly form: string
  }): Promise<BillingAnswer>
  /** Creates the payment page of an order that has none yet. */
  openCheckout(id: string): Promise<BillingAnswer>
  /** Checks for a payment that Stripe has not reported yet. */
  checkPayment(id: string): Promise<void>
  withdraw(id: string): Promise<BillingAnswer>
  downgrade(plan: string): Promise<BillingAnswer>
  withdrawDowngrade(): Promise<BillingAnswer>
}
