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

/** Ids of the calls whose answers were seen: of a call whose client has hung up, no check can say what it should have been. */
export const seenIds = ({ answer }: Pick<Records, 'answer'>) =>
  new Set(answer.map(({ requestId }) => requestId))

export const chargedCall = (books: Changeable<Books>, records: Pick<Records, 'answer'>) => {
  const seen = seenIds(records)
  return first(
    books.usage,
    ({ credits_charged, status_code, request_id }) =>
      credits_charged > 0 && status_code === 200 && seen.has(request_id),
  )
}

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
  const [books, records] = [copyOf(evidence.books), copyOf(evidence.records)]
  const feed = {
    books: copyOf(evidence.feed.books),
    records: copyOf(evidence.feed.records),
    remote: copyOf(evidence.feed.remote),
  }
  change?.(books.view, records.view, evidence)
  changeFeed?.(feed.books.view, feed.records.view, feed.remote.view)
  return judge({
    ...evidence,
    books: books.changed(),
    records: records.changed(),
    feed: {
      ...evidence.feed,
      books: feed.books.changed(),
      records: feed.records.changed(),
      remote: feed.remote.changed(),
    },
  } as Evidence)
}

interface Copy<T> {
  readonly view: Changeable<T>
  /** Tables that the plant did not read are those of the original. */
  changed(): T
}

/** A copy of the tables that a plant reads, made when it does: a copy of all of them takes a second. */
function copyOf<T extends object>(tables: T): Copy<T> {
  const copies: Partial<T> = {}
  const view = new Proxy(tables, {
    get: (_, name) => {
      const table = name as keyof T
      if (!(table in copies)) copies[table] = structuredClone(tables[table])
      return copies[table]
    },
    set: (_, name, value) => Reflect.set(copies, name, value),
  })
  return { view: view as Changeable<T>, changed: () => ({ ...tables, ...copies }) }
}
