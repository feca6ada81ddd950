/** What these tests guarantee is checked by the compiler; running them shows only that the module loads. */
import type { AcceptedJob, Photo, Property } from '@lotline/contract'
import { describe, expectTypeOf, it } from 'vitest'
import type { OutcomeOf } from '../../src/engine/handler.ts'
import type { Accepted, Delivery, JsonText, Page } from '../../src/engine/outcome.ts'

describe('what an operation may answer', () => {
  it('is what the contract says, without the request id', () => {
    type Answer<Data> = Delivery<200, { data: Data; cached: boolean; fetched_at: string }>
    expectTypeOf<Answer<Property>>().toExtend<OutcomeOf<'getProperty'>>()
    expectTypeOf<Answer<JsonText>>().toExtend<OutcomeOf<'getProperty'>>()
    expectTypeOf<Answer<number>>().not.toExtend<OutcomeOf<'getProperty'>>()
  })

  it('has the whole body, or does not compile', () => {
    type Meta = { cached: boolean; count: number; photo_count: number; has_3d: boolean; has_video: boolean }
    type Answer<M> = Delivery<200, { data: readonly Photo[]; meta: M }>
    expectTypeOf<Answer<Meta>>().toExtend<OutcomeOf<'getPropertyPhotos'>>()
    expectTypeOf<Answer<Omit<Meta, 'has_3d'>>>().not.toExtend<OutcomeOf<'getPropertyPhotos'>>()
    expectTypeOf<Delivery<200, { data: readonly Photo[] }>>().not.toExtend<OutcomeOf<'getPropertyPhotos'>>()
  })

  it('has a status of the contract, and the body of that status', () => {
    type Receipt = { data: AcceptedJob }
    expectTypeOf<Delivery<202, Receipt> | Accepted<Receipt>>().toExtend<OutcomeOf<'searchListings'>>()
    expectTypeOf<Delivery<200, Receipt>>().not.toExtend<OutcomeOf<'searchListings'>>()
    expectTypeOf<Accepted<Receipt>>().not.toExtend<OutcomeOf<'listListings'>>()
    expectTypeOf<Delivery<204, undefined>>().toExtend<OutcomeOf<'deleteWebhook'>>()
    expectTypeOf<Delivery<200, undefined>>().not.toExtend<OutcomeOf<'deleteWebhook'>>()
  })

  it('may be stored rows, which are text already', () => {
    expectTypeOf<Delivery<200, undefined> & { page: Page }>().toExtend<OutcomeOf<'getJobResults'>>()
  })
})
