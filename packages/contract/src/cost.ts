/**
 * What a call may cost, from its input. This is the only place that says so: refusals with 402, the credits that a job
 * holds, the rows that a result is cut to, and estimates all come from here, and from the prices in `price.ts`.
 */
import { type OperationId, operations } from './generated/operations.ts'
import type { Input } from './handlers.ts'
import { maxHomesWithDetails, maxRowsOfSearch } from './limits.ts'
import type { Stage } from './operation.ts'
import { priceOfStage, priceOfStages } from './price.ts'

/** Amounts are in credits. */
export interface Cost {
  /** The minimum cost of a successful call with this input. */
  readonly min: number
  /** The maximum cost. null if it is unknown before the work is done. */
  readonly max: number | null
}

/** The number of rows of a stage. `max` is null if it is unknown. */
interface Rows {
  readonly min: number
  readonly max: number | null
}

type RowsOf<K extends OperationId> = (input: Input<K>) => Rows | ((stage: Stage) => Rows)

const ONE_ROW: Rows = { min: 1, max: 1 }
const ANY_ROWS: Rows = { min: 0, max: null }
const upTo = (max: number | null): Rows => ({ min: 0, max })
const searchRows = ({ body }: Pick<Input<'searchListings'>, 'body'>) => upTo(maxRowsOfSearch(body) ?? null)

/** The number of rows that each operation may return, unless it is exactly one. */
const ROW_COUNTS: { readonly [K in OperationId]?: RowsOf<K> } = {
  getPropertyByUrl: ({ query }) =>
    query.extract_units === 'disabled' || isHomeUrl(query.url) ? ONE_ROW : ANY_ROWS,
  // A watch is free to create. Its events are charged when they are written.
  createWatch: () => upTo(0),
  createPropertyBatch: ({ body }) => {
    const { maxItems = null } = body
    if (body.extractBuildingUnits !== 'disabled') return upTo(maxItems)
    const entries = (body.urls?.length ?? 0) + (body.addresses?.length ?? 0)
    return upTo(maxItems === null ? entries : Math.min(entries, maxItems))
  },
  getBuildingUnits: () => ANY_ROWS,
  searchListings: searchRows,
  searchForSale: searchRows,
  searchForRent: searchRows,
  searchSold: searchRows,
  listListings: ({ query }) => upTo(query.max_items),
  searchWithDetails: ({ body }) => {
    const homes = body.maxItems ?? maxHomesWithDetails(body.extractionMethod)
    // A building among the homes may have any number of units, each of which is a record.
    return (stage) => upTo(stage === 'detail' && body.extractBuildingUnits !== 'disabled' ? null : homes)
  },
}

/**
 * What a call may cost, in credits.
 *
 * @param input as the handler gets it: validated, with defaults. A caller that has left out repeated entries of a batch passes
 * the input without them: they cost nothing.
 */
export function cost<K extends OperationId>(operation: K, input: Input<K>): Cost {
  const rows = ROW_COUNTS[operation]?.(input) ?? ONE_ROW
  const rowsOf = typeof rows === 'function' ? rows : () => rows
  let min = 0
  let max: number | null = 0
  for (const priced of operations[operation].price.stages) {
    const { min: least, max: most } = rowsOf(priced.stage)
    min += priceOfStage(priced, least)
    const isBounded = most !== null || priced.per === 'call' || priced.price === 0
    max = max === null || !isBounded ? null : max + priceOfStage(priced, most ?? 0)
  }
  return { min, max }
}

/** The parts of a validated input that may limit its charge. */
interface LimitableInput {
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/**
 * The most that the client allows a call to cost, in credits: the smallest of the header `X-Max-Credits`, `maxCredits` of
 * the body and `max_credits` of the query. undefined: it set no limit.
 *
 * @param input as the handler gets it: validated
 */
export function readMaxCredits({ query, headers, body }: LimitableInput): number | undefined {
  const inBody = (body as { readonly maxCredits?: unknown } | undefined)?.maxCredits
  if (headers['x-max-credits'] === undefined && query.max_credits === undefined && inBody === undefined)
    return undefined
  const limits = [headers['x-max-credits'], query.max_credits, inBody].filter(
    (limit) => typeof limit === 'number',
  )
  return limits.length === 0 ? undefined : Math.min(...limits, Number.MAX_SAFE_INTEGER)
}

/**
 * What a job that is asked for `rows` rows costs when it finds all of them, in credits: that many in each of its stages.
 * With 1 row, it is the least that must be held for the job to begin.
 */
export function costOfRows(operation: OperationId, rows: number): number {
  return priceOfStages(operations[operation].price.stages, rows)
}

/** Whether the URL names one home. A URL of another kind may name a building. */
function isHomeUrl(url: string): boolean {
  return /^[a-z]+:\/\/[^/?#]+\/homedetails\//i.test(url)
}
