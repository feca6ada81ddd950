// Turns at Stripe, which limit the requests that customers cause. In a turn, the service creates, reads, or ends the Checkout
// session of an order. An account has one turn at a time, and a limited number per hour and per day. Turns are rows in the
// database, so all processes share them and a restart resets none. Events that Stripe sends need no turn.

// Why: decisions/money/turns-at-stripe.md

import { type Budget, type Database, takeBudget } from '../../infrastructure/database.ts'

/** Turns per account. A turn takes up to three requests, each repeated up to twice on failure. A paid order takes two turns. */
export const STRIPE_QUEUE = { kind: 'stripe_turns', perHour: 60, perDay: 300 } as const satisfies Budget
/** Longer than any turn: up to three requests, each repeated up to twice, with a timeout of 10 seconds. */
const MAX_TURN_LENGTH = '2 minutes'

export interface StripeTurns {
  /** Runs the work in the account's turn. `busy`: another turn of the account is under way, or its limit is used up. */
  take<T>(accountId: string, work: () => Promise<T>): Promise<T | 'busy'>
  /** Whether the account has a turn now, in any process. */
  isTaken(accountId: string): Promise<boolean>
}

export function createStripeTurns(database: Database): StripeTurns {
  async function isTaken(accountId: string): Promise<boolean> {
    const { rowCount } = await database.query(
      'select from stripe_turns where account_id = $1 and held_until > now()',
      [accountId],
    )
    return rowCount > 0
  }

  /** Returns the token of the turn. undefined: no turn is available now. */
  async function begin(accountId: string): Promise<string | undefined> {
    // The check before the transaction saves writes for an account whose turns are used up.
    if (await isTaken(accountId)) return undefined
    return database.transaction(async (tx) => {
      // A concurrent second request waits here until the first one is committed. It counts, and finds the turn of the first.
      if ((await takeBudget(tx, [STRIPE_QUEUE, accountId])) !== undefined) return undefined
      const { rows } = await tx.query<{ token: string }>(
        `insert into stripe_turns as t (account_id, token, held_until)
         values ($1, gen_random_uuid(), now() + interval '${MAX_TURN_LENGTH}')
         on conflict (account_id) do update set token = excluded.token, held_until = excluded.held_until
         where t.held_until <= now()
         returning token`,
        [accountId],
      )
      return rows[0]?.token
    })
  }

  return {
    async take(accountId, work) {
      const token = await begin(accountId)
      if (token === undefined) return 'busy'
      try {
        return await work()
      } finally {
        await database.query('delete from stripe_turns where account_id = $1 and token = $2', [
          accountId,
          token,
        ])
      }
    },
    isTaken,
  }
}
