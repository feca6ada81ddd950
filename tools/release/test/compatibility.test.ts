// The compatibility policy of the contract, shown on the contract itself: what its own keywords mean to clients.

import { openapi } from '@lotline/contract'
import { compareDocuments, type JsonValue, toContract } from '@lotline/schema-diff'
import { describe, expect, test } from 'vitest'
import { policy } from './contract/policy.ts'
import { type EditStep, withChanges } from './contract/trial-change.ts'

const contract = openapi as unknown as Record<string, JsonValue>
const base = toContract('the contract', contract)

function judge(steps: readonly EditStep[]) {
  const changed = withChanges(contract, [{ change: 'A change.', judged: [], steps }])
  return compareDocuments(base, toContract('the changed contract', changed), policy)
}

const schema = (...at: readonly string[]) => ['components', 'schemas', ...at]
const call = (method: string, path: string, ...at: readonly string[]) => ['paths', path, method, ...at]
const details = (...at: readonly string[]) =>
  schema('Error', 'properties', 'error', 'properties', 'details', 'properties', ...at)

const NEEDS = 'x-needs-one-of'
const USED = 'x-used-by-type'

describe('the policy reports a breaking change for clients if', () => {
  test.each<[string, string, readonly EditStep[]]>([
    [
      'a watch of homes is no longer one of the two kinds of watches',
      'needed-field-narrowed',
      [{ at: schema('WatchInput', NEEDS, 'fields'), replace: ['filters'] }],
    ],
    [
      'a watch needs a search or homes where it needed none',
      'needed-field-narrowed',
      [{ at: schema('WatchPatch', NEEDS, 'none'), add: 'missing_input' }],
    ],
    [
      'a batch may have only URLs or only addresses',
      'needed-field-narrowed',
      [{ at: schema('BatchRequest', NEEDS, 'several'), add: 'invalid_parameter' }],
    ],
    [
      'a watch with a webhook may have no filters',
      'needed-field-narrowed',
      [{ at: schema('WatchInput', NEEDS, 'fields'), append: ['webhook_id', 'name'] }],
    ],
    [
      'a search without a place is refused with another code',
      'needed-field-changed',
      [{ at: schema('SearchFilters', NEEDS, 'none'), replace: 'missing_input' }],
    ],
    [
      'a circle no longer uses its radius',
      'used-field-removed',
      [{ at: schema('Area', USED, 'circle'), replace: ['center'] }],
    ],
    [
      'the price filter has no effect any more',
      'unused-introduced',
      [{ at: schema('SearchFilters', 'properties', 'zips', 'x-unused'), add: true }],
    ],
    [
      'searches of homes for sale ignore the price',
      'unused-input-added',
      [{ at: call('post', '/v1/listings/for-sale', 'x-unused-input'), append: ['filters.price'] }],
    ],
    [
      'watches are charged for something else',
      'charge-changed',
      [{ at: call('post', '/v1/watches', 'x-charged-for'), replace: 'search' }],
    ],
    [
      'a free call becomes one that is charged for later',
      'charge-introduced',
      [{ at: call('get', '/v1/me', 'x-charged-for'), add: 'reading' }],
    ],
    [
      'lookups count as searches in usage',
      'actor-changed',
      [{ at: call('get', '/v1/properties/{zpid}', 'x-actor'), replace: 'search' }],
    ],
    [
      'an answer that each call got is sent to few',
      'only-with-introduced',
      [{ at: call('get', '/v1/me', 'responses', '200', 'x-only-with'), add: 'Prefer' }],
    ],
    [
      'a wrong value of an area gets a code of another kind',
      'error-code-changed',
      [{ at: schema('Area', 'x-error-code'), replace: 'invalid_parameter' }],
    ],
    [
      'a field of details no longer comes with a code',
      'details-code-removed',
      [{ at: details('required', 'x-details-of'), replace: ['out_of_credits', 'key_limit_reached'] }],
    ],
    [
      'a lookup costs more',
      'price-raised',
      [{ at: call('get', '/v1/properties/{zpid}', 'x-credits', 'price'), replace: 2 }],
    ],
  ])('%s', (_, rule, steps) => {
    expect(new Set(judge(steps).breaking.map((change) => change.rule))).toEqual(new Set([rule]))
  })
})

describe('the policy reports no breaking change for clients if', () => {
  test.each<[string, string, readonly EditStep[]]>([
    [
      'a batch may also consist of homes',
      'needed-field-widened',
      [
        {
          at: schema('BatchRequest', 'properties', 'zpids'),
          add: { type: 'array', items: { type: 'string' } },
        },
        { at: schema('BatchRequest', NEEDS, 'fields'), append: ['zpids'] },
      ],
    ],
    [
      'a watch may also be of a place',
      'needed-field-widened',
      [
        { at: schema('WatchInput', 'properties', 'place'), add: { type: 'string' } },
        { at: schema('WatchInput', NEEDS, 'fields'), append: ['place'] },
      ],
    ],
    [
      'areas have a further type',
      'enum-value-added',
      [
        { at: schema('Area', 'properties', 'type', 'enum'), append: ['commute'] },
        { at: schema('Area', USED, 'commute'), add: ['center'] },
      ],
    ],
    [
      'the name of an area has an effect',
      'unused-dropped',
      [{ at: schema('SearchFilters', 'properties', 'location', 'x-unused'), remove: true }],
    ],
    [
      'a field of details comes with one more code',
      'details-code-added',
      [{ at: details('plan', 'x-details-of'), append: ['watch_limit'] }],
    ],
    [
      'a new filter has no effect in one search',
      'field-added',
      [
        { at: schema('SearchFilters', 'properties', 'style'), add: { type: 'string' } },
        { at: call('post', '/v1/listings/sold', 'x-unused-input'), append: ['filters.style'] },
      ],
    ],
  ])('%s', (_, rule, steps) => {
    const { breaking, harmless } = judge(steps)
    expect(breaking).toEqual([])
    expect(harmless.map((change) => change.rule)).toContain(rule)
  })
})

test('the text of an error message may change', () => {
  const step: EditStep = {
    at: ['components', 'parameters', 'BboxQuery', 'schema', 'x-form'],
    replace: 'a box',
  }
  expect(judge([step])).toEqual({ breaking: [], harmless: [] })
})

test.each([
  ['the method of the SDKs', call('get', '/v1/jobs', 'x-sdk'), 'jobs.all'],
  ['what a sample shows', call('get', '/v1/jobs', 'x-sample'), { rows: false }],
])('%s is not part of the API', (_, at, value) => {
  expect(judge([{ at, replace: value }])).toEqual({ breaking: [], harmless: [] })
})

test.each([
  ['an operation', call('get', '/v1/me', 'x-new'), 'paths → /v1/me → get'],
  ['a schema', schema('Job', 'x-new'), 'components → schemas → Job'],
  [
    'a response',
    call('get', '/v1/me', 'responses', '200', 'x-new'),
    'paths → /v1/me → get → responses → 200',
  ],
])('a keyword that the policy does not name is refused on %s', (_, at, place) => {
  expect(() => judge([{ at, add: 1 }])).toThrow(`has x-new at ${place}`)
})
