// The accounts of a run. They are opened by the function that the `lotline` command calls: sixteen processes of the command
// would take as long as a fifth of a short run.

import { connectDatabase, type Database } from '@lotline/api/infrastructure/database/database.ts'
import { type CreditLimit, setKeyLimit } from '@lotline/api/money/accounts/key-limits.ts'
import { issueKey, type NewAccount, openAccount } from '@lotline/api/money/accounts/open-account.ts'
import { approvePurchase } from '@lotline/api/money/billing/grant.ts'
import { orderPurchase } from '@lotline/api/money/billing/order.ts'
import { applyPaymentFact } from '@lotline/api/money/billing/payment-facts.ts'
import type { WorldKey } from '../clients/world.ts'
import { keepPeriods } from './limit-periods.ts'
import type { TortureSet } from './torture-set.ts'

/** The keys of each account. */
export interface Accounts {
  /** Never short of anything. */
  readonly rich: readonly WorldKey[]
  /** For jobs, webhooks, and other resources. */
  readonly working: readonly WorldKey[]
  /** So few credits that its jobs are cut. */
  readonly frugal: readonly WorldKey[]
  /** So few credits that they run out. */
  readonly poor: readonly WorldKey[]
  /** On the free plan: 20 calls a minute. */
  readonly free: readonly WorldKey[]
  /** 60 calls a minute for each key. */
  readonly limited: readonly WorldKey[]
  /** Each with a limit of credits of its own, which it uses up. */
  readonly capped: readonly WorldKey[]
  /** Each with a limit for each day, week, or month, which it uses up again and again: `endPeriods` ends them. */
  readonly periodic: readonly WorldKey[]
  /** The first one revokes the others, which are connectors with a limit for each month. */
  readonly connectors: readonly WorldKey[]
  readonly hostile: readonly WorldKey[]
}

const FAST = 100_000

export async function openAccounts({ database: target }: Pick<TortureSet, 'database'>): Promise<Accounts> {
  const database = connectDatabase({ target, poolSize: 1 })
  const custom = (credits: number, ratePerMinute = FAST): NewAccount => ({
    plan: 'custom',
    credits,
    ratePerMinute,
  })
  try {
    await keepPeriods(database)
    const rich = await open(database, 6, custom(10_000_000))
    await buyPacks(database, rich[0]!)
    return {
      rich,
      working: await open(database, 4, custom(10_000_000)),
      frugal: await open(database, 2, custom(900)),
      poor: await open(database, 1, custom(150)),
      free: await open(database, 1, { plan: 'free' }),
      limited: await open(database, 1, custom(1_000, 60)),
      capped: await openCapped(database, custom(100_000), [
        { credits: 250, per: 'total' },
        { credits: 400, per: 'total' },
      ]),
      periodic: await openCapped(database, custom(100_000), [
        { credits: 60, per: 'day' },
        { credits: 120, per: 'week' },
        { credits: 15, per: 'month' },
      ]),
      connectors: await openConnectors(database, custom(100_000)),
      hostile: await open(database, 1, custom(100_000)),
    }
  } finally {
    await database.close()
  }
}

/** A pack that the operator approves, twice, and one that Stripe reports as paid, twice, and as refunded by a half. */
async function buyPacks(database: Database, { id: keyId, accountId }: WorldKey): Promise<void> {
  const prices = { currency: 'usd', plans: {}, packs: [{ id: 'small', credits: 500, price: 2500 }] }
  const buy = async (payment: 'manual' | 'stripe') => {
    const order = { kind: 'pack', item: 'small', price: 2500 } as const
    const ordered = await orderPurchase(database, prices, payment, { accountId, keyId }, order)
    if (!ordered.ok) throw new Error(`The purchase was refused because of: ${ordered.because}`)
    return ordered.id
  }
  const approved = await buy('manual')
  for (const operator of ['Ana', 'Maria']) await approvePurchase(database, approved, operator)
  const purchaseId = await buy('stripe')
  const payment = { purchaseId, paymentIntent: 'pi_torture', currency: 'usd' }
  const paid = {
    kind: 'paid',
    checkout: 'cs_torture',
    accountId,
    reference: purchaseId,
    amount: 2500,
  } as const
  const refunded = { kind: 'refunded', cause: 're_torture', amount: 1250, isVoid: false, ...payment } as const
  for (const fact of [{ ...paid, ...payment }, refunded, { ...paid, ...payment }, refunded]) {
    await applyPaymentFact(database, fact)
  }
}

/** An account with a key for each of these limits. */
async function openCapped(database: Database, account: NewAccount, limits: readonly CreditLimit[]) {
  const keys = await open(database, limits.length, account)
  for (const [at, { id }] of keys.entries()) await setKeyLimit(database, id, limits[at]!)
  return keys
}

/** More than a run ends. */
const CONNECTORS = 60

/** As the consent page makes them, with a limit that some use up before they end. */
async function openConnectors(database: Database, account: NewAccount): Promise<WorldKey[]> {
  const [owner] = await open(database, 1, account)
  const keys = [owner!]
  while (keys.length <= CONNECTORS) {
    const { keyId, key } = await issueKey(database, owner!.accountId, { oauthClient: `agent-${keys.length}` })
    await setKeyLimit(database, keyId, { credits: 3, per: 'month' })
    keys.push({ id: keyId, accountId: owner!.accountId, text: key })
  }
  return keys
}

async function open(database: Database, keys: number, account: NewAccount): Promise<WorldKey[]> {
  const { accountId, key, keyId } = await openAccount(database, account)
  const all: WorldKey[] = [{ id: keyId, accountId, text: key }]
  while (all.length < keys) {
    const more = await issueKey(database, accountId)
    all.push({ id: more.keyId, accountId, text: more.key })
  }
  return all
}
