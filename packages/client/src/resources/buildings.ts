import type { BodyOf, BuildingUnit, QueryOf } from '../contract.ts'
import { type Core, type RawAnswer, toResult } from '../core/core.ts'
import { type JobCall, type StartedJob, toStartedJob } from '../job-handle.ts'
import type { WaitOptions } from '../options.ts'
import type { Result } from '../result.ts'
import { type AsyncRows, withRows } from '../rows.ts'
import type { Jobs } from './jobs.ts'

type UnitsQuery = QueryOf<'/v1/buildings/by-url'>

export interface UnitsOptions extends WaitOptions {
  /** The kind of units to return. The default is all. */
  include_units?: UnitsQuery['include_units']
  /** false runs the extraction as a job, for large buildings. */
  sync?: boolean | undefined
  /** `meta.next_cursor` of a truncated response. Returns the units after its last one. */
  cursor?: string | undefined
}

export type UnitsResult = Result<BodyOf<'/v1/buildings/by-url', 'get'>> & { job?: undefined }

/** The units of multi-unit buildings. */
export class Buildings {
  readonly #core: Core
  readonly #jobs: Jobs

  /** @internal */
  constructor(core: Core, jobs: Jobs) {
    this.#core = core
    this.#jobs = jobs
  }

  /**
   * The units of a building by its listing URL. Await it for the response, or iterate it for the units. A first row without
   * `unitNumber` is the building itself. 1 credit for each unit, at least 1. With `sync: false` it is a job.
   */
  units(
    url: string,
    options?: UnitsOptions & { sync?: true | undefined },
  ): AsyncRows<UnitsResult, BuildingUnit>
  units(url: string, options: UnitsOptions & { sync: false }): JobCall<BuildingUnit>
  units(url: string, options: UnitsOptions): AsyncRows<UnitsResult | StartedJob<BuildingUnit>, BuildingUnit>
  units(url: string, options: UnitsOptions = {}): AsyncRows<never, BuildingUnit> {
    const { include_units, sync, cursor, onProgress: _, ...callOptions } = options
    const answer = this.#core
      .ask(
        'get',
        '/v1/buildings/by-url',
        // This operation takes no idempotency key: a retry would start a second job.
        { query: { url, include_units, sync, cursor }, repetition: sync === false ? 'acts' : 'charges' },
        callOptions,
      )
      .then((raw) => this.#toResult(raw))
    async function* rows() {
      const result = await answer
      if (result.job) yield* result.job.rows(options)
      else yield* result.data.units
    }
    return withRows(answer as Promise<never>, rows)
  }

  #toResult(raw: RawAnswer): UnitsResult | StartedJob<BuildingUnit> {
    return raw.status === 202
      ? toStartedJob<BuildingUnit>(raw, this.#jobs)
      : toResult<BodyOf<'/v1/buildings/by-url', 'get'>>(raw)
  }
}
