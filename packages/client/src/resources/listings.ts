import type { BodyOf, BoundingBox, HomeType, QueryOf, ResoProperty, SearchRow } from '../contract.ts'
import type { Core } from '../core/core.ts'
import type { CallOptions } from '../options.ts'
import { type ResoResult, type Result, readReceipt } from '../result.ts'
import { type AsyncRows, type Pages, withPages, withRows } from '../rows.ts'
import { type FoundText, type SearchCall, searchCall } from '../search-call.ts'
import { createText, type TextFormat, textMeta } from '../text.ts'
import type { Jobs } from './jobs.ts'

type WireQuery = Omit<QueryOf<'/v1/listings'>, 'format' | 'shape'>

/** The query of GET /v1/listings; the box and the home types may be written as in a search. */
export type ListingsQuery = Partial<Omit<WireQuery, 'bbox' | 'home_types'>> & {
  /** `west,south,east,north`, or the same as an object. */
  bbox?: string | BoundingBox | undefined
  home_types?: string | readonly HomeType[] | undefined
}

export type ListingsResult = Result<BodyOf<'/v1/listings', 'get'>>

/** Listings by status: three searches that fix it, and one small search by GET. */
export class Listings {
  readonly #core: Core

  /** `search.run` for homes for sale. */
  readonly forSale: SearchCall
  /** `search.run` for homes for rent. */
  readonly forRent: SearchCall
  /** `search.run` for sold homes. */
  readonly sold: SearchCall

  /** @internal */
  constructor(core: Core, jobs: Jobs) {
    this.#core = core
    this.forSale = searchCall(core, jobs, '/v1/listings/for-sale')
    this.forRent = searchCall(core, jobs, '/v1/listings/for-rent')
    this.sold = searchCall(core, jobs, '/v1/listings/sold')
  }

  /** Up to 50 listings of a place on the map, a ZIP code or a city: awaited, the answer; iterated, the rows. 1 credit for each row, at least 1. */
  list<Format extends TextFormat>(
    query: ListingsQuery & { format: Format; shape: 'reso' } & CallOptions,
  ): Promise<FoundText<Format, ResoProperty>>
  list(query: ListingsQuery & { shape: 'reso' } & CallOptions): AsyncRows<ResoResult, ResoProperty>
  list<Format extends TextFormat>(
    query: ListingsQuery & { format: Format } & CallOptions,
  ): Promise<FoundText<Format>>
  list(query: ListingsQuery & CallOptions): AsyncRows<ListingsResult, SearchRow>
  list(query: ListingsQuery & { format?: TextFormat; shape?: 'reso' } & CallOptions): unknown {
    const { signal, timeoutMs, maxRetries, maxCredits, headers, bbox, home_types, format, ...filters } = query
    const options = { signal, timeoutMs, maxRetries, maxCredits, headers }
    const asked = {
      ...filters,
      bbox: typeof bbox === 'object' ? `${bbox.west},${bbox.south},${bbox.east},${bbox.north}` : bbox,
      home_types: typeof home_types === 'object' ? home_types.join(',') : home_types,
      format,
    } as QueryOf<'/v1/listings'>
    if (format) return this.#text(asked, format, options)
    const answer = this.#core.get('/v1/listings', { query: asked, repetition: 'charges' }, options)
    async function* rows() {
      yield* (await answer).data
    }
    return withRows<ListingsResult, SearchRow>(answer, rows)
  }

  /**
   * The rows of a search, page by page, in the order of `sort` (default: `newest`). Each page costs 1 credit for each row, at
   * least 1. Awaited, it is the first page.
   */
  pages(query: Omit<ListingsQuery, 'cursor'> & CallOptions): Pages<ListingsResult, SearchRow> {
    const ask = (cursor?: string) =>
      this.list({ sort: 'newest', ...query, ...(cursor !== undefined && { cursor }) })
    return withPages<ListingsResult, SearchRow>(
      ask(),
      ({ meta }) => (meta.next_cursor === undefined ? undefined : ask(meta.next_cursor)),
      ({ zpid }) => zpid,
    )
  }

  async #text(query: QueryOf<'/v1/listings'>, format: TextFormat, options: CallOptions): Promise<unknown> {
    const question = { query, repetition: 'charges' } as const
    const { headers, body } = await this.#core.ask('get', '/v1/listings', question, options, true)
    const bytes = (body ?? new Blob().stream()) as ReadableStream<Uint8Array>
    return createText(format, bytes, readReceipt(headers), textMeta(headers))
  }
}
