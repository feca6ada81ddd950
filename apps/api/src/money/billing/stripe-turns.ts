// Turns at Stripe. A turn is one thing that a customer causes there: the session of an order is made, is asked for its payment, or is
// ended. An account has one turn at a time, and a bounded number in an hour and a day. They are in the database, so all
// processes share them and a restart resets none. What Stripe sends by itself needs no turn.

import { type Budget, type Database, takeBudget } from '../../infrastructure/database.ts'

/** Turns of one account. A turn is up to three requests, each repeated up to twice if it fails. An order that is paid takes two turns. */
export const STRIPE_TURNS = { kind: 'stripe_turns', perHour: 60, perDay: 300 } as const satisfies Budget
/** Longer than any turn: up to three requests, each of which is repeated twice and takes up to 10 seconds. */
const MAX_TURN_LENGTH = '2 minutes'

export interface StripeTurns {
  /** Does the work in the account's turn. `busy`: another request of the account is under way, or it has caused too many. */
  take<T>(accountId: string, work: () => Promise<T>): Promise<T | 'busy'>
  /** Whether a request of the account is under way, in any process. */
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

  /** The token of the turn. undefined: there is none to be had now. */
  async function begin(accountId: string): Promise<string | undefined> {
    // An account that has a turn, or has none left, writes nothing, however often it tries.
    if (await isTaken(accountId)) return undefined
    return database.transaction(async (tx) => {
      // A second request at the same moment waits here until the first one is committed. It counts, and finds the turn of the first.
      if ((await takeBudget(tx, [STRIPE_TURNS, accountId])) !== undefined) return undefined
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
