import { all, append, drop, put } from '../mutate.ts'
import { filter, home, input, schemas, search } from '../paths-in-example.ts'
import type { VerdictRow } from './row.ts'

const needs = [...input('filters'), 'x-needs'] as const
const near = [...schemas, 'Near'] as const
const estimate = [...home, 'responses', '203'] as const

export const breaking: readonly VerdictRow[] = [
  [
    'one of the fields of which one is needed is not one of them any more',
    'choice-narrowed',
    'request',
    'POST /v1/search → request → application/json → filters',
    drop(...needs, 'fields', 2),
  ],
  [
    'one of some fields is needed where none was',
    'choice-narrowed',
    'request',
    '→ filters.near',
    put('missing_place', ...near, 'x-needs', 'none'),
  ],
  [
    'one of some fields is needed of an object that needed none',
    'choice-narrowed',
    'request',
    '→ options',
    put({ fields: ['deep'], none: 'missing_option' }, ...input('options'), 'x-needs'),
  ],
  [
    'only one of some fields may be given',
    'choice-narrowed',
    'request',
    '→ filters',
    put('several_filters', ...needs, 'several'),
  ],
  [
    'a field that is known may no longer be given beside another one',
    'choice-narrowed',
    'request',
    '→ filters.near',
    append('radius', ...near, 'x-needs', 'fields'),
  ],
  [
    'a call without one of the fields is refused with another code',
    'choice-changed',
    'request',
    '→ filters',
    put('no_filter', ...needs, 'none'),
  ],
  [
    'a demand for fields has a form that is not known',
    'choice-changed',
    'request',
    '→ filters',
    put(2, ...needs, 'exactly'),
  ],
  [
    'an object of one kind no longer uses a field',
    'field-use-removed',
    'request',
    '→ filters.near.radius',
    drop(...near, 'x-fields-of', 'circle', 1),
  ],
  [
    'an object of a kind that used all fields uses some',
    'field-use-removed',
    'request',
    '→ filters.near.center',
    put(['radius', 'name'], ...near, 'x-fields-of', 'box'),
  ],
  [
    'an input has no effect any more',
    'ignored-introduced',
    'request',
    '→ filters.agentName',
    put(true, ...filter('agentName'), 'x-ignored'),
  ],
  [
    'an input has no effect in one operation any more',
    'ignored-input-added',
    'none',
    'POST /v1/search → input filters.price.min',
    append('filters.price.min', ...search, 'x-ignored-input'),
  ],
  [
    'a field of a response is no longer filled for one of its kinds',
    'filled-for-removed',
    'response',
    'GET /v1/homes/{id} → 200',
    drop(...schemas, 'Home', 'properties', 'listedAt', 'x-filled-for', 1),
  ],
  [
    'a response that was asked for is sent to each caller',
    'condition-dropped',
    'response',
    'GET /v1/homes/{id} → 203',
    drop(...estimate, 'x-only-with'),
  ],
  [
    'a response that each caller got must be asked for',
    'condition-introduced',
    'response',
    'GET /v1/homes/{id} → 200',
    put('X-Dry-Run', ...home, 'responses', '200', 'x-only-with'),
  ],
  [
    'a content type that each caller got must be asked for',
    'condition-introduced',
    'response',
    'POST /v1/search → 200 → text/csv',
    put('format', ...search, 'responses', '200', 'content', 'text/csv', 'x-only-with'),
  ],
  [
    'a header that each caller got must be asked for',
    'condition-introduced',
    'response',
    'GET /v1/homes/{id} → 200 → header X-Credits-Charged',
    put('X-Dry-Run', ...home, 'responses', '200', 'headers', 'X-Credits-Charged', 'x-only-with'),
  ],
  [
    'a response must be asked for with another parameter',
    'condition-changed',
    'response',
    'GET /v1/homes/{id} → 203',
    put('X-Trace', ...estimate, 'x-only-with'),
  ],
]

export const harmless: readonly VerdictRow[] = [
  [
    'a field of a response is filled for a further kind',
    'filled-for-added',
    'response',
    'GET /v1/homes/{id} → 200',
    append('condo', ...schemas, 'Home', 'properties', 'listedAt', 'x-filled-for'),
  ],
  [
    'a further field is one of those of which one is needed',
    'choice-widened',
    'request',
    '→ filters',
    append('statuses', ...needs, 'fields'),
  ],
  ['none of some fields is needed any more', 'choice-widened', 'request', '→ filters', drop(...needs)],
  [
    'several of some fields may be given',
    'choice-widened',
    'request',
    '→ filters.near',
    drop(...near, 'x-needs'),
  ],
  [
    'a new field is one of those of which only one may be given',
    'field-added',
    'request',
    '→ filters.near.zip',
    all(
      put({ type: 'string' }, ...near, 'properties', 'zip'),
      append('zip', ...near, 'x-needs', 'fields'),
      append('zip', ...near, 'x-fields-of', 'town'),
    ),
  ],
  [
    'an object of one kind uses a further field',
    'field-use-added',
    'request',
    '→ filters.near.name',
    append('name', ...near, 'x-fields-of', 'circle'),
  ],
  [
    'a new kind of object has its list of fields',
    'enum-value-added',
    'request',
    '→ filters.near.kind',
    all(
      append('county', ...near, 'properties', 'kind', 'enum'),
      put(['name'], ...near, 'x-fields-of', 'county'),
    ),
  ],
  [
    'an input has an effect',
    'ignored-dropped',
    'request',
    '→ filters.place',
    drop(...filter('place'), 'x-ignored'),
  ],
  [
    'an input has an effect in one operation',
    'ignored-input-removed',
    'none',
    'POST /v1/search → input filters.agentName',
    put([], ...search, 'x-ignored-input'),
  ],
  [
    'a new field has no effect in one operation',
    'field-added',
    'request',
    '→ filters.zip',
    all(put({ type: 'string' }, ...filter('zip')), append('filters.zip', ...search, 'x-ignored-input')),
  ],
]
