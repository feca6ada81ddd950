// Reads and lists purchases. order.ts creates them, and grant.ts grants them.

import { keysetPages, type Queryable } from '../../infrastructure/database.ts'

export interface Purchase {
  readonly id: string
  readonly accountId: string
  readonly kind: 'pack' | 'plan'
  /** The id of the pack, or the plan. */
  readonly item: string
  readonly credits: number
  /** The price in hundredths of the currency. */
  readonly price: number
  /** ISO 4217, lower case. */
  readonly currency: string
  readonly payment: 'manual' | 'stripe'
  readonly state: PurchaseState
  readonly operator: string | null
  /** The operator's reason for a refusal. */
  readonly reason: string | null
  /** Whether its credits were granted. */
  readonly isGranted: boolean
  /** A plan that is paid and begins when the running cycle ends. */
  readonly isInAdvance: boolean
  /** The id of its Checkout session. */
  readonly checkout: string | null
  /** The page on which the customer pays. */
  readonly checkoutUrl: string | null
  /** How often Stripe refused to create a Checkout session. */
  readonly refusedCheckouts: number
  readonly paymentIntent: string | null
  readonly createdAt: Date
  /** When it was paid, refused, cancelled, or failed. */
  readonly closedAt: Date | null
}

/** `open`: it waits for the operator or the payment. */
export type PurchaseState = 'open' | 'paid' | 'refused' | 'cancelled' | 'failed'
export const PURCHASE_STATES = ['open', 'paid', 'refused', 'cancelled', 'failed'] as const

const SELECT_PURCHASES = `
  select p.id, p.account_id as "accountId", p.kind, p.item, p.credits, p.price, p.currency, p.payment, p.state, p.operator,
    p.reason, p.movement_id is not null as "isGranted", p.in_advance and p.movement_id is null as "isInAdvance", p.checkout,
    p.checkout_url as "checkoutUrl", p.refused_checkouts as "refusedCheckouts", p.payment_intent as "paymentIntent", p.created_at as "createdAt", p.closed_at as "closedAt"
  from purchases p`

/** undefined: there is no such purchase. */
export async function findPurchase(database: Queryable, id: string): Promise<Purchase | undefined> {
  const { rows } = await database.query<Purchase>(`${SELECT_PURCHASES} where p.id = $1`, [id])
  return rows[0]
}

/** A purchase of the account. `id` may be any text. */
export async function findOwnPurchase(
  database: Queryable,
  accountId: string,
  id: string,
): Promise<Purchase | undefined> {
  const { rows } = await database.query<Purchase>(
    `${SELECT_PURCHASES} where p.account_id = $1 and p.id::text = $2`,
    [accountId, id],
  )
  return rows[0]
}

/** All open purchases of an account and the last 50 others, latest first. */
export async function listOwnPurchases(database: Queryable, accountId: string): Promise<Purchase[]> {
  const { rows } = await database.query<Purchase>(
    `(${SELECT_PURCHASES} where p.account_id = $1 and p.state = 'open')
     union all
     (${SELECT_PURCHASES} where p.account_id = $1 and p.state <> 'open' order by p.created_at desc limit 50)
     order by "createdAt" desc, id`,
    [accountId],
  )
  return rows
}

export interface PurchaseFilter {
  readonly account?: string | undefined
  readonly state?: PurchaseState | undefined
  /** The maximum number of purchases to list. */
  readonly limit: number
}

/** Purchases of all accounts for the operator, with the email address of each account, latest first. */
export async function listPurchases(
  database: Queryable,
  { account, state, limit }: PurchaseFilter,
): Promise<(Purchase & { readonly email: string | null })[]> {
  const { rows } = await database.query<Purchase & { email: string | null }>(
    `select p.*, a.email from (${SELECT_PURCHASES}) p join accounts a on a.id = p."accountId"
     where ($1::uuid is null or p."accountId" = $1) and ($2::text is null or p.state = $2)
     order by p."createdAt" desc, p.id limit $3`,
    [account ?? null, state ?? null, limit],
  )
  return rows
}

/** Purchases per query. */
const PAGE_SIZE = 100
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000'

/**
 * Purchases whose state at Stripe can still matter, in pages: open and paid ones, and ones that the operator refused while they
 * could be paid. A withdrawn purchase cannot be paid, and one without a session was never shown.
 *
 * @param since the earliest time of the order
 */
export function stripePurchasePages(database: Queryable, since: Date): AsyncGenerator<readonly Purchase[]> {
  return keysetPages(
    BEFORE_ALL_IDS,
    ({ id }) => id,
    async (after) => {
      const { rows } = await database.query<Purchase>(
        `${SELECT_PURCHASES}
       where p.payment = 'stripe' and p.state in ('open', 'paid', 'refused') and p.checkout is not null
         and p.created_at >= $1 and p.id > $2
       order by p.id limit ${PAGE_SIZE}`,
        [since, after],
      )
      return rows
    },
  )
}

/** Locks the account of the purchase, which is always locked first, and returns the purchase. undefined: it does not exist. */
export async function lockPurchase(tx: Queryable, id: string): Promise<Purchase | undefined> {
  const found = await findPurchase(tx, id)
  if (!found) return undefined
  await tx.query('select from accounts where id = $1 for no key update', [found.accountId])
  await tx.query('select from purchases where id = $1 for update', [id])
  return findPurchase(tx, id)
}
