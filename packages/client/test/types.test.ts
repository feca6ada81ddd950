// What the compiler knows. The assertions are judged by the type check; the run shows only that they were read.

import { describe, expectTypeOf, it } from 'vitest'
import type {
  BuildingUnit,
  CsvText,
  FoundReso,
  FoundRows,
  Job,
  JobCall,
  Lotline,
  LotlineError,
  NdjsonText,
  Pages,
  Property,
  PropertyRow,
  RateLimitedError,
  ResoProperty,
  ResoResult,
  SearchRow,
  StartedJob,
  StartedSearch,
  verifyWebhook,
  WebhookEvent,
} from '../src/index.ts'

type Awaited1<Call> = Call extends Promise<infer Answer> ? Answer : never
type RowOf<Call> = Call extends AsyncIterable<infer Row> ? Row : never

/** Calls are made by types alone. */
const typed = (_: (lotline: Lotline) => void) => {}
const filters = { bbox: { west: 0, south: 0, east: 1, north: 1 } }

describe('the type of a search', () => {
  it('is rows for a small search, a job for a large one, and a union if the size is unknown', () => {
    typed(({ search, listings }) => {
      const small = search.run({ filters, maxItems: 50 })
      expectTypeOf<Awaited1<typeof small>>().toEqualTypeOf<FoundRows>()
      const usual = listings.sold({ filters })
      expectTypeOf<Awaited1<typeof usual>>().toEqualTypeOf<FoundRows>()
      const asJob = search.run({ filters, async: true })
      expectTypeOf<Awaited1<typeof asJob>>().toEqualTypeOf<StartedSearch>()
      const large = search.run({ filters, maxItems: 51 })
      expectTypeOf<Awaited1<typeof large>>().toEqualTypeOf<FoundRows | StartedSearch>()
      const unknown = search.run({ filters, maxItems: Math.random() })
      expectTypeOf<Awaited1<typeof unknown>>().toEqualTypeOf<FoundRows | StartedSearch>()
      expectTypeOf<RowOf<typeof unknown>>().toEqualTypeOf<SearchRow>()
    })
  })

  it('is narrowed by `job`', () => {
    expectTypeOf<Extract<FoundRows | StartedSearch, { job?: undefined }>>().toEqualTypeOf<FoundRows>()
  })

  it('as text is a text or a job', () => {
    typed(({ search }) => {
      const csv = search.run({ filters }, { format: 'csv' })
      expectTypeOf<Awaited1<typeof csv>>().toExtend<CsvText>()
      const ndjson = search.run({ filters, maxItems: 800 }, { format: 'ndjson' })
      expectTypeOf<Awaited1<typeof ndjson>>().toEqualTypeOf<
        (NdjsonText<SearchRow> & { job?: undefined }) | StartedSearch
      >()
    })
  })

  it('accepts exactly the options of the contract', () => {
    typed(({ search }) => {
      // @ts-expect-error there is no such home type
      void search.run({ filters: { ...filters, homeTypes: ['castle'] } })
      // @ts-expect-error there is no such area
      void search.run({ filters: { area: { type: 'square' } } })
    })
  })
})

describe('the type of a record', () => {
  it('is one record unless the units of a building are requested', () => {
    typed(({ properties }) => {
      const one = properties.byUrl('u', { status: 'FOR_RENT' })
      expectTypeOf<Awaited1<typeof one>['data']>().toEqualTypeOf<Property>()
      const several = properties.byUrl('u', { extract_units: 'all' })
      expectTypeOf<Awaited1<typeof several>['data']>().toEqualTypeOf<Property | Property[]>()
      const cached = properties.get('1')
      expectTypeOf<Awaited1<typeof cached>['cached']>().toEqualTypeOf<boolean>()
    })
  })
})

describe('the type of a job', () => {
  it('includes the type of its rows', () => {
    expectTypeOf<ReturnType<Lotline['properties']['batch']>>().toEqualTypeOf<JobCall<PropertyRow>>()
    expectTypeOf<RowOf<JobCall<PropertyRow>>>().toEqualTypeOf<PropertyRow>()
    typed(({ buildings, jobs }) => {
      const units = buildings.units('u', { sync: false })
      expectTypeOf<Awaited1<typeof units>>().toEqualTypeOf<StartedJob<BuildingUnit>>()
      expectTypeOf(jobs.list()).toExtend<Pages<unknown, Job>>()
      expectTypeOf(jobs.wait('a')).toEqualTypeOf<Promise<Job>>()
      const homes = jobs.results<Property>('a')
      expectTypeOf<RowOf<typeof homes>>().toEqualTypeOf<Property>()
    })
  })
})

describe('types with names of the RESO Data Dictionary', () => {
  it('are returned by lookups and small searches with `shape`', () => {
    typed(({ properties, search, listings }) => {
      const home = properties.get('1', { shape: 'reso' })
      expectTypeOf<Awaited1<typeof home>>().toEqualTypeOf<ResoResult>()
      const usual = properties.byAddress('1 A St, Seattle', { fields: 'price' })
      expectTypeOf<Awaited1<typeof usual>['data']>().toEqualTypeOf<Property>()
      const rows = search.run({ filters }, { shape: 'reso' })
      expectTypeOf<RowOf<typeof rows>>().toEqualTypeOf<ResoProperty>()
      const large = search.run({ filters, maxItems: 800 }, { shape: 'reso' })
      expectTypeOf<Awaited1<typeof large>>().toEqualTypeOf<FoundReso | StartedSearch>()
      const listed = listings.list({ zip: '98109', shape: 'reso' })
      expectTypeOf<RowOf<typeof listed>>().toEqualTypeOf<ResoProperty>()
    })
  })
})

describe('the types of errors and events', () => {
  it('include the fields of an error class and the union of event types', () => {
    expectTypeOf<RateLimitedError['retryAfterMs']>().toEqualTypeOf<number>()
    expectTypeOf<'out_of_credits'>().toExtend<LotlineError['code']>()
    expectTypeOf<ReturnType<typeof verifyWebhook>>().toEqualTypeOf<Promise<WebhookEvent>>()
  })

  it('narrow the details by the error code', () => {
    const typedError = (_: (error: LotlineError) => void) => {}
    typedError((error) => {
      expectTypeOf(error.detailsOf('invalid_parameter')?.parameter).toEqualTypeOf<string | undefined>()
      expectTypeOf(error.detailsOf('invalid_parameter')?.maximum).toEqualTypeOf<number | undefined>()
      expectTypeOf(error.detailsOf('key_limit_reached')?.remaining).toEqualTypeOf<number | undefined>()
      // @ts-expect-error the bounds of a parameter are no detail of this code
      error.detailsOf('out_of_credits')?.maximum
      // @ts-expect-error this code has no details
      error.detailsOf('invalid_json')
    })
  })

  it('include a job for each job event except the test delivery', () => {
    expectTypeOf<WebhookEvent['data']['job']>().toEqualTypeOf<Job | undefined>()
  })
})
