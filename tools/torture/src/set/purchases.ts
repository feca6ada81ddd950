// Purchases during a run. A customer sends each form twice at once, and again until it is answered. Two operators approve an order at the
// same moment while a third one refuses it, or Stripe reports its payment and its refunds, some of which fail, each twice and in any order.
// They call the functions of the portal, the command, and the webhook, over connections of their own, which the faults of the run meet, too.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectDatabase } from '@lotline/api/infrastructure/database/database.ts'
import { approvePurchase, refusePurchase } from '@lotline/api/money/billing/grant.ts'
import { orderPurchase } from '@lotline/api/money/billing/order.ts'
import { applyPaymentFact, type PaymentFact } from '@lotline/api/money/billing/payment-facts.ts'
import type pg from 'pg'
import type { WorldKey } from '../clients/world.ts'
import type { Random } from '../random.ts'

const PRICES = { currency: 'usd', plans: {}, packs: [{ id: 'small', credits: 500, price: 2500 }] }
const PACK = { kind: 'pack', item: 'small', price: 2500 } as const
/** Between two orders, in milliseconds. An account has 50 orders in a day. */
const GAP_MS = [500, 2_000] as const
/** Before what failed is repeated, in milliseconds. */
const RETRY_MS = 200

export interface Shop {
  /** The number of orders that were decided or paid. Throws if a form made two orders, or an order was decided twice. */
  stop(): Promise<number>
}

/** Orders again and again. A database that is away is tried again. */
export function keepShop(target: pg.ClientConfig, customer: WorldKey, random: Random): Shop {
  const end = new AbortController()
  const database = connectDatabase({ target, poolSize: 4 })
  let closed = 0

  /** All at once; those that fail, again. Undefined for those that had failed until the end of the run. */
  async function untilDone<T>(works: readonly (() => Promise<T>)[]): Promise<(T | undefined)[]> {
    const results = new Array<T | undefined>(works.length)
    let left = works.map((_, at) => at)
    while (left.length > 0) {
      const settled = await Promise.allSettled(left.map((at) => works[at]!()))
      for (const [at, result] of settled.entries()) {
        if (result.status === 'fulfilled') results[left[at]!] = result.value
      }
      left = left.filter((_, at) => settled[at]!.status === 'rejected')
      if (left.length === 0 || end.signal.aborted) break
      await sleep(RETRY_MS)
    }
    return results
  }

  async function turn(): Promise<void> {
    const payment = random.pick(['manual', 'stripe'] as const)
    const id = await orderTwice(payment)
    if (id === undefined) return
    await (payment === 'manual' ? decide(id) : pay(id))
    closed++
  }

  /** undefined: the account has too many orders, or the run has ended. */
  async function orderTwice(payment: 'manual' | 'stripe'): Promise<string | undefined> {
    const asking = { accountId: customer.accountId, keyId: customer.id }
    const order = { ...PACK, form: randomUUID() }
    const send = () => orderPurchase(database, PRICES, payment, asking, order)
    const ids = new Set((await untilDone([send, send])).flatMap((answer) => (answer?.ok ? [answer.id] : [])))
    if (ids.size > 1)
      throw new Error(`The form ${order.form} created more than one order: ${[...ids].join(' and ')}.`)
    return [...ids][0]
  }

  async function decide(id: string): Promise<void> {
    const approve = (name: string) => () => approvePurchase(database, id, name)
    const refuse = () => refusePurchase(database, id, 'Ben')
    const decided = await untilDone([
      approve('Ana'),
      approve('Cleo'),
      ...(random.chance(0.3) ? [refuse] : []),
    ])
    const done = decided.filter((one) => one?.done)
    if (done.length > 1)
      throw new Error(`The purchase ${id} was approved or refused ${done.length} times instead of once.`)
  }

  async function pay(purchaseId: string): Promise<void> {
    const payment = { purchaseId, paymentIntent: `pi_${purchaseId}`, currency: 'usd' }
    const { accountId } = customer
    const facts: PaymentFact[] = [
      {
        kind: 'paid',
        checkout: `cs_${purchaseId}`,
        accountId,
        reference: purchaseId,
        amount: 2500,
        ...payment,
      },
    ]
    for (let part = 0; part < random.int(0, 3); part++) {
      const refund = {
        kind: 'refunded',
        cause: `re_${part}`,
        amount: random.int(1, 800),
        ...payment,
      } as const
      facts.push({ ...refund, isVoid: false })
      if (random.chance(0.5)) facts.push({ ...refund, isVoid: true })
    }
    const sent = [...facts, ...facts].map((fact) => ({ fact, at: random.int(0, 1_000_000) }))
    sent.sort((one, other) => one.at - other.at)
    for (let at = 0; at < sent.length; at += 2) {
      await untilDone(
        sent.slice(at, at + 2).map(
          ({ fact }) =>
            () =>
              applyPaymentFact(database, fact),
        ),
      )
    }
  }

  async function loop(): Promise<void> {
    while (!end.signal.aborted) {
      await sleep(random.int(...GAP_MS), undefined, { signal: end.signal }).catch(() => {})
      await turn()
    }
  }
  const running = loop()
  running.catch(() => {})
  return {
    async stop() {
      end.abort()
      try {
        await running
        return closed
      } finally {
        await database.close()
      }
    },
  }
}
