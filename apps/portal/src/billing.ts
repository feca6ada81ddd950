// The port to plans, packs, and payment. The contract has no operations for them, so this is the one way to data beside the API. It
// acts for the account and the key of the session.

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
  /** Why it was refused. */
  readonly reason: string | null
  /** Where it is paid. */
  readonly checkoutUrl: string | null
  readonly createdAt: Date
  readonly closedAt: Date | null
}

export interface BillingPlan {
  readonly id: string
  readonly title: string
  /** Of one cycle, in hundredths of the currency. undefined: it is not sold. */
  readonly price: number | undefined
  readonly credits: number
  readonly ratePerMinute: number
  readonly cycleMonths: 1 | 12 | null
  /** upgrade and advance are orders, for now and for the time after the running cycle; a downgrade needs no payment. */
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
  /** undefined: the session may not see it. Then there are no plans, packs, and purchases either. */
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
  /** Why nothing can be ordered with this session. */
  readonly closedBecause: 'suspended' | 'key' | undefined
  /** Only the operator changes the terms of this account. */
  readonly hasOwnTerms: boolean
  readonly takesPacks: boolean
  readonly plans: readonly BillingPlan[]
  readonly packs: readonly BillingPack[]
  /** The latest comes first. */
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
    /** The price that was shown, in hundredths of the currency. */
    readonly price: number
    /** UUID of the form. Sent again, it leads to its first order. */
    readonly form: string
  }): Promise<BillingAnswer>
  /** Makes the page of payment of an order that has none yet. */
  openCheckout(id: string): Promise<BillingAnswer>
  /** Looks whether an order was paid whose payment was not reported yet. */
  checkPayment(id: string): Promise<void>
  withdraw(id: string): Promise<BillingAnswer>
  downgrade(plan: string): Promise<BillingAnswer>
  withdrawDowngrade(): Promise<BillingAnswer>
}
