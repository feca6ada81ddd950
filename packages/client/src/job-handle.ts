// A started job: wait for it and read its rows, in this process or by its id in another one.

import type { AcceptedJob, BodyOf, Job, JobResultRow } from './contract.ts'
import { type RawAnswer, toResult } from './core/core.ts'
import type { CallOptions, JobOptions, WaitOptions } from './options.ts'
import type { Jobs, ResultsPage, ResultsQuery } from './resources/jobs.ts'
import type { Result } from './result.ts'
import { type AsyncRows, type Pages, withRows } from './rows.ts'
import type { TextFormat, TextOf } from './text.ts'

/** The response that accepted a job: `data` as the service sent it, and `job` to wait for it and read its rows. */
export type StartedJob<Row> = Result<{ data: AcceptedJob }> & {
  job: JobHandle<Row>
  /** Whether an earlier call with the same idempotency key started the job, so that this call started nothing. */
  replayed: boolean
}

/** Await it to start the job. Iterate it to start the job, wait for it and stream its rows. */
export type JobCall<Row> = AsyncRows<StartedJob<Row>, Row>

export class JobHandle<Row = JobResultRow> {
  /** The id of the job. With it, any process can follow the job through `lotline.jobs`. */
  readonly id: string
  readonly #jobs: Jobs

  /** @internal */
  constructor(jobs: Jobs, id: string) {
    this.#jobs = jobs
    this.id = id
  }

  /** Gets the current state of the job. */
  get(options?: CallOptions): Promise<Result<BodyOf<'/v1/jobs/{id}', 'get'>>> {
    return this.#jobs.get(this.id, options)
  }

  /**
   * Resolves to the job when it has succeeded.
   *
   * @throws JobFailedError if it failed, timed out or was aborted
   */
  wait(options?: WaitOptions): Promise<Job> {
    return this.#jobs.wait(this.id, options)
  }

  /** Waits for the job and streams its rows. */
  rows(options?: WaitOptions): AsyncIterable<Row> {
    return this.#jobs.rows<Row>(this.id, options)
  }

  /** Gets the rows of a job that has succeeded, in pages or as text. */
  results<Format extends TextFormat>(
    query: ResultsQuery & { format: Format } & CallOptions,
  ): Promise<TextOf<Format, Row>>
  results(query?: ResultsQuery & CallOptions): Pages<ResultsPage<Row>, Row>
  results(query: ResultsQuery & { format?: TextFormat } & CallOptions = {}): unknown {
    return this.#jobs.results<Row>(this.id, query as ResultsQuery)
  }
}

export function toStartedJob<Row>(answer: RawAnswer, jobs: Jobs): StartedJob<Row> {
  const result = toResult<{ data: AcceptedJob }>(answer)
  const replayed = answer.headers.get('idempotent-replayed') === 'true'
  return { ...result, replayed, job: new JobHandle<Row>(jobs, result.data.job_id) }
}

export function jobCall<Row>(answer: Promise<RawAnswer>, jobs: Jobs, options: JobOptions): JobCall<Row> {
  const started = answer.then((raw) => toStartedJob<Row>(raw, jobs))
  async function* rows() {
    const { job } = await started
    yield* job.rows(options)
  }
  return withRows(started, rows)
}

/** Creates a unique idempotency key. */
export function createIdempotencyKey(): string {
  // Browsers provide randomUUID only on https pages.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
