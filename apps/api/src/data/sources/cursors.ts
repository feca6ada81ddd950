// Cursors of searches: where a page begins in the order of its search (database/signed-cursors.ts).

import type { AreaSearch, RowKey, RowOrder } from '../../domain/search.ts'
import type { CursorValues, SignedCursors } from '../../infrastructure/database.ts'

/** The search that a cursor belongs to. */
export interface CursorScope {
  readonly search: AreaSearch
  readonly order: RowOrder
  /** The name of the provider. Another provider may return other rows. */
  readonly provider: string
}

/** Makes and reads the cursors of one search. */
export interface SearchCursors {
  write(key: RowKey): string
  /** `other`: the cursor was made for another search. `unknown`: it was not made with this database's key. */
  read(cursor: string): RowKey | 'other' | 'unknown'
}

export interface Cursors {
  of(scope: CursorScope): Promise<SearchCursors>
}

export function createCursors(cursors: SignedCursors): Cursors {
  return {
    async of({ search, order, provider }) {
      const own = await cursors.of([search, order, provider])
      return {
        write: ({ value, zpid, position }) => own.write([value, zpid, ...(position ?? [])]),
        read(cursor) {
          const values = own.read(cursor)
          return typeof values === 'string' ? values : rowKeyOf(values)
        },
      }
    },
  }
}

function rowKeyOf(values: CursorValues): RowKey {
  const [value, zpid, longitude, latitude] = values as [number | null, string, number?, number?]
  return {
    value,
    zpid,
    ...(longitude !== undefined && latitude !== undefined && { position: [longitude, latitude] as const }),
  }
}
