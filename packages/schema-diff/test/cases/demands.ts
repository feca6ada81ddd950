import { all, drop, put } from '../mutate.ts'
import { field, input, search, webhook } from '../paths-in-example.ts'
import type { VerdictRow } from './row.ts'

const flow = ['components', 'securitySchemes', 'oauth', 'flows', 'clientCredentials'] as const
const form = ['paths', '/v1/photos', 'post', 'requestBody', 'content', 'multipart/form-data'] as const
const filters = input('filters')
const joined = [...input('joined'), 'allOf'] as const
const demand = 'constraint-introduced'
const noDemand = 'constraint-dropped'

export const breaking: readonly VerdictRow[] = [
  ['an input gets a not', demand, 'request', '→ label', put({ const: 'a' }, ...input('label'), 'not')],
  [
    'an input gets an if',
    demand,
    'request',
    '→ options',
    all(
      put({ required: ['deep'] }, ...input('options'), 'if'),
      put({ minProperties: 2 }, ...input('options'), 'then'),
    ),
  ],
  [
    'a field of an input demands another',
    demand,
    'request',
    '→ filters',
    put({ price: ['beds'] }, ...filters, 'dependentRequired'),
  ],
  [
    'a field of an input demands a schema',
    demand,
    'request',
    '→ filters',
    put({ price: { required: ['beds'] } }, ...filters, 'dependentSchemas'),
  ],
  [
    'the names of an input are restricted',
    demand,
    'request',
    '→ tags',
    put({ maxLength: 5 }, ...input('tags'), 'propertyNames'),
  ],
  [
    'an input list must contain a value',
    demand,
    'request',
    '→ codes',
    put({}, ...input('codes'), 'contains'),
  ],
  ['an output loses its not', noDemand, 'response', '→ data.mark', drop(...field('mark'), 'not')],
  [
    'the names of an output are less restricted',
    noDemand,
    'response',
    '→ data.extras',
    put({ maxLength: 30 }, ...field('extras'), 'propertyNames'),
  ],
  [
    'a field of an output no longer demands another',
    noDemand,
    'response',
    '→ data.plot',
    put({}, ...field('plot'), 'dependentRequired'),
  ],
  [
    'an output list contains another value',
    'constraint-changed',
    'response',
    '→ data.rooms',
    put({ type: 'integer' }, ...field('rooms'), 'contains'),
  ],
  [
    'the not of an output says less',
    noDemand,
    'response',
    '→ data.mark',
    put({ type: 'string', maxLength: 3 }, ...field('mark'), 'not'),
  ],
  [
    'an input must be a multiple of a larger number',
    'multiple-of-narrowed',
    'request',
    '→ step',
    put(20, ...input('step'), 'multipleOf'),
  ],
  [
    'alternatives of an input that overlap exclude each other',
    'alternatives-became-exclusive',
    'request',
    '→ either',
    all(
      put(
        [
          { type: 'object', properties: { a: { type: 'string' } } },
          { type: 'object', properties: { b: { type: 'string' } } },
        ],
        ...input('either'),
        'oneOf',
      ),
      drop(...input('either'), 'anyOf'),
    ),
  ],
  [
    'a second member of an allOf is closed',
    'field-removed',
    'request',
    '→ joined.b',
    put(false, ...joined, 1, 'additionalProperties'),
  ],
  [
    'a field of a form is written in another way',
    'encoding-changed',
    'request',
    'POST /v1/photos → request → multipart/form-data → photo',
    put('image/jpeg', ...form, 'encoding', 'photo', 'contentType'),
  ],
  [
    'a field of a form is written in a stated way',
    'encoding-changed',
    'request',
    'POST /v1/photos → request → multipart/form-data → note',
    put({ contentType: 'application/json' }, ...form, 'encoding', 'note'),
  ],
  [
    'the answer to an event needs a body',
    'required-body-added',
    'request',
    'webhook job.succeeded → answer → 200',
    put({ 'application/json': { schema: { type: 'object' } } }, ...webhook, 'responses', '200', 'content'),
  ],
  [
    'a scope of OAuth is removed',
    'scope-removed',
    'none',
    'security clientCredentials',
    drop(...flow, 'scopes', 'write'),
  ],
]

export const harmless: readonly VerdictRow[] = [
  ['an output gets a not', demand, 'response', '→ data.title', put({ const: 'a' }, ...field('title'), 'not')],
  [
    'an output gets an if',
    demand,
    'response',
    '→ data.scores',
    all(
      put({ minProperties: 1 }, ...field('scores'), 'if'),
      put({ minProperties: 2 }, ...field('scores'), 'then'),
    ),
  ],
  [
    'a further field of an output demands another',
    demand,
    'response',
    '→ data.plot',
    put({ unit: ['size'], size: ['unit'] }, ...field('plot'), 'dependentRequired'),
  ],
  [
    'the names of an output are more restricted',
    demand,
    'response',
    '→ data.extras',
    put({ maxLength: 10 }, ...field('extras'), 'propertyNames'),
  ],
  [
    'an output list contains a narrower value',
    demand,
    'response',
    '→ data.rooms',
    put({ type: 'string', maxLength: 10 }, ...field('rooms'), 'contains'),
  ],
  [
    'an output list contains a value',
    demand,
    'response',
    '→ data.photos',
    put({ type: 'object' }, ...field('photos'), 'contains'),
  ],
  [
    'the not of an output says more',
    demand,
    'response',
    '→ data.mark',
    put({ type: ['string', 'integer'] }, ...field('mark'), 'not'),
  ],
  ['an input loses its not', noDemand, 'request', '→ except', drop(...input('except'), 'not')],
  [
    'an input must be a multiple of a smaller number',
    'multiple-of-widened',
    'request',
    '→ step',
    put(5, ...input('step'), 'multipleOf'),
  ],
  [
    'alternatives of an input may fit at once',
    'alternatives-became-inclusive',
    'request',
    '→ choice',
    all(
      put([{ required: ['a'] }, { required: ['b'] }], ...input('choice'), 'anyOf'),
      drop(...input('choice'), 'oneOf'),
    ),
  ],
  [
    'a scope of OAuth is added',
    'scope-added',
    'none',
    'security clientCredentials',
    put('Delete homes.', ...flow, 'scopes', 'delete'),
  ],
  [
    'a new field of a form is written in a stated way',
    'field-added',
    'request',
    '→ multipart/form-data → plan',
    all(
      put({ type: 'string' }, ...form, 'schema', 'properties', 'plan'),
      put({ contentType: 'image/svg+xml' }, ...form, 'encoding', 'plan'),
    ),
  ],
  [
    'a response gets a body',
    'content-type-added',
    'response',
    'POST /v1/search → 200 → application/xml',
    put({ schema: { type: 'string' } }, ...search, 'responses', '200', 'content', 'application/xml'),
  ],
]
