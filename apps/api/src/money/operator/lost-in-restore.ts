// Finds what a restore has lost, as far as the safety journal knows: what was created after the backup and is not in the restored database.

import type {
  FoldedJournal,
  JournaledCredits,
  JournaledOrder,
  Queryable,
} from '../../infrastructure/database.ts'

export interface LostInRestore {
  readonly accounts: readonly string[]
  readonly keys: readonly { readonly key: string; readonly account: string }[]
  /** Orders that were placed after the backup. */
  readonly orders: readonly ({ readonly order: string } & JournaledOrder)[]
  /** Orders of the backup whose payment, refusal, or cancellation is lost. */
  readonly orderStates: readonly ({ readonly order: string } & JournaledOrder)[]
  /** Top-ups, adjustments, refunds, and credits of purchases. */
  readonly credits: readonly JournaledCredits[]
}

const KNOWN_IDS = (table: string) => `select id::text as id from ${table} where id = any($1::uuid[])`
const KNOWN_CREDITS = `
  select account_id || ' ' || movement_id as id, amount as credits, kind as by from operator_entries
  where account_id = any($1::uuid[])`

/** Call it after the restore. */
export async function findLost(
  database: Queryable,
  journal: Pick<FoldedJournal, 'createdAccounts' | 'createdKeys' | 'orders' | 'credits'>,
): Promise<LostInRestore> {
  const { createdAccounts, createdKeys, orders, credits } = journal
  const missing = async (table: string, ids: readonly string[]) => {
    const { rows } = await database.query<{ id: string }>(KNOWN_IDS(table), [ids])
    const known = new Set(rows.map(({ id }) => id))
    return ids.filter((id) => !known.has(id))
  }
  const states = await database.query<{ id: string; state: string }>(
    'select id::text as id, state from purchases where id = any($1::uuid[])',
    [[...orders.keys()]],
  )
  const stateOf = new Map(states.rows.map(({ id, state }) => [id, state]))
  const entries = await database.query<{ id: string; credits: number; by: string }>(KNOWN_CREDITS, [
    [...new Set([...credits.values()].map(({ account }) => account))],
  ])
  const known = new Map(entries.rows.map((row) => [row.id, row]))
  const listed = [...orders].map(([order, facts]) => ({ order, ...facts }))
  return {
    accounts: await missing('accounts', [...createdAccounts]),
    keys: (await missing('api_keys', [...createdKeys.keys()])).map((key) => ({
      key,
      account: createdKeys.get(key)!,
    })),
    orders: listed.filter(({ order }) => !stateOf.has(order)),
    orderStates: listed.filter(
      ({ order, state }) => stateOf.has(order) && stateOf.get(order) !== state && state !== 'open',
    ),
    // A number of the ledger can be used again after a restore, for another entry.
    credits: [...credits].flatMap(([id, entry]) => {
      const found = known.get(id)
      return found?.credits === entry.credits && found.by === entry.by ? [] : [entry]
    }),
  }
}
