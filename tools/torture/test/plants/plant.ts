// A fault that is planted into honest evidence, and how: it says which checks must name it.

import { type Books, readBooks } from '../../src/audit/books.ts'
import type { CheckName } from '../../src/audit/checks/index.ts'
import type { Evidence } from '../../src/audit/evidence.ts'
import type { FeedBooks } from '../../src/audit/feed-evidence.ts'
import type { FeedRecords } from '../../src/feed/records.ts'
import type { Records } from '../../src/log.ts'

export type Changeable<T> = T extends readonly (infer One)[]
  ? Changeable<One>[]
  : T extends object
    ? { -readonly [Name in keyof T]: Changeable<T[Name]> }
    : T

export interface Plant {
  readonly name: string
  readonly named: readonly CheckName[]
  /** Changes copies of the books and records. */
  readonly change?: (books: Changeable<Books>, records: Changeable<Records>, evidence: Evidence) => void
  /** Changes copies of what is known of the feed. */
  readonly changeFeed?: (
    books: Changeable<FeedBooks>,
    records: Changeable<FeedRecords>,
    remote: Changeable<FeedBooks>,
  ) => void
  /** Changes the database, in a transaction that is rolled back; the books are read anew. */
  readonly statements?: (evidence: Evidence) => readonly string[]
  /** Puts other things in place of the evidence's. */
  readonly replace?: (evidence: Evidence, directory: string) => Promise<Partial<Evidence>>
}

/** The first that fits. Throws when there is none: the honest run was too poor. */
export function first<T>(all: readonly T[], fits: (one: T, at: number) => boolean): T {
  const found = all.find(fits)
  if (found === undefined) throw new Error('The run has nothing that this fault could be planted in.')
  return found
}

export function remove<T>(all: T[], one: T): void {
  all.splice(all.indexOf(one), 1)
}

export const chargedCall = (books: Changeable<Books>) =>
  first(books.usage, ({ credits_charged, status_code }) => credits_charged > 0 && status_code === 200)

/** The evidence with the fault in it, for as long as `judge` takes. */
export async function withPlanted<T>(
  evidence: Evidence,
  { change, changeFeed, statements, replace }: Plant,
  directory: string,
  judge: (evidence: Evidence) => Promise<T>,
): Promise<T> {
  if (statements) {
    await evidence.query('begin')
    try {
      for (const statement of statements(evidence)) await evidence.query(statement)
      return await judge({ ...evidence, books: await readBooks(evidence.query) })
    } finally {
      await evidence.query('rollback')
    }
  }
  if (replace) return judge({ ...evidence, ...(await replace(evidence, directory)) })
  const books = structuredClone(evidence.books) as Changeable<Books>
  const records = structuredClone(evidence.records) as Changeable<Records>
  const { lotline } = evidence.feed
  const feed = {
    ...{ lotline, books: structuredClone(evidence.feed.books) },
    remote: structuredClone(evidence.feed.remote),
    records: structuredClone(evidence.feed.records),
  }
  change?.(books, records, evidence)
  changeFeed?.(
    feed.books as Changeable<FeedBooks>,
    feed.records as Changeable<FeedRecords>,
    feed.remote as Changeable<FeedBooks>,
  )
  return judge({ ...evidence, books, records, feed } as Evidence)
}
