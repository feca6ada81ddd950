// The homes that are kept for undos of imports.

import type { Queryable } from '../../infrastructure/database.ts'

export interface ReplacedListings {
  /** A home counts once for each import. */
  readonly homes: number
  /** The size of the table with its indexes, in bytes. */
  readonly bytes: number
}

const COUNT = `
  select count(*) as homes, pg_total_relation_size('replaced_listings') as bytes from replaced_listings`

export async function countReplaced(database: Queryable): Promise<ReplacedListings> {
  return (await database.query<ReplacedListings>(COUNT)).rows[0]!
}
