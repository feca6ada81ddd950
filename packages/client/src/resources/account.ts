import type { BodyOf, EstimateRequest, QueryOf, UsageRow, UsageSummaryRow } from '../contract.ts'
import { type Core, toResult } from '../core/core.ts'
import type { CallOptions } from '../options.ts'
import type { Result } from '../result.ts'
import { type Pages, withPages } from '../rows.ts'

export type UsageQuery = Partial<QueryOf<'/v1/usage'>>
export type UsageSummaryQuery = Partial<Omit<QueryOf<'/v1/usage/summary'>, 'format'>>
export type UsageSummaryPage = Result<BodyOf<'/v1/usage/summary', 'get'>>
export type UsagePage = Result<BodyOf<'/v1/usage', 'get'>>

const MAX_USAGE_PAGE_SIZE = 1_000

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
    const { since, limit, offset, cursor, ...options } = query
    const ask = (
      at: { offset?: number | undefined; cursor?: string | undefined },
      most: number | undefined,
    ) => this.#core.get('/v1/usage', { query: { since, limit: most, ...at } }, options)
    return withPages<UsagePage, UsageRow>(
      ask({ offset, cursor }, limit),
      ({ meta }) =>
        meta.next_cursor === undefined
          ? undefined
          : ask({ cursor: meta.next_cursor }, limit ?? MAX_USAGE_PAGE_SIZE),
      // Reading a page adds a usage row at the head of the list, so an offset would repeat a row.
      ({ id }) => id,
    )
  }

  /** The usage in sums by day, operation, key or status: a page when awaited, all sums when iterated. */
  usageSummary(query: UsageSummaryQuery & CallOptions = {}): Pages<UsageSummaryPage, UsageSummaryRow> {
    const { by, since, until, limit, cursor, ...options } = query
    const ask = (cursor: string | undefined) =>
      this.#core.get('/v1/usage/summary', { query: { by, since, until, limit, cursor } }, options)
    return withPages<UsageSummaryPage, UsageSummaryRow>(
      ask(cursor),
      ({ meta }) => (meta.next_cursor === undefined ? undefined : ask(meta.next_cursor)),
      ({ value }) => value,
    )
  }
}
