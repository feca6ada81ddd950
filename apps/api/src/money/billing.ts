// Orders and payments: the price list, purchases, and Stripe.

export { type Billing, createBilling } from './billing/billing.ts'
export { explainClosedPurchase, type PurchaseDecision, purchaseTitle } from './billing/grant.ts'
export { priceText, readPriceList } from './billing/price-list.ts'
export {
  findPurchase,
  listPurchases,
  PURCHASE_STATES,
  type Purchase,
  type PurchaseState,
} from './billing/purchases.ts'
export { createStripePayments } from './billing/stripe.ts'
