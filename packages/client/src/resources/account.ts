import type { BodyOf, EstimateRequest, QueryOf, UsageRow } from '../contract.ts'
import { type Core, toResult } from '../core/core.ts'
import type { CallOptions } from '../options.ts'
import type { Result } from '../result.ts'
import { type Pages, withPages } from '../rows.ts'

export type UsageQuery = Partial<QueryOf<'/v1/usage'>>
export type UsageSummaryQuery = Partial<Omit<QueryOf<'/v1/usage/summary'>, 'format'>>
export type UsagePage = Result<BodyOf<'/v1/usage', 'get'>>

/** The rows of a page that is asked for without a limit. */
const USUAL_PAGE = 100
const LARGEST_PAGE = 1_000

/** The account behind the key. Everything here is free. */
export class AccountResource {
  readonly #core: Core

  /** @internal */
  constructor(core: Core) {
    this.#core = core
  }

  /** Plan, rate limit and credits. */
  me(options: CallOptions = {}): Promise<Result<BodyOf<'/v1/me', 'get'>>> {
    return this.#core.get('/v1/me', {}, options)
  }

  /** What a call would cost now, without making it. `max_credits` and `maxCredits` in its input limit it. */
  estimate(
    call: EstimateRequest,
    options: CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/estimate', 'post'>>> {
    return this.#core
      .ask('post', '/v1/estimate', { body: call }, options)
      .then(toResult<BodyOf<'/v1/estimate', 'post'>>)
  }

  /** What was spent on what, a row for each call, the latest first: a page when awaited, all rows when iterated. */
  usage(query: UsageQuery & CallOptions = {}): Pages<UsagePage, UsageRow> {
    const { since, limit, cursor, offset = 0, ...options } = query
    const behind = (cursor: string | undefined, most: number) =>
      this.#core.get('/v1/usage', { query: { since, limit: most, cursor } }, options)
    const ask = (at: number, most: number) =>
      this.#core.get('/v1/usage', { query: { since, limit: most, offset: at } }, options)
    return withPages<UsagePage, UsageRow>(
      cursor === undefined ? ask(offset, limit ?? USUAL_PAGE) : behind(cursor, limit ?? USUAL_PAGE),
      ({ data, meta }, read) => {
        if (meta.next_cursor !== undefined) return behind(meta.next_cursor, limit ?? LARGEST_PAGE)
        if (cursor !== undefined) return undefined
        const isFirst = read === data.length
        const wanted = limit ?? (isFirst ? USUAL_PAGE : LARGEST_PAGE)
        return data.length < wanted ? undefined : ask(offset + read, limit ?? LARGEST_PAGE)
      },
      // Each page that is read adds a row of its own at the head.
      ({ id }) => id,
    )
  }

  /** The usage in sums by day, operation, key or status. */
  usageSummary(
    query: UsageSummaryQuery & CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/usage/summary', 'get'>>> {
    const { by, since, until, ...options } = query
    return this.#core.get('/v1/usage/summary', { query: { by, since, until } }, options)
  }
}
