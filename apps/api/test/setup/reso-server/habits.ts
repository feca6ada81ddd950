// Habits of real servers that lose records, or never end, unless a client expects them.

import type { ODataQuery, Row } from './odata.ts'

export interface ServerHabits {
  /** Sorts by the first field of `$orderby` alone: rows that are equal in it come in another order with each request. */
  readonly sortsByFirstFieldOnly?: boolean
  /** Rows to skip are miscounted by up to this number, differently with each request: pages overlap, and leave gaps. */
  readonly skipsWrongBy?: number
  readonly ignoresSkip?: boolean
  /** Each page with rows is followed by an empty one that names the next. */
  readonly alternatesEmptyPages?: boolean
  /** The last page names the first one again, under another address. */
  readonly loops?: boolean
  /** Its `@odata.count` is this much above the true number. null: it states none. */
  readonly countsWrongBy?: number | null
  /** Answers 400 to a query for the rows behind a key. */
  readonly refusesKeyRanges?: boolean
  /** Sends the rows of all keys if it is asked for those behind a key. */
  readonly ignoresKeyRanges?: boolean
  /** The ways in which it can be asked for rows by key. It answers 400 to others. Default: all. */
  readonly byKey?: readonly ('in' | 'or' | 'address')[]
  /** Answers questions by key with no row, and without an error. */
  readonly ignoresKeys?: boolean
}

/** The sequence of the server's accidents. A test sets it, so that its run can be repeated. */
let state = 1

export function seedHabits(seed: number): void {
  state = seed >>> 0 || 1
}

function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

/** Why the server refuses a filter. undefined: it does not. */
export function refusalOf(filter: string | null, habits: ServerHabits): string | undefined {
  if (filter === null) return undefined
  if (habits.refusesKeyRanges && / gt '/.test(filter)) return 'keys have no order'
  const form = /ListingKey in \(/.test(filter) ? 'in' : /ListingKey eq /.test(filter) ? 'or' : undefined
  if (form && habits.byKey && !habits.byKey.includes(form)) return `no ${form} for keys`
  return undefined
}

/** The filter that the server sees. */
export function seenFilter(filter: string | null, habits: ServerHabits): string | null {
  if (filter === null) return null
  if (habits.ignoresKeys && /ListingKey (?:in|eq) /.test(filter)) return "ListingKey eq ''"
  if (!habits.ignoresKeyRanges) return filter
  return filter.replace(/(?: and )?ListingKey gt '[^']*'/, '').replace(/^ and /, '') || null
}

/** The rows in the order of this request. */
export function disordered(
  rows: readonly Row[],
  { orderby }: ODataQuery,
  habits: ServerHabits,
): readonly Row[] {
  const [first, second] = orderby
  if (!habits.sortsByFirstFieldOnly || first === undefined || second === undefined) return rows
  const result: Row[] = []
  for (let from = 0; from < rows.length; ) {
    let to = from + 1
    while (to < rows.length && rows[to]![first] === rows[from]![first]) to += 1
    const equal = rows.slice(from, to)
    for (let at = equal.length - 1; at > 0; at--) {
      const other = random(at + 1)
      ;[equal[at], equal[other]] = [equal[other]!, equal[at]!]
    }
    result.push(...equal)
    from = to
  }
  return result
}

/** The number of rows that the server skips when it was asked to skip `asked`. */
export function skippedRows(asked: number, { ignoresSkip, skipsWrongBy = 0 }: ServerHabits): number {
  if (ignoresSkip) return 0
  return asked === 0 ? 0 : Math.max(0, asked - skipsWrongBy + random(2 * skipsWrongBy + 1))
}

/** The first page under another address, for the last page to name. undefined: the last page names none. */
export function behindLast(url: URL, { loops }: ServerHabits): string | undefined {
  if (!loops) return undefined
  const again = new URL(url)
  again.searchParams.delete('$skip')
  again.searchParams.delete('$skiptoken')
  again.searchParams.set('loop', String(Number(url.searchParams.get('loop') ?? 0) + 1))
  return again.href
}

/** A page without rows that names the same page with them. undefined: the server sends the rows. */
export function emptyPageBefore(url: URL, { alternatesEmptyPages }: ServerHabits): object | undefined {
  if (!alternatesEmptyPages || url.searchParams.has('full')) return undefined
  const full = new URL(url)
  full.searchParams.set('full', 'true')
  return { value: [], '@odata.nextLink': full.href }
}
