// Orders of plans and packs: those waiting for the operator, and the last others.

import { type PortalAnswer, page, redirect } from '../../answer.ts'
import { moment, price, whole, words } from '../../format.ts'
import { type Html, html } from '../../html.ts'
import { badge, changeForm, emptyState, isUuid, note, table, withConfirmation } from '../../parts.ts'
import { readForm } from '../forms.ts'
import type { ConsolePurchase } from '../port.ts'
import type { ConsolePages, ConsoleVisit } from '../visit.ts'

export const purchasePages: ConsolePages = {
  section: 'purchases',
  path: '/purchases',
  title: 'Purchases',
  routes: [
    ['GET', '/purchases', 'purchases.read', (visit) => showPurchases(visit)],
    ['POST', '/purchases/:id/approve', 'purchases.decide', approve],
    ['POST', '/purchases/:id/refuse', 'purchases.decide', refuse],
  ],
}

const MAX_LISTED_PURCHASES = 100
const SUCCESS_MESSAGES: Readonly<Record<string, string>> = {
  approved: 'The order was approved. The customer has what was ordered.',
  refused: 'The order was refused.',
  waiting: 'Nothing was changed yet: this many credits need a second person. The request is under Approvals.',
}

async function showPurchases(
  { console, session, query, can }: ConsoleVisit,
  problem?: string,
): Promise<PortalAnswer> {
  const { open, closed } = await console.readPurchases(MAX_LISTED_PURCHASES)
  const done = SUCCESS_MESSAGES[query.get('done') ?? '']
  return page(
    'purchases',
    'Purchases',
    html`<h1>Purchases</h1>
      ${done && note('good', done)}${problem && note('bad', problem)}
      <section><h2>Open orders</h2>${
        open.length === 0
          ? emptyState('No order waits', 'Orders of customers appear here until they are paid.')
          : purchaseTable(
              'Open orders',
              open,
              can('purchases.decide') ? (purchase) => purchaseActions(purchase, session) : undefined,
            )
      }</section>
      <section><h2>Decided</h2>${
        closed.length === 0
          ? html`<p class="quiet">None yet.</p>`
          : purchaseTable('Decided orders', closed, undefined)
      }</section>`,
  )
}

function purchaseTable(
  caption: string,
  purchases: readonly ConsolePurchase[],
  actionsOf: ((purchase: ConsolePurchase) => Html) | undefined,
): Html {
  return table<ConsolePurchase>(
    caption,
    [
      { title: 'Ordered', cell: ({ createdAt }) => moment(createdAt.toISOString()) },
      {
        title: 'Account',
        cell: ({ accountId, email }) =>
          html`<a href=${`/accounts/${accountId}`}>${email ?? accountId.slice(0, 8)}</a>`,
      },
      { title: 'Order', cell: purchaseName },
      { title: 'Credits', cell: ({ credits }) => whole(credits), isNumber: true },
      {
        title: 'Price',
        cell: ({ price: amount, currency }) => price(amount, currency),
        isNumber: true,
      },
      {
        title: 'Status',
        cell: ({ state, payment, operator, reason }) =>
          html`${badge(words(state), BADGE_COLORS[state])} <span class="quiet">${payment} ${operator} ${reason}</span>`,
      },
      ...(actionsOf ? [{ title: 'Decide', cell: actionsOf }] : []),
    ],
    purchases,
  )
}

const BADGE_COLORS = { open: 'busy', paid: 'good', refused: 'bad', cancelled: 'off', failed: 'bad' } as const

function purchaseName({ kind, item }: ConsolePurchase): string {
  return `${words(kind)} ${words(item)}`
}

function purchaseActions(purchase: ConsolePurchase, session: ConsoleVisit['session']): Html {
  const { id, payment, email, accountId } = purchase
  if (payment === 'stripe') return html`<span class="quiet">Stripe decides</span>`
  const name = `${purchaseName(purchase)} of ${email ?? accountId.slice(0, 8)}`
  return html`${withConfirmation(
    'Approve',
    `Approve ${name}`,
    changeForm(
      session,
      `/purchases/${id}/approve`,
      html`<p>The payment of ${price(purchase.price, purchase.currency)} has arrived?</p><button>Approve order</button>`,
    ),
  )}${withConfirmation(
    'Refuse',
    `Refuse ${name}`,
    changeForm(
      session,
      `/purchases/${id}/refuse`,
      html`<label for=${`reason-${id}`}>Reason, shown to the customer</label>
        <input id=${`reason-${id}`} name="reason" maxlength="200" placeholder="Optional" /><button>Refuse order</button>`,
    ),
  )}`
}

async function approve(visit: ConsoleVisit): Promise<PortalAnswer> {
  const sent = readForm(visit.form)
  const form = sent.formId()
  if (sent.problems.length > 0) return showPurchases(visit, sent.problems[0])
  if (!isUuid(visit.params.id!)) return redirect('/purchases')
  const changed = await visit.console.approvePurchase(form, visit.params.id!)
  return changed.done ? redirect(`/purchases?done=${changed.value}`) : showPurchases(visit, changed.why)
}

async function refuse(visit: ConsoleVisit): Promise<PortalAnswer> {
  const sent = readForm(visit.form)
  const form = sent.formId()
  const reason = sent.line('reason', 'The reason', visit.console.maxReasonLength)
  if (sent.problems.length > 0) return showPurchases(visit, sent.problems[0])
  if (!isUuid(visit.params.id!)) return redirect('/purchases')
  const changed = await visit.console.refusePurchase(form, visit.params.id!, reason)
  return changed.done ? redirect('/purchases?done=refused') : showPurchases(visit, changed.why)
}
