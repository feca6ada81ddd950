import { all, append, drop, type Mutation, put, rename } from '../mutate.ts'
import { field, filter, home, input, schemas, search } from '../paths-in-example.ts'

/** Changes that say the same in other words, and such that are no part of the promise. */
export const silent: readonly (readonly [name: string, mutate: Mutation])[] = [
  ['a description changes', put('Another text.', ...schemas, 'Home', 'description')],
  ['a summary changes', put('Another text.', ...home, 'summary')],
  ['an example changes', put({}, ...home, 'responses', '200', 'content', 'application/json', 'examples')],
  [
    'the description of a security scheme changes',
    put('Another text.', 'components', 'securitySchemes', 'bearer', 'description'),
  ],
  [
    'the texts of OAuth scopes change',
    put(
      'Another text.',
      'components',
      'securitySchemes',
      'oauth',
      'flows',
      'clientCredentials',
      'scopes',
      'read',
    ),
  ],
  [
    'the case of the name of a header with a key changes',
    put('x-key', 'components', 'securitySchemes', 'header', 'name'),
  ],
  [
    'alternatives that exclude each other are stated to do so',
    all(
      put(
        [
          { type: 'object', required: ['by'], properties: { by: { const: 'price' } } },
          { type: 'object', required: ['by'], properties: { by: { const: 'date' } } },
        ],
        ...input('sort'),
        'oneOf',
      ),
      drop(...input('sort'), 'anyOf'),
    ),
  ],
  ['the description of a server changes', put('Another text.', 'servers', 0, 'description')],
  ['the default server is left out', drop('servers')],
  [
    'a stage that costs nothing is added to the price',
    put({ price: 0, per: 'row' }, ...search, 'x-credits', 'stages', 'photos'),
  ],
  ['the alternatives of security change their order', put([{ bearer: [] }], ...home, 'security')],
  ['the version changes', put('1.0.1', 'info', 'version')],
  ['a component that nothing uses is removed', drop(...schemas, 'Unused')],
  ['an extension that the policy ignores is added', put('detail', ...home, 'x-actor')],
  [
    'the fields of which one is needed change places',
    put(['near', 'beds', 'price'], ...input('filters'), 'x-needs', 'fields'),
  ],
  ['an input is stated to have an effect', put(false, ...filter('price'), 'x-ignored')],
  [
    'a security scheme is renamed',
    all(rename('key', 'components', 'securitySchemes', 'bearer'), put([{ key: [] }], 'security')),
  ],
  [
    'a component is renamed',
    all(
      rename('Location', ...schemas, 'Located'),
      put('#/components/schemas/Location', ...schemas, 'Home', 'allOf', 0, '$ref'),
    ),
  ],
  ['the default style of a parameter is stated', put('form', ...search, 'parameters', 1, 'style')],
  ['the default of explode is stated', put(true, ...search, 'parameters', 1, 'explode')],
  ['an optional parameter is stated to be optional', put(false, ...search, 'parameters', 0, 'required')],
  [
    'the shared parameters of a path move to its methods',
    all(
      drop('paths', '/v1/homes/{id}', 'parameters'),
      append({ $ref: '#/components/parameters/HomeId' }, ...home, 'parameters'),
      put([{ $ref: '#/components/parameters/HomeId' }], 'paths', '/v1/homes/{id}', 'delete', 'parameters'),
    ),
  ],
  [
    'the case of a header name changes',
    rename('x-request-id', ...home, 'responses', '200', 'headers', 'X-Request-Id'),
  ],
  [
    'null is an alternative instead of a type',
    put({ oneOf: [{ type: 'null' }, { type: 'integer', minimum: 0 }] }, ...field('price')),
  ],
  [
    'a text behind a reference in a keyword that is not judged changes',
    put('Another text.', ...schemas, 'Excluded', 'description'),
  ],
  [
    'an exclusive bound of an integer is written inclusively',
    all(drop(...input('maxItems'), 'minimum'), put(0, ...input('maxItems'), 'exclusiveMinimum')),
  ],
  ['a constant is written as an enum', put({ type: 'string', enum: ['home'] }, ...field('kind'))],
  ['a type is written as a list of one', put(['number'], ...field('area'), 'type')],
  ['a length of at least nothing is stated', put(0, ...field('title'), 'minLength')],
  ['an object is stated to be open', put(true, ...input('options'), 'additionalProperties')],
  [
    'a part of a type moves into it',
    all(
      drop(...schemas, 'Home', 'allOf'),
      append('city', ...schemas, 'Home', 'required'),
      put({ type: 'string' }, ...field('city')),
      put({ type: 'string', minLength: 5 }, ...field('zip')),
    ),
  ],
  [
    'the alternatives of a union change places',
    put(
      [{ type: 'integer' }, { $ref: '#/components/schemas/Agent' }, { type: 'string' }],
      ...field('contact'),
      'oneOf',
    ),
  ],
  ['the values of an enum change places', put(['sold', 'for_sale'], ...field('status'), 'enum')],
  [
    'error codes change places',
    put(['invalid_parameter', 'invalid_id'], 'components', 'responses', 'BadRequest', 'x-error-codes'),
  ],
  [
    'a reference is replaced by what it leads to',
    put(
      { type: 'object', properties: { min: { type: 'integer' }, max: { type: 'integer' } } },
      ...filter('price'),
    ),
  ],
]
