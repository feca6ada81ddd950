// A batch of listings to write to the database with one statement, each home once.

import { LISTING_COLUMNS, type ListingColumns } from '../sources/dataset/listing-columns.ts'

// A batch of this size fits into the socket's buffer, and the database works on it while the next one is read. Larger batches wait until
// the next one was read, which was measured to be a quarter slower.
const BATCH_ROWS = 250
const BATCH_CHARACTERS = 128 * 1024

/**
 * Columns that are never null and mostly have one value in a batch. This value is a parameter of its own, behind the others, and null in
 * the column represents it.
 */
const SHARED = ['source', 'kind', 'saleType'] as const satisfies readonly (keyof ListingColumns)[]
const FIRST_SHARED = LISTING_COLUMNS.length + 2

/** The columns of the table that come from a record, each with its expression over a batch. */
const STORED: ReadonlyMap<string, string> = new Map([
  ['location', 'point(longitude, latitude) as location'],
  ...LISTING_COLUMNS.filter(({ field }) => field !== 'longitude' && field !== 'latitude').map(
    ({ field, column, type }): [string, string] => {
      const shared = (SHARED as readonly string[]).indexOf(field)
      if (shared !== -1) return [column, sharedOr(column, shared)]
      return [column, type === 'boolean' ? orFalse(column) : column]
    },
  ),
])

/** The names of the columns of the table that come from a record. */
export const STORED_COLUMNS: readonly string[] = [...STORED.keys()]
export const COLUMNS = STORED_COLUMNS.join(', ')

/**
 * Selects a batch, given as the parameters, as rows of `position` and `COLUMNS`. A column is one text, with a line for each listing and an
 * empty line for null. That is twice as fast as an array of texts, which pg would quote and PostgreSQL unquote character by character. No
 * text can be empty or contain a line break: the texts are ids, words, addresses in their normal form, and JSON. Each value costs
 * PostgreSQL 0.3 µs, so a column that is null in all rows is an empty text, which unnest fills with nulls, and null also represents false.
 */
export const GIVEN = `
  select position, ${[...STORED.values()].join(', ')}
  from unnest(${['bigint', ...LISTING_COLUMNS.map(({ type }) => type)].map(arrayOf).join(', ')})
    as given (position, ${LISTING_COLUMNS.map(({ column }) => column).join(', ')})`

function sharedOr(column: string, at: number): string {
  return `coalesce(${column}, $${FIRST_SHARED + at}::text) as ${column}`
}

function orFalse(column: string): string {
  return `coalesce(${column}, false) as ${column}`
}

function arrayOf(type: string, at: number): string {
  return `string_to_array($${at + 1}, E'\\n', '')::${type}[]`
}

export class ListingBatch {
  #positions: number[] = []
  #listings: ListingColumns[] = []
  #places = new Map<string, number>()
  #characters = 0

  /** The number of homes in the batch. */
  get size(): number {
    return this.#listings.length
  }

  get isFull(): boolean {
    return this.#listings.length >= BATCH_ROWS || this.#characters >= BATCH_CHARACTERS
  }

  /**
   * `position` rises from row to row. If several rows have the same zpid, the last one counts, at the position of the first. The database
   * knows whether the first repeats a home of an earlier batch. Returns whether the batch already had the home.
   */
  add(position: number, listing: ListingColumns): boolean {
    const known = this.#places.get(listing.zpid)
    const place = known ?? this.#listings.length
    this.#places.set(listing.zpid, place)
    this.#positions[place] ??= position
    this.#listings[place] = listing
    this.#characters += listing.record.length + listing.summary.length
    return known !== undefined
  }

  /** The parameters of `GIVEN`. The batch must not be empty. */
  parameters(): readonly string[] {
    const [first] = this.#listings
    const shared = SHARED.map((name) => first![name])
    const columns = LISTING_COLUMNS.map(({ field }) => {
      const at = (SHARED as readonly string[]).indexOf(field)
      return columnOf(this.#listings, field, at === -1 ? null : shared[at]!)
    })
    return [this.#positions.join('\n'), ...columns, ...shared]
  }
}

/** The values of a column, a line for each, empty for null, false, and `assumed`. */
function columnOf(
  listings: readonly ListingColumns[],
  name: keyof ListingColumns,
  assumed: string | null,
): string {
  const isSaid = (value: unknown) => value !== null && value !== false && value !== assumed
  if (!listings.some((listing) => isSaid(listing[name]))) return ''
  return listings.map((listing) => (isSaid(listing[name]) ? listing[name] : '')).join('\n')
}
