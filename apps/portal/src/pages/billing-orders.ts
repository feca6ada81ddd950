// Orders in lists: their names, their states, and the table.

import type { BillingPurchase } from '../billing.ts'
import { count, moment, price, words } from '../format.ts'
import { type Html, html } from '../html.ts'
import { badge, table } from '../parts.ts'

const LABEL_BY_STATE = {
  open: ['Not paid yet', 'busy'],
  paid: ['Paid', 'good'],
  refused: ['Refused', 'bad'],
  cancelled: ['Withdrawn', 'off'],
  failed: ['Payment failed', 'bad'],
} as const

export function orderStateBadge({ state, payment }: BillingPurchase): Html {
  if (state === 'open' && payment === 'manual') return badge('Waits for approval', 'busy')
  const [name, kind] = LABEL_BY_STATE[state]
  return badge(name, kind)
}

/** As part of a sentence. */
export function orderTitle({ kind, item, credits }: BillingPurchase): string {
  return kind === 'plan' ? `the plan ${words(item)}` : count(credits, 'credit')
}

export function orderName({ kind, item, credits }: BillingPurchase): string {
  return kind === 'plan' ? `Plan ${words(item)}` : count(credits, 'credit')
}

export function purchaseTable(
  caption: string,
  purchases: readonly BillingPurchase[],
  actionOf: ((purchase: BillingPurchase) => Html) | undefined,
): Html {
  return table<BillingPurchase>(
    caption,
    [
      { title: 'Ordered', cell: ({ createdAt }) => moment(createdAt.toISOString()) },
      {
        title: 'Order',
        cell: (purchase) =>
          purchase.payment === 'stripe'
            ? html`<a href=${`/portal/billing/orders/${purchase.id}`}>${orderName(purchase)}</a>`
            : orderName(purchase),
      },
      {
        title: 'Price',
        isNumber: true,
        cell: ({ price: amount, currency }) => price(amount, currency),
      },
      {
        title: 'Status',
        cell: (purchase) =>
          html`${orderStateBadge(purchase)}${purchase.reason !== null && html` <span class="quiet">${purchase.reason}</span>`}`,
      },
      ...(actionOf ? [{ title: 'Actions', cell: actionOf }] : []),
    ],
    purchases,
  )
}
