// The part of OData 4 that feeds of the RESO Web API speak: $filter, $orderby, $top, $skip, $skiptoken, $select, $expand and
// $count over records in memory.

export type Row = Readonly<Record<string, unknown>>

type RowPredicate = (row: Row) => boolean

/** A query that the server does not understand. */
export class BadQuery extends Error {}

const TOKENS = /\s*(\(|\)|,|'(?:[^']|'')*'|[^\s(),']+)/gy

/** `A eq 'x' and (B ge 2026-11-22T08:00:00Z or C in ('a','b'))`. */
export function parseFilter(text: string): RowPredicate {
  const tokens = [...text.matchAll(TOKENS)].map((match) => match[1]!)
  let at = 0
  const next = () => tokens[at++] ?? ''
  function either(): RowPredicate {
    const tests = [both()]
    while (tokens[at] === 'or') {
      at++
      tests.push(both())
    }
    return (row) => tests.some((test) => test(row))
  }
  function both(): RowPredicate {
    const tests = [one()]
    while (tokens[at] === 'and') {
      at++
      tests.push(one())
    }
    return (row) => tests.every((test) => test(row))
  }
  function one(): RowPredicate {
    if (tokens[at] === '(') {
      at++
      const test = either()
      if (next() !== ')') throw new BadQuery(`no ) in ${text}`)
      return test
    }
    const [field, operator] = [next(), next()]
    if (operator === 'in') {
      if (next() !== '(') throw new BadQuery(`no ( in ${text}`)
      const values: unknown[] = []
      for (;;) {
        values.push(literal(next()))
        const separator = next()
        if (separator === ')') break
        if (separator !== ',') throw new BadQuery(`no list in ${text}`)
      }
      return (row) => values.includes(row[field])
    }
    const value = literal(next())
    const compare = OPERATORS[operator]
    if (!compare) throw new BadQuery(`no operator ${operator} in ${text}`)
    return (row) => compare(order(row[field], value))
  }
  const test = either()
  if (at < tokens.length) throw new BadQuery(`more than a condition in ${text}`)
  return test
}

const OPERATORS: Readonly<Record<string, (difference: number) => boolean>> = {
  eq: (difference) => difference === 0,
  ne: (difference) => difference !== 0,
  gt: (difference) => difference > 0,
  ge: (difference) => difference >= 0,
  lt: (difference) => difference < 0,
  le: (difference) => difference <= 0,
}

function literal(text: string): unknown {
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'")
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  return /^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(Number(text)) ? text : Number(text)
}

/** Times are compared as such, with all their digits; NaN: they cannot be compared. */
export function order(one: unknown, other: unknown): number {
  if (one === other) return 0
  if (isTime(one) && isTime(other)) {
    const difference = Date.parse(one) - Date.parse(other)
    return difference !== 0 ? difference : fraction(one) - fraction(other)
  }
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : 1
  return Number.NaN
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
}

function fraction(time: string): number {
  return Number((/\.(\d+)/.exec(time)?.[1] ?? '0').padEnd(9, '0'))
}

export interface ODataQuery {
  readonly filter: string | null
  readonly orderby: readonly string[]
  readonly top: number | undefined
  readonly skip: number
  /** Behind which row to go on: its values of `orderby`. */
  readonly after: readonly unknown[] | undefined
  readonly select: readonly string[] | undefined
  readonly expand: readonly string[]
  readonly count: boolean
}

export function readQuery(parameters: URLSearchParams): ODataQuery {
  const list = (name: string) =>
    parameters
      .get(name)
      ?.split(',')
      .map((part) => part.trim())
  const token = parameters.get('$skiptoken')
  return {
    filter: parameters.get('$filter'),
    orderby: list('$orderby') ?? ['ListingKey'],
    top: parameters.has('$top') ? Number(parameters.get('$top')) : undefined,
    skip: Number(parameters.get('$skip') ?? 0),
    after: token === null ? undefined : JSON.parse(Buffer.from(token, 'base64url').toString()),
    select: list('$select'),
    expand: list('$expand') ?? [],
    count: parameters.get('$count') === 'true',
  }
}

/** All rows that the query matches, in its order, before paging. */
export function findRows(rows: Iterable<Row>, { filter, orderby }: ODataQuery): Row[] {
  const test = filter === null ? () => true : parseFilter(filter)
  return [...rows].filter(test).sort((one, other) => compareRows(one, other, orderby))
}

export function compareRows(one: Row, other: Row, fields: readonly string[]): number {
  for (const field of fields) {
    const difference = order(one[field], other[field])
    if (difference !== 0) return difference
  }
  return 0
}
