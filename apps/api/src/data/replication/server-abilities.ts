// How a feed's server can be asked: learned from its responses, and remembered with the source, so that each run does not try again.

import type { Queryable } from '../../infrastructure/database.ts'
import { FeedFailure } from './upstream.ts'

/**
 * A way to ask for records by key.
 *
 * - `in`: `ListingKey in ('a','b')`
 * - `or`: `ListingKey eq 'a' or ListingKey eq 'b'`
 * - `address`: one call for each record, `Property('a')`
 */
export type KeyQueryForm = 'in' | 'or' | 'address'

/** Undefined fields are not known yet. */
export interface ServerAbilities {
  readonly byKey?: KeyQueryForm
  /** The server refused, or ignored, a query for the records behind a key (`ListingKey gt 'a'`). */
  readonly keyRanges?: 'refused'
}

/** The abilities of the server of one run. */
export interface KnownAbilities {
  readonly current: ServerAbilities
  learn(change: ServerAbilities): Promise<void>
}

/** Reads what earlier runs have learned about the server of a source. */
export async function readAbilities(database: Queryable, name: string): Promise<KnownAbilities> {
  const { rows } = await database.query<{ abilities: ServerAbilities }>(
    'select server_abilities as abilities from connected_sources where name = $1',
    [name],
  )
  let current = rows[0]?.abilities ?? {}
  return {
    get current() {
      return current
    },
    async learn(change) {
      current = { ...current, ...change }
      await database.query(
        'update connected_sources set server_abilities = server_abilities || $2 where name = $1',
        [name, JSON.stringify(change)],
      )
    },
  }
}

/** Whether the server does not understand a query, as opposed to being out of reach. */
export function isUnsupported(error: unknown): boolean {
  return error instanceof FeedFailure && [400, 404, 405, 414, 422, 500, 501].includes(error.status ?? 0)
}
