// Orders in the safety journal: they are lost in a restore, and the operator must know of them.

import { type Queryable, writeToJournal } from '../../infrastructure/database.ts'

interface OrderRow {
  readonly account: string
  readonly credits: number
  readonly state: string
}

/** Writes the state of an order to the journal, in the transaction that has stored it. */
export async function journalOrder(
  tx: Queryable,
  kind: 'order_placed' | 'order_closed',
  id: string,
): Promise<void> {
  const { rows } = await tx.query<OrderRow>(
    'select account_id as account, credits, state from purchases where id = $1',
    [id],
  )
  await writeToJournal(
    tx,
    rows.map((row) => ({ kind, order: id, ...row })),
  )
}
