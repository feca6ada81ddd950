/** What these tests guarantee is checked by the compiler; running them shows only that the modules load. */
import { describe, expectTypeOf, it } from 'vitest'
import type {
  ErrorBody,
  Input,
  Operations,
  Property,
  SearchRow,
  SuccessBody,
  SuccessStatus,
} from '../src/index.ts'

describe('the input type of a handler', () => {
  it('has the defaults filled in', () => {
    expectTypeOf<Input<'listJobs'>['query']['limit']>().toEqualTypeOf<number>()
    expectTypeOf<Input<'getJobResults'>['query']['offset']>().toEqualTypeOf<number>()
    expectTypeOf<Input<'listJobs'>['query']['since']>().toEqualTypeOf<string | undefined>()
  })

  it('has the defaults of a body filled in, also within an optional object', () => {
    type Body = Input<'searchListings'>['body']
    expectTypeOf<undefined>().not.toExtend<Body['extractionMethod']>()
    expectTypeOf<undefined>().toExtend<Body['filters']>()
    expectTypeOf<undefined>().not.toExtend<NonNullable<Body['filters']>['status']>()
    expectTypeOf<undefined>().toExtend<NonNullable<Body['filters']>['price']>()
  })

  it('always has required parameters', () => {
    expectTypeOf<Input<'getProperty'>['params']>().toEqualTypeOf<{ zpid: string }>()
    expectTypeOf<Input<'getPropertyByUrl'>['query']['url']>().toEqualTypeOf<string>()
  })

  it('has header names in lower case', () => {
    expectTypeOf<Input<'searchListings'>['headers']>().toEqualTypeOf<{
      'idempotency-key'?: string
      prefer?: string
      'x-max-credits'?: number
    }>()
  })

  it('has a body only where the operation takes one', () => {
    expectTypeOf<Input<'createWebhook'>['body']['url']>().toEqualTypeOf<string>()
    expectTypeOf<Input<'getProperty'>['body']>().toEqualTypeOf<undefined>()
    expectTypeOf<keyof Input<'getAccount'>['query']>().toEqualTypeOf<never>()
    expectTypeOf<keyof Input<'getAccount'>['params']>().toEqualTypeOf<never>()
  })
})

describe('the result type of an operation', () => {
  it('depends on the status', () => {
    expectTypeOf<Operations['getProperty']['responses'][200]['data']>().toEqualTypeOf<Property>()
    expectTypeOf<Operations['searchListings']['responses'][200]['data']>().toEqualTypeOf<SearchRow[]>()
    expectTypeOf<Operations['searchListings']['responses'][202]['data']['job_id']>().toEqualTypeOf<string>()
    expectTypeOf<SuccessBody<'deleteWebhook'>>().toEqualTypeOf<undefined>()
    expectTypeOf<SuccessStatus<'searchListings'>>().toEqualTypeOf<200 | 202>()
    expectTypeOf<SuccessBody<'searchListings', 200>['data']>().toEqualTypeOf<SearchRow[]>()
  })

  it('allows only the error codes of the operation', () => {
    expectTypeOf<Operations['getJob']['responses'][404]>().toExtend<ErrorBody>()
    expectTypeOf<Operations['getJob']['responses'][404]['error']['code']>().toEqualTypeOf<'job_not_found'>()
    expectTypeOf<
      Operations['getJobResults']['responses'][409]['error']['code']
    >().toEqualTypeOf<'job_not_ready'>()
  })
})

describe('the type of a record', () => {
  it('has its documented fields and permits unknown ones', () => {
    expectTypeOf<NonNullable<Property['zpid']>>().toEqualTypeOf<string>()
    expectTypeOf<Property['price']>().toEqualTypeOf<number | null | undefined>()
    expectTypeOf<Property['yearBuilt']>().toEqualTypeOf<number | null | undefined>()
    expectTypeOf<Property['aFieldOfTomorrow']>().toEqualTypeOf<unknown>()
  })
})
