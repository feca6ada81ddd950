// Plan and credits: the current plan, purchasable plans and packs, and past purchases. The service decides prices, rules, and payment
// (billing.ts).

import { type PortalAnswer, page, redirect, type Visit } from '../answer.ts'
import type { BillingAnswer, BillingPack, BillingPlan, BillingPurchase, BillingState } from '../billing.ts'
import { count, day, moment, price, whole } from '../format.ts'
import { type Html, html } from '../html.ts'
import {
  actionButton,
  badge,
  changeForm,
  emptyState,
  facts,
  form,
  isUuid,
  note,
  table,
  withConfirmation,
} from '../parts.ts'
import type { PageRoute } from '../routes.ts'
import { orderName, orderStateBadge, orderTitle, purchaseTable } from './billing-orders.ts'

export const billingRoutes: readonly PageRoute[] = [
  ['GET', '/portal/billing', showBilling],
  ['POST', '/portal/billing/orders', order],
  ['GET', '/portal/billing/orders/:id', showOrder],
  ['POST', '/portal/billing/orders/:id/checkout', openCheckout],
  ['POST', '/portal/billing/orders/:id/withdraw', withdraw],
  ['POST', '/portal/billing/downgrade', downgrade],
  ['POST', '/portal/billing/downgrade/withdraw', withdrawDowngrade],
]

const SUCCESS_MESSAGES: Readonly<Record<string, string>> = {
  ordered: 'Your order was sent to the operator. The credits arrive when the operator approves it.',
  withdrawn: 'The order was withdrawn.',
  planned: 'The change of plan is planned. You can withdraw it until then.',
  kept: 'The planned change was withdrawn. Your plan stays as it is.',
}

/** The service's refusal, and what to do. */
const REFUSAL_MESSAGES: Readonly<Record<string, string>> = {
  suspended: 'The account is suspended, so nothing can be ordered.',
  key: 'The key of this session has limits, so it cannot order. Sign in with a key without a credit limit and without a list of operations, or with a sign-in link.',
  account:
    'The key of this session may not call getAccount, so this page shows neither the plan nor the balance and the orders. Sign in with another key, or with a sign-in link.',
  unknown: 'This is not offered any more. Choose again.',
  price: 'The price has changed. Check the new price and order again.',
  free: 'Packs are for paid plans. Choose a plan first.',
  terms: 'The terms of your account were agreed with the operator. Ask the operator to change them.',
  order: 'Your plan has changed in the meantime. Choose again.',
  'open plan': 'Another change of plan waits. Withdraw it first.',
  'too many': 'There are too many orders. Withdraw the ones that you do not need, or wait a day.',
  stripe: 'The payment service does not answer. Your order is kept. Try again in a minute.',
  busy: 'The payment service was just asked for this account. Your order is kept. Try again in some minutes.',
  page: 'The page was out of date, so nothing was ordered. Choose again.',
  paying: 'This order is being paid, so it can no longer be withdrawn.',
  closed: 'It was decided or withdrawn in the meantime.',
}

async function showBilling({ billing, session, query }: Visit): Promise<PortalAnswer> {
  if (!billing) return redirect('/portal')
  const state = await billing.view()
  const done = SUCCESS_MESSAGES[query.get('done') ?? '']
  const refused = REFUSAL_MESSAGES[query.get('refused') ?? '']
  if (!state.account) {
    const why = html`${refused && note('bad', refused)}${note('plain', REFUSAL_MESSAGES.account!)}`
    return page('billing', 'Plan and credits', html`<h1>Plan and credits</h1>${why}`)
  }
  const open = state.purchases.filter((purchase) => purchase.state === 'open')
  const past = state.purchases.filter((purchase) => purchase.state !== 'open')
  return page(
    'billing',
    'Plan and credits',
    html`<h1>Plan and credits</h1>
      ${done && note('good', done)}${refused && note('bad', refused)}
      ${state.closedBecause && note('plain', REFUSAL_MESSAGES[state.closedBecause])}
      ${planFacts(state.account)}${plannedChange(state.account, state.closedBecause, session)}
      ${open.length > 0 && openOrders(open, session)}
      <section><h2>Plans</h2>
        ${state.hasOwnTerms && html`<p>${REFUSAL_MESSAGES.terms}</p>`}
        ${planTable(state, session)}
        <p class="quiet">An upgrade begins with a new cycle: what is left of the credits of your present plan expires, and credits that
          you bought stay. A downgrade begins when the running cycle ends.${
            state.payment === 'stripe' &&
            ' Each cycle is paid for itself. Without a payment for the next one, the plan becomes Free.'
          }</p></section>
      <section><h2>Credit packs</h2>${packTable(state, session)}</section>
      <section><h2>Past orders</h2>${
        past.length === 0
          ? html`<p class="quiet">You have not bought anything yet.</p>`
          : purchaseTable('Past orders', past, undefined)
      }</section>`,
  )
}

type BillingAccount = NonNullable<BillingState['account']>

function planFacts(account: BillingAccount): Html {
  const { plan, creditsPerCycle, cycleMonths, renewsAt, available, grantLeft, next, isPrepaid } = account
  return facts([
    ['Plan', html`<strong>${plan}</strong>`],
    ['Credits of the plan', `${whole(creditsPerCycle)} ${cycleName(cycleMonths)}`],
    ['Available now', html`<strong>${whole(available)}</strong> ${available === 1 ? 'credit' : 'credits'}`],
    ['Left of this cycle', whole(grantLeft)],
    [isPrepaid || next ? 'Cycle ends' : 'Next cycle begins', renewsAt ? day(renewsAt) : 'Never'],
  ])
}

function cycleName(months: 1 | 12 | null): string {
  return months === null ? 'once' : months === 1 ? 'each month' : 'each year'
}

function plannedChange(
  { next, renewsAt, plan, isPrepaid }: BillingAccount,
  closedBecause: BillingState['closedBecause'],
  session: Visit['session'],
): Html {
  if (!renewsAt) return ''
  if (isPrepaid && !next) {
    return note('plain', `Your plan becomes Free on ${day(renewsAt)}, unless you pay the next cycle before.`)
  }
  if (!next) return ''
  if (next.isPaid) return note('good', `The next cycle is paid: ${next.plan} from ${day(renewsAt)}.`)
  return note(
    'plain',
    html`<p>Your plan changes to <strong>${next.plan}</strong> on ${day(renewsAt)}.${!next.byCustomer && ' The operator has planned this change.'}</p>
      ${
        next.byCustomer &&
        !closedBecause &&
        actionButton(
          session,
          '/portal/billing/downgrade/withdraw',
          `Keep ${plan}`,
          `Keep ${plan} instead of ${next.plan}`,
        )
      }`,
  )
}

function openOrders(open: readonly BillingPurchase[], session: Visit['session']): Html {
  return html`<section><h2>Open orders</h2>
    <p>${
      open.some(({ payment }) => payment === 'stripe')
        ? 'Pay an order to get its credits.'
        : 'The operator approves an order when the payment has arrived.'
    }</p>
    ${purchaseTable(
      'Open orders',
      open,
      (purchase) =>
        html`${
          purchase.payment === 'stripe' &&
          html`<a class="button plain" href=${`/portal/billing/orders/${purchase.id}`} aria-label=${`Pay the order of ${orderTitle(purchase)}`}>Pay</a> `
        }${withdrawal(purchase, session)}`,
    )}</section>`
}

function withdrawal(purchase: BillingPurchase, session: Visit['session']): Html {
  return withConfirmation(
    'Withdraw',
    `Withdraw the order of ${orderTitle(purchase)}`,
    form(
      session,
      `/portal/billing/orders/${purchase.id}/withdraw`,
      html`<p>Withdraw this order?</p><button>Withdraw order</button>`,
    ),
  )
}

async function showOrder({ billing, session, params, query }: Visit): Promise<PortalAnswer> {
  if (!billing) return redirect('/portal')
  if (query.has('back')) {
    await billing.checkPayment(params.id!)
    return redirect(`/portal/billing/orders/${params.id}`)
  }
  const { purchases } = await billing.view()
  const purchase = purchases.find(({ id }) => id === params.id)
  if (!purchase) return redirect('/portal/billing')
  const { checkoutUrl, createdAt, currency, state, id } = purchase
  const refused = REFUSAL_MESSAGES[query.get('refused') ?? '']
  const isPayable = state === 'open' && purchase.payment === 'stripe'
  return page(
    'billing',
    'Order',
    html`<p class="crumb"><a href="/portal/billing">Plan and credits</a></p>
      <h1>${orderName(purchase)}</h1>${refused && note('bad', refused)}
      ${facts([
        ['Price', price(purchase.price, currency)],
        ['Credits', whole(purchase.credits)],
        ['Ordered', moment(createdAt.toISOString())],
        ['Status', orderStateBadge(purchase)],
      ])}
      ${
        isPayable &&
        html`<p>You pay on a page of Stripe. Card data never comes to this service. The credits arrive within seconds after the
          payment.</p>
          <div class="actions">${
            checkoutUrl === null
              ? actionButton(
                  session,
                  `/portal/billing/orders/${id}/checkout`,
                  'Prepare the payment',
                  'Prepare the payment',
                  '',
                )
              : html`<a class="button" href=${checkoutUrl} rel="noreferrer">Continue to payment</a>`
          } ${withdrawal(purchase, session)}</div>`
      }`,
  )
}

function planTable(state: BillingState, session: Visit['session']): Html {
  return table<BillingPlan>(
    'Plans',
    [
      {
        title: 'Plan',
        cell: ({ title, isCurrent, isNext }) =>
          html`<strong>${title}</strong> ${isCurrent && badge('Your plan', 'good')} ${isNext && badge('Next', 'busy')}`,
      },
      {
        title: 'Price',
        isNumber: true,
        cell: ({ price: amount, cycleMonths }) =>
          amount === undefined
            ? html`<span class="quiet">Not sold</span>`
            : html`${price(amount, state.currency)}${cycleMonths !== null && html`<span class="quiet"> / ${cycleMonths === 1 ? 'month' : 'year'}</span>`}`,
      },
      {
        title: 'Credits',
        isNumber: true,
        cell: ({ credits, cycleMonths }) =>
          html`${whole(credits)}<span class="quiet"> ${cycleName(cycleMonths)}</span>`,
      },
      { title: 'Calls per minute', isNumber: true, cell: ({ ratePerMinute }) => whole(ratePerMinute) },
      { title: 'Change', cell: (plan) => planChangeButton(state, plan, session) },
    ],
    state.plans,
  )
}

function planChangeButton(state: BillingState, plan: BillingPlan, session: Visit['session']): Html {
  const { id, title, change, price: amount } = plan
  if (state.closedBecause || amount === undefined) return ''
  const cycle = plan.cycleMonths === 12 ? 'year' : 'month'
  const question = `${price(amount, state.currency)} for one ${cycle} with ${count(plan.credits, 'credit')}.`
  if (change === 'upgrade') {
    const label = `Upgrade to ${title}`
    return orderButton(state, { kind: 'plan', item: id, amount, question }, 'Upgrade', label, session)
  }
  if (change === 'advance') {
    const begins = `${question} It begins when the running cycle ends.`
    const [short, label] = plan.isCurrent
      ? ['Pay next cycle', `Pay next cycle of ${title}`]
      : ['Downgrade', `Downgrade to ${title}`]
    return orderButton(state, { kind: 'plan', item: id, amount, question: begins }, short, label, session)
  }
  if (change === 'downgrade') {
    return withConfirmation(
      'Downgrade',
      `Downgrade to ${title}`,
      form(
        session,
        '/portal/billing/downgrade',
        html`<p>${title} begins when the running cycle ends${state.account?.renewsAt && `, on ${day(state.account.renewsAt)}`}.</p>
          <input type="hidden" name="plan" value=${id} /><button>Plan the downgrade</button>`,
      ),
    )
  }
  return ''
}

function packTable(state: BillingState, session: Visit['session']): Html {
  if (state.packs.length === 0) return html`<p class="quiet">The operator sells no packs.</p>`
  if (!state.takesPacks) {
    return emptyState('Packs are for paid plans', 'Choose a plan above. Then you can add credits to it.')
  }
  return html`<p>Credits of a pack carry over from cycle to cycle and are spent last.</p>
    ${table<BillingPack>(
      'Credit packs',
      [
        { title: 'Pack', cell: ({ credits }) => html`<strong>${count(credits, 'credit')}</strong>` },
        { title: 'Price', isNumber: true, cell: ({ price: amount }) => price(amount, state.currency) },
        {
          title: 'For 1,000 credits',
          isNumber: true,
          cell: ({ price: amount, credits }) => price(Math.round((amount / credits) * 1000), state.currency),
        },
        {
          title: 'Order',
          cell: ({ id, credits, price: amount }) => {
            if (state.closedBecause) return ''
            const text = count(credits, 'credit')
            const question = `${text} for ${price(amount, state.currency)}.`
            return orderButton(
              state,
              { kind: 'pack', item: id, amount, question },
              'Buy',
              `Buy ${text}`,
              session,
            )
          },
        },
      ],
      state.packs,
    )}`
}

interface Offer {
  readonly kind: 'pack' | 'plan'
  readonly item: string
  readonly amount: number
  readonly question: string
}

function orderButton(
  { payment }: BillingState,
  { kind, item, amount, question }: Offer,
  label: string,
  description: string,
  session: Visit['session'],
): Html {
  return withConfirmation(
    label,
    description,
    changeForm(
      session,
      '/portal/billing/orders',
      html`<p>${question} ${
        payment === 'stripe'
          ? 'You pay on the next page.'
          : 'The operator gets your order and arranges the payment with you.'
      }</p>
        <input type="hidden" name="kind" value=${kind} /><input type="hidden" name="item" value=${item} />
        <input type="hidden" name="price" value=${String(amount)} /><button>Order</button>`,
    ),
  )
}

async function order({ billing, form: sent }: Visit): Promise<PortalAnswer> {
  const kind = sent.get('kind') === 'plan' ? 'plan' : 'pack'
  const [item, shown] = [sent.get('item') ?? '', Number(sent.get('price') ?? Number.NaN)]
  const id = sent.get('form') ?? ''
  if (billing && !isUuid(id)) return redirectAfterAction({ ok: false, because: 'page' }, 'ordered')
  const answer = await billing?.order({ kind, item, price: shown, form: id.toLowerCase() })
  if (answer?.ok && (await billing!.view()).payment === 'stripe') {
    return redirect(`/portal/billing/orders/${answer.id}`)
  }
  return redirectAfterAction(answer, 'ordered')
}

async function openCheckout({ billing, params }: Visit): Promise<PortalAnswer> {
  const answer = await billing?.openCheckout(params.id!)
  if (!answer) return redirect('/portal')
  const path = `/portal/billing/orders/${params.id}`
  return redirect(answer.ok ? path : `${path}?${new URLSearchParams({ refused: answer.because })}`)
}

async function withdraw({ billing, params }: Visit): Promise<PortalAnswer> {
  return redirectAfterAction(await billing?.withdraw(params.id!), 'withdrawn')
}

async function downgrade({ billing, form: sent }: Visit): Promise<PortalAnswer> {
  return redirectAfterAction(await billing?.downgrade(sent.get('plan') ?? ''), 'planned')
}

async function withdrawDowngrade({ billing }: Visit): Promise<PortalAnswer> {
  return redirectAfterAction(await billing?.withdrawDowngrade(), 'kept')
}

function redirectAfterAction(answer: BillingAnswer | undefined, done: string): PortalAnswer {
  if (!answer) return redirect('/portal')
  const news = answer.ok ? { done } : { refused: answer.because }
  return redirect(`/portal/billing?${new URLSearchParams(news)}`)
}
