import type { PropertyRow, SearchRow, WithDetailsRequest } from '../contract.ts'
import type { Core } from '../core/core.ts'
import { createIdempotencyKey, type JobCall, jobCall } from '../job-handle.ts'
import type { JobOptions } from '../options.ts'
import { type Pages, withPages } from '../rows.ts'
import { type FoundRows, type SearchCall, type SmallSearch, searchCall } from '../search-call.ts'
import type { Jobs } from './jobs.ts'

/** Searches of an area. */
export class Search {
  readonly #core: Core
  readonly #jobs: Jobs

  /**
   * Searches by filters or search URLs. 1 credit for each row, at least 1. A search for up to 50 rows returns them. A larger
   * one, or one with `async: true`, runs as a job, and the response has `job`. Iterate it to get the rows in both cases.
   */
  readonly run: SearchCall

  /** @internal */
  constructor(core: Core, jobs: Jobs) {
    this.#core = core
    this.#jobs = jobs
    this.run = searchCall(core, jobs, '/v1/search')
  }

  /**
   * The rows of a search, page by page, in the order of `sort` (default: `newest`). Each page is a call of its own and costs 1
   * credit for each row, at least 1: stop iterating when you have enough. Awaited, it is the first page.
   *
   * @example for await (const home of lotline.search.pages({ filters, sort: '-price' })) console.log(home.price)
   */
  pages(request: SmallSearch, options: JobOptions = {}): Pages<FoundRows, SearchRow> {
    const ask = (cursor: string | undefined) =>
      this.run(
        { ...request, sort: request.sort ?? 'newest', ...(cursor !== undefined && { cursor }) },
        options,
      )
    return withPages<FoundRows, SearchRow>(
      ask(request.cursor ?? undefined),
      ({ meta }) => (meta.next_cursor === undefined ? undefined : ask(meta.next_cursor)),
      ({ zpid }) => zpid,
    )
  }

  /** Searches and looks up each home found, in a job. 1 credit for each row and 1 for each record. */
  withDetails(request: WithDetailsRequest, options: JobOptions = {}): JobCall<PropertyRow> {
    const { idempotencyKey = createIdempotencyKey(), onProgress: _, ...callOptions } = options
    const answer = this.#core.ask(
      'post',
      '/v1/search/with-details',
      { body: request, idempotencyKey },
      callOptions,
    )
    return jobCall(answer, this.#jobs, options)
  }
}
