// The compiler checks the responses that an operation may return; running these tests only shows that the module loads. The last test reads
// the service's tests as text.

import { readdirSync, readFileSync } from 'node:fs'
import { type AcceptedJob, operationIds, type Photo, type Property } from '@lotline/contract'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { OperationResultOf } from '../../src/requests/engine/handler.ts'
import type { Accepted, JsonText, Page, PricedResult } from '../../src/requests/engine/operation-result.ts'

describe('the response of an operation handler', () => {
  it('has the fields of the contract, without the request id', () => {
    type Answer<Data> = PricedResult<200, { data: Data; cached: boolean; fetched_at: string }>
    expectTypeOf<Answer<Property>>().toExtend<OperationResultOf<'getProperty'>>()
    expectTypeOf<Answer<JsonText>>().toExtend<OperationResultOf<'getProperty'>>()
    expectTypeOf<Answer<number>>().not.toExtend<OperationResultOf<'getProperty'>>()
  })

  it('does not compile if its body is incomplete', () => {
    type Meta = { cached: boolean; count: number; photo_count: number; has_3d: boolean; has_video: boolean }
    type Answer<M> = PricedResult<200, { data: readonly Photo[]; meta: M }>
    expectTypeOf<Answer<Meta>>().toExtend<OperationResultOf<'getPropertyPhotos'>>()
    expectTypeOf<Answer<Omit<Meta, 'has_3d'>>>().not.toExtend<OperationResultOf<'getPropertyPhotos'>>()
    expectTypeOf<PricedResult<200, { data: readonly Photo[] }>>().not.toExtend<
      OperationResultOf<'getPropertyPhotos'>
    >()
  })

  it('has a status of the contract, and the body of that status', () => {
    type Receipt = { data: AcceptedJob }
    expectTypeOf<PricedResult<202, Receipt> | Accepted<Receipt>>().toExtend<
      OperationResultOf<'searchListings'>
    >()
    expectTypeOf<PricedResult<200, Receipt>>().not.toExtend<OperationResultOf<'searchListings'>>()
    expectTypeOf<Accepted<Receipt>>().not.toExtend<OperationResultOf<'listListings'>>()
    expectTypeOf<PricedResult<204, undefined>>().toExtend<OperationResultOf<'deleteWebhook'>>()
    expectTypeOf<PricedResult<200, undefined>>().not.toExtend<OperationResultOf<'deleteWebhook'>>()
  })

  it('can be stored rows, which are already text', () => {
    expectTypeOf<PricedResult<200, undefined> & { page: Page }>().toExtend<
      OperationResultOf<'getJobResults'>
    >()
  })
})

/** These files iterate over all operations, so they do not count as tests of a particular one. */
const OF_ALL_OPERATIONS = /^(?:contract\/|credits\/(?!estimate))/

describe("the service's tests", () => {
  it('contain the operationId of each operation, so that a search finds its test', () => {
    const folder = new URL('../', import.meta.url)
    const words = new Set(
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.test.ts') && !OF_ALL_OPERATIONS.test(file))
        .flatMap((file) => readFileSync(new URL(file, folder), 'utf8').match(/\w+/g) ?? []),
    )
    expect(operationIds.filter((id) => !words.has(id))).toEqual([])
  })
})
