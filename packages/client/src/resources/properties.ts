import type { BatchRequest, BodyOf, PathOf, Property, PropertyRow, QueryOf } from '../contract.ts'
import { type Core, toResult } from '../core/core.ts'
import { createIdempotencyKey, type JobCall, jobCall } from '../job-handle.ts'
import type { CallOptions, JobOptions } from '../options.ts'
import type { ResoResult, Result } from '../result.ts'
import type { Jobs } from './jobs.ts'

/** The fields of the record to return: dotted paths, as a list or separated by commas. */
export type Fields = string | readonly string[]

type ByUrlQuery = QueryOf<'/v1/properties/by-url'>
type ByAddressQuery = QueryOf<'/v1/properties/by-address'>

export interface GetPropertyOptions extends CallOptions {
  fields?: Fields | undefined
}
export interface ByAddressOptions extends GetPropertyOptions {
  /** The listing to prefer if the home has several. */
  status?: ByAddressQuery['status']
}
export interface ByUrlOptions extends ByAddressOptions {
  extract_units?: 'disabled' | undefined
}
export interface ByUrlUnitsOptions extends ByAddressOptions {
  /** For the URL of a building: the kind of units whose records are returned. */
  extract_units: ByUrlQuery['extract_units']
}

/** The names of the result: those of the RESO Data Dictionary. The price is the same. */
export interface ResoOptions {
  shape: 'reso'
}
interface ShapeOptions {
  shape?: 'reso' | undefined
}

type PartPath = Extract<PathOf<'get'>, `/v1/properties/{zpid}/${string}`>
type PartResult<Name extends string> = Promise<
  Result<BodyOf<Extract<PartPath, `/v1/properties/{zpid}/${Name}`>, 'get'>>
>

/** Property records and their parts, by zpid, listing URL or address. */
export class Properties {
  readonly #core: Core
  readonly #jobs: Jobs

  /** @internal */
  constructor(core: Core, jobs: Jobs) {
    this.#core = core
    this.#jobs = jobs
  }

  /** The record of a home by its zpid. 1 credit. */
  get(zpid: string, options: GetPropertyOptions & ResoOptions): Promise<ResoResult>
  get(zpid: string, options?: GetPropertyOptions): Promise<Result<BodyOf<'/v1/properties/{zpid}', 'get'>>>
  get(zpid: string, { fields, shape, ...options }: GetPropertyOptions & ShapeOptions = {}): Promise<unknown> {
    const query = { fields: listed(fields), shape }
    return this.#core.get('/v1/properties/{zpid}', { path: { zpid }, query, repetition: 'charges' }, options)
  }

  /** The record of a home or building by its listing URL. 1 credit for each record, at least 1. */
  byUrl(url: string, options: ByUrlUnitsOptions & ResoOptions): Promise<ResoResult>
  byUrl(url: string, options: ByUrlOptions & ResoOptions): Promise<ResoResult>
  byUrl(url: string, options?: ByUrlOptions): Promise<Result<{ data: Property }>>
  byUrl(url: string, options: ByUrlUnitsOptions): Promise<Result<BodyOf<'/v1/properties/by-url', 'get'>>>
  byUrl(url: string, query: (ByUrlOptions | ByUrlUnitsOptions) & ShapeOptions = {}): Promise<unknown> {
    const { status, extract_units, fields, shape, ...options } = query
    const asked = { url, status, extract_units, fields: listed(fields), shape }
    return this.#core.get('/v1/properties/by-url', { query: asked, repetition: 'charges' }, options)
  }

  /** The record of a home by its full address on one line. 3 credits. */
  byAddress(address: string, options: ByAddressOptions & ResoOptions): Promise<ResoResult>
  byAddress(
    address: string,
    options?: ByAddressOptions,
  ): Promise<Result<BodyOf<'/v1/properties/by-address', 'get'>>>
  byAddress(
    address: string,
    { status, fields, shape, ...options }: ByAddressOptions & ShapeOptions = {},
  ): Promise<unknown> {
    const query = { address, status, fields: listed(fields), shape }
    return this.#core.get('/v1/properties/by-address', { query, repetition: 'charges' }, options)
  }

  /** The photos of the listing, in the order of the listing. 1 credit. */
  photos(zpid: string, options?: CallOptions): PartResult<'photos'> {
    return this.#part('/v1/properties/{zpid}/photos', zpid, options)
  }

  /** Listings, price changes and sales, the latest first. 1 credit. */
  priceHistory(zpid: string, options?: CallOptions): PartResult<'price-history'> {
    return this.#part('/v1/properties/{zpid}/price-history', zpid, options)
  }

  /** Taxes and assessed values, a row for each year, the latest first. 1 credit. */
  taxHistory(zpid: string, options?: CallOptions): PartResult<'tax-history'> {
    return this.#part('/v1/properties/{zpid}/tax-history', zpid, options)
  }

  /** The schools near the home. 1 credit. */
  schools(zpid: string, options?: CallOptions): PartResult<'schools'> {
    return this.#part('/v1/properties/{zpid}/schools', zpid, options)
  }

  /** About twelve comparable listings nearby. 1 credit. */
  nearby(zpid: string, options?: CallOptions): PartResult<'nearby'> {
    return this.#part('/v1/properties/{zpid}/nearby', zpid, options)
  }

  /** The agent and the broker of the listing. 1 credit. */
  agent(zpid: string, options?: CallOptions): PartResult<'agent'> {
    return this.#part('/v1/properties/{zpid}/agent', zpid, options)
  }

  /** The estimates of the home's value and rent. 1 credit. */
  zestimate(zpid: string, options?: CallOptions): PartResult<'zestimate'> {
    return this.#part('/v1/properties/{zpid}/zestimate', zpid, options)
  }

  /** The open houses in the record, past ones included, the earliest first. 1 credit. */
  openHouses(zpid: string, options?: CallOptions): PartResult<'open-houses'> {
    return this.#part('/v1/properties/{zpid}/open-houses', zpid, options)
  }

  /** The attributes of the home as the MLS has them. 1 credit. */
  facts(zpid: string, options?: CallOptions): PartResult<'facts'> {
    return this.#part('/v1/properties/{zpid}/facts', zpid, options)
  }

  /** Looks up as many as 500 homes in one job. 1 credit for each record, charged when the job succeeds. */
  batch(request: BatchRequest, options: JobOptions = {}): JobCall<PropertyRow> {
    const { idempotencyKey = createIdempotencyKey(), onProgress: _, ...callOptions } = options
    const answer = this.#core.ask(
      'post',
      '/v1/properties/batch',
      { body: request, idempotencyKey },
      callOptions,
    )
    return jobCall(answer, this.#jobs, options)
  }

  async #part<P extends PartPath>(
    path: P,
    zpid: string,
    options: CallOptions = {},
  ): Promise<Result<BodyOf<P, 'get'>>> {
    const question = { path: { zpid }, repetition: 'charges' } as const
    const raw = await this.#core.ask<'get', PartPath>('get', path, question, options)
    return toResult<BodyOf<P, 'get'>>(raw)
  }
}

function listed(fields: Fields | undefined): string | undefined {
  return typeof fields === 'string' ? fields : fields?.join(',')
}
