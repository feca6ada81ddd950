import type { BodyOf, Job, JobResultRow, QueryOf, UnsuccessfulJob } from '../contract.ts'
import { type Core, type RawAnswer, toResult } from '../core/core.ts'
import { pause } from '../core/pause.ts'
import { JobFailedError } from '../errors.ts'
import type { CallOptions, WaitOptions } from '../options.ts'
import { type Result, readReceipt } from '../result.ts'
import { type Pages, withPages } from '../rows.ts'
import {
  createText,
  dropCsvHeader,
  readChunks,
  type TextFormat,
  type TextOf,
  textMeta,
  toStream,
} from '../text.ts'

export type JobsQuery = Partial<QueryOf<'/v1/jobs'>>
export type JobsPage = Result<BodyOf<'/v1/jobs', 'get'>>
export type ResultsQuery = Partial<Omit<QueryOf<'/v1/jobs/{id}/results'>, 'format'>>
type ResultsBody<Row> = Omit<BodyOf<'/v1/jobs/{id}/results', 'get'>, 'data'> & { data: Row[] }
export type ResultsPage<Row> = Result<ResultsBody<Row>>

/** The first interval between two polls, in milliseconds. Each interval is 1.5 times the one before. */
const FIRST_INTERVAL_MS = 500
/** The longest interval between two polls, in milliseconds: about 12 calls in the first minute and 6 in each later minute. */
const MAX_INTERVAL_MS = 10_000
/** The maximum number of rows in a page. */
const MAX_RESULTS_PAGE_SIZE = 1_000
const MAX_JOBS_PAGE_SIZE = 500

/** The status, results, and abort of jobs. All of these calls are free. */
export class Jobs {
  readonly #core: Core

  /** @internal */
  constructor(core: Core) {
    this.#core = core
  }

  /** Lists the jobs of the account, latest first. Await it for the first page; iterate it for all jobs. */
  list(query: JobsQuery & CallOptions = {}): Pages<JobsPage, Job> {
    const { status, type, since, limit, offset, cursor, ...options } = query
    const ask = (
      at: { offset?: number | undefined; cursor?: string | undefined },
      most: number | undefined,
    ) => this.#core.get('/v1/jobs', { query: { status, type, since, limit: most, ...at } }, options)
    return withPages<JobsPage, Job>(
      ask({ offset, cursor }, limit),
      ({ meta }) => {
        const { next_cursor: next } = meta
        return next === undefined ? undefined : ask({ cursor: next }, limit ?? MAX_JOBS_PAGE_SIZE)
      },
      ({ id }) => id,
    )
  }

  /** Gets the current state of a job. */
  get(id: string, options: CallOptions = {}): Promise<Result<BodyOf<'/v1/jobs/{id}', 'get'>>> {
    return this.#core.get('/v1/jobs/{id}', { path: { id } }, options)
  }

  /** Aborts a job that is queued or running. It is free, and its results cannot be read. */
  async abort(id: string, options: CallOptions = {}): Promise<Result<BodyOf<'/v1/jobs/{id}/abort', 'post'>>> {
    return toResult<BodyOf<'/v1/jobs/{id}/abort', 'post'>>(
      await this.#core.ask('post', '/v1/jobs/{id}/abort', { path: { id } }, options),
    )
  }

  /**
   * Resolves to the job when it has succeeded. It polls at growing intervals, from half a second to 10 seconds.
   * Aborting the wait does not abort the job. You can wait for it again.
   *
   * @throws JobFailedError when the job has failed, timed out or was aborted
   */
  async wait(id: string, { onProgress, ...options }: WaitOptions = {}): Promise<Job> {
    for (let intervalMs = FIRST_INTERVAL_MS; ; intervalMs = Math.min(intervalMs * 1.5, MAX_INTERVAL_MS)) {
      const { data: job, requestId } = await this.get(id, options)
      await onProgress?.(job)
      if (job.status === 'succeeded') return job
      if (hasFailed(job)) throw new JobFailedError(job, requestId)
      // The wait is shortened by up to a tenth, so that jobs started together are not polled together.
      await pause(intervalMs * (1 - Math.random() / 10), options.signal)
    }
  }

  /**
   * Waits for a job and streams its rows, a page at a time.
   *
   * @throws JobFailedError when the job has failed, timed out or was aborted
   */
  async *rows<Row = JobResultRow>(id: string, options: WaitOptions = {}): AsyncGenerator<Row, void> {
    await this.wait(id, options)
    const { onProgress: _, ...callOptions } = options
    yield* this.results<Row>(id, { ...callOptions, limit: MAX_RESULTS_PAGE_SIZE })
  }

  /**
   * Gets the rows of a job that has succeeded. Await it for a page of `limit` rows; iterate it for all rows from `offset`.
   * With a `format`, it is one text with all rows from `offset`, or with `limit` rows.
   *
   * @throws JobNotReadyError when the job has not succeeded
   */
  results<Row = JobResultRow, Format extends TextFormat = TextFormat>(
    id: string,
    query: ResultsQuery & { format: Format } & CallOptions,
  ): Promise<TextOf<Format, Row>>
  results<Row = JobResultRow>(id: string, query?: ResultsQuery & CallOptions): Pages<ResultsPage<Row>, Row>
  results<Row>(id: string, query: ResultsQuery & { format?: TextFormat } & CallOptions = {}): unknown {
    const { limit, offset, cursor, format, ...options } = query
    if (format) return this.#text<Row>(id, { limit, offset, cursor }, format, options)
    const ask = async (query: ResultsQuery): Promise<ResultsPage<Row>> =>
      toResult<ResultsBody<Row>>(await this.#askResults(id, query, options))
    return withPages<ResultsPage<Row>, Row>(
      ask({ limit, offset, cursor }),
      ({ meta: { next_cursor: next } }) =>
        next === undefined ? undefined : ask({ limit: limit ?? MAX_RESULTS_PAGE_SIZE, cursor: next }),
    )
  }

  async #text<Row>(
    id: string,
    { limit, ...begin }: ResultsQuery,
    format: TextFormat,
    options: CallOptions,
  ): Promise<TextOf<TextFormat, Row>> {
    const most = limit ?? MAX_RESULTS_PAGE_SIZE
    const ask = (at: ResultsQuery) => this.#askResults(id, { limit: most, ...at, format }, options)
    const first = await ask(begin)
    const { count, ...metaOfAll } = textMeta(first.headers)
    const isWhole = limit !== undefined || nextPageQuery(first) === undefined
    async function* pages() {
      yield* readChunks(requireBody(first))
      let next = limit === undefined ? nextPageQuery(first) : undefined
      while (next) {
        const page = await ask(next)
        yield* format === 'csv' ? dropCsvHeader(requireBody(page)) : readChunks(requireBody(page))
        next = nextPageQuery(page)
      }
    }
    const meta = isWhole && count !== undefined ? { ...metaOfAll, count } : metaOfAll
    return createText<TextFormat, Row>(format, toStream(pages()), readReceipt(first.headers), meta)
  }

  #askResults(
    id: string,
    query: ResultsQuery & { format?: TextFormat },
    options: CallOptions,
  ): Promise<RawAnswer> {
    const { limit, offset, cursor, format } = query
    const asked = { limit, offset, cursor, format }
    return this.#core.ask(
      'get',
      '/v1/jobs/{id}/results',
      { path: { id }, query: asked },
      options,
      query.format !== undefined,
    )
  }
}

/**
 * Whether the job ended without a result. This includes statuses that a later version adds: a job with a completion
 * time has ended.
 */
function hasFailed(job: Job): job is UnsuccessfulJob {
  const isKnownEnd = job.status === 'failed' || job.status === 'timed_out' || job.status === 'aborted'
  return isKnownEnd || (job.status !== 'succeeded' && typeof job.completed_at === 'string')
}

/** The query of the next page from the `Link` header. undefined on the last page. */
function nextPageQuery({ headers }: RawAnswer): ResultsQuery | undefined {
  const [, url] = /<([^>]*)>; *rel="?next"?/.exec(headers.get('link') ?? '') ?? []
  if (url === undefined) return undefined
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1))
  const cursor = query.get('cursor')
  return cursor === null ? { offset: Number(query.get('offset')) } : { cursor }
}

/** Returns an empty stream if the response has no body, as for a text without rows. */
function requireBody({ body }: RawAnswer): ReadableStream<Uint8Array> {
  return (body as ReadableStream<Uint8Array> | null | undefined) ?? new Blob().stream()
}
