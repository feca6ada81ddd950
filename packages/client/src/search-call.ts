// A search returns its rows or runs as a job, depending on its size. This file has the four operations that take the same
// body, and the types that say which of the two a call will be.

import {
  type BodyOf,
  isSearchJob,
  type MAX_SYNC_ITEMS,
  type ResoProperty,
  type SearchMeta,
  type SearchRequest,
  type SearchRow,
} from './contract.ts'
import { type Core, type RawAnswer, toResult } from './core/core.ts'
import { createIdempotencyKey, type StartedJob, toStartedJob } from './job-handle.ts'
import type { JobOptions } from './options.ts'
import type { Jobs } from './resources/jobs.ts'
import { type ResoResult, type Result, readReceipt } from './result.ts'
import { type AsyncRows, withRows } from './rows.ts'
import { createText, type TextFormat, type TextOf, textMeta } from './text.ts'

export type SearchPath =
  | '/v1/search'
  | '/v1/listings/for-sale'
  | '/v1/listings/for-rent'
  | '/v1/listings/sold'

/** The rows of a search that ran without a job. */
export type FoundRows = Result<{ data: SearchRow[]; meta: SearchMeta }> & { job?: undefined }
/** The same as text. */
export type FoundText<Format extends TextFormat, Row = SearchRow> = TextOf<Format, Row> & { job?: undefined }
/** The rows under the names of the RESO Data Dictionary. */
export type FoundReso = ResoResult & { job?: undefined }
export type StartedSearch = StartedJob<SearchRow>

type UpTo<Most extends number, Counted extends unknown[] = []> = Counted['length'] extends Most
  ? Counted[number]
  : UpTo<Most, [...Counted, [...Counted, 1]['length']]>

/** A search that returns its rows in the response: no `maxItems`, which means 50, or a literal from 1 to 50. */
export type SmallSearch = SearchRequest & {
  maxItems?: UpTo<typeof MAX_SYNC_ITEMS> | null
  async?: false | null
  extractionMethod?: 'PAGINATION' | 'MAP_MARKERS' | null
}
/** A search that always runs as a job. */
export type SearchAsJob = SearchRequest & { async: true }

/** The signatures of a search. */
export interface SearchCall {
  <Format extends TextFormat>(
    request: SmallSearch,
    options: JobOptions & { format: Format; shape: 'reso' },
  ): Promise<FoundText<Format, ResoProperty>>
  /** A search that runs as a job ignores `shape`: its rows have the names of this API. */
  (request: SmallSearch, options: JobOptions & { shape: 'reso' }): AsyncRows<FoundReso, ResoProperty>
  (request: SearchRequest, options: JobOptions & { shape: 'reso' }): Promise<FoundReso | StartedSearch>
  <Format extends TextFormat>(
    request: SmallSearch,
    options: JobOptions & { format: Format },
  ): Promise<FoundText<Format>>
  <Format extends TextFormat>(
    request: SearchRequest,
    options: JobOptions & { format: Format },
  ): Promise<FoundText<Format> | StartedSearch>
  (request: SmallSearch, options?: JobOptions): AsyncRows<FoundRows, SearchRow>
  (request: SearchAsJob, options?: JobOptions): AsyncRows<StartedSearch, SearchRow>
  (request: SearchRequest, options?: JobOptions): AsyncRows<FoundRows | StartedSearch, SearchRow>
}

export function searchCall(core: Core, jobs: Jobs, path: SearchPath): SearchCall {
  function search(
    request: SearchRequest,
    options: JobOptions & { format?: TextFormat; shape?: 'reso' } = {},
  ): unknown {
    const { format, shape, onProgress: _, ...callOptions } = options
    const isJob = isSearchJob(request)
    // The key protects jobs only: a repeated search that returns its rows is charged again.
    const { idempotencyKey = isJob ? createIdempotencyKey() : undefined } = options
    const asked = core.ask(
      'post',
      path,
      {
        body: request,
        query: { format, shape },
        idempotencyKey,
        repetition: isJob ? 'safe' : 'charges',
      },
      callOptions,
      format !== undefined,
    )
    if (format) return asked.then((raw) => toFoundText(raw, format, jobs))
    const answer = asked.then((raw) =>
      raw.status === 202 ? toStartedJob<SearchRow>(raw, jobs) : toFound(raw),
    )
    async function* rows() {
      const result = await answer
      if (result.job) yield* result.job.rows(options)
      else yield* result.data
    }
    return withRows(answer, rows)
  }
  return search as SearchCall
}

function toFound(raw: RawAnswer): FoundRows {
  return toResult<BodyOf<'/v1/search', 'post'>>(raw)
}

async function toFoundText(raw: RawAnswer, format: TextFormat, jobs: Jobs): Promise<unknown> {
  const body = (raw.body ?? new Blob().stream()) as ReadableStream<Uint8Array>
  if (raw.status !== 202) return createText(format, body, readReceipt(raw.headers), textMeta(raw.headers))
  return toStartedJob({ ...raw, body: await new Response(body).json() }, jobs)
}
