// Valid calls with more in them than they need: what means the same as absent, what the contract does not name, and what it
// names and the call does not use. Made from the contract, so that a new operation, field or parameter is covered as it
// comes. The service and the mock run through all of them.

import { type OperationId, operationIds, operations } from '../src/generated/operations.ts'
import {
  bodyExamples,
  listParameters,
  type Node,
  operationNode,
  type Parameter,
  resolve,
} from '../src/nodes.ts'
import { isListOfTexts } from './bad-texts.ts'
import { type ExampleCall, minimalCall } from './example-calls.ts'

const value = true
/** Of each key of a searchQueryState that the contract says is read, one that asks for something. */
const READ_KEYS = {
  price: { max: 900_000 },
  beds: { min: 1 },
  baths: { min: 1 },
  sqft: { min: 1 },
  built: { min: 1900 },
  lot: { min: 1 },
  hoa: { max: 900 },
  doz: { value: '36m' },
  pool: { value },
  gar: { value },
  wat: { value },
  open: { value },
  '55plus': { value: 'e' },
  rs: { value: false },
  fr: { value: false },
  pnd: { value: false },
  fsba: { value },
  fsbo: { value },
  nc: { value },
  fore: { value },
  auc: { value },
  cmsn: { value },
  ah: { value },
  sf: { value },
  con: { value },
  tow: { value },
  mf: { value },
  manu: { value },
  land: { value },
  apa: { value },
  apco: { value },
}
const LONG_KEYS = {
  lotSize: { min: 1 },
  isOpenHousesOnly: { value },
  ageRestricted55Plus: { value: 'o' },
  isForRent: { value },
  monthlyPayment: { max: 5000 },
}
const NOT_FOR_SALE = Object.fromEntries(
  ['fsba', 'fsbo', 'nc', 'fore', 'auc', 'cmsn'].map((key) => [key, { value: false }]),
)

/** The site writes these beside the filters; they do not narrow a search. */
const SITE_KEYS = {
  isMapVisible: true,
  isListVisible: true,
  mapZoom: 12,
  usersSearchTerm: 'Seattle, WA',
  category: 'cat1',
}

function searchUrl(filterState: object, beside: object = {}, inBox: object = {}, parameters = ''): string {
  const mapBounds = { west: -122.375, east: -122.34, south: 47.622, north: 47.65, ...inBox }
  const state = JSON.stringify({ mapBounds, filterState, ...beside })
  return `https://www.zillow.com/seattle-wa/?searchQueryState=${encodeURIComponent(state)}${parameters}`
}

export interface OddCall {
  readonly name: string
  readonly call: ExampleCall
  /** The call without what is odd about it. */
  readonly plain: ExampleCall
}

/** Every optional input of each operation, sent as clients send what was never set. */
export const emptyInputs: readonly OddCall[] = operationIds.flatMap((id) => {
  const plain = minimalCall(id)
  const queries = listParameters(id)
    // What says where to search is not required, but one of it must be there.
    .filter(({ in: place, required, name }) => place === 'query' && !required && !(name in plain.query))
    .flatMap((parameter) => emptyParameterValues(parameter).map((value) => ({ name: parameter.name, value })))
    .map(({ name, value }) => ({
      name: `${id}: ${name}=${JSON.stringify(value)}`,
      call: { ...plain, query: { ...plain.query, [name]: value } },
      plain,
    }))
  const bodies = Object.entries(bodyExamples(id)).flatMap(([example, body]) =>
    optionalFields(bodySchema(id)).flatMap(({ path, isList }) =>
      (isList ? [null, []] : [null]).flatMap((empty) => {
        const changed = withField(body, path, empty)
        return changed === undefined
          ? []
          : [
              {
                name: `${id} ${example}: ${path.join('.')} is ${JSON.stringify(empty)}`,
                call: { ...plain, body: changed },
                plain: { ...plain, body },
              },
            ]
      }),
    ),
  )
  return [...queries, ...bodies]
})

/** A list may also consist of separators. */
function emptyParameterValues(parameter: Parameter): string[] {
  return [...(parameter.allowEmptyValue ? [''] : []), ...(isListOfTexts(parameter) ? [',', ' , '] : [])]
}

/** An unknown name in each operation's query, and in each object of its body that takes unknown names. */
export const unknownInputs: readonly (OddCall & { readonly ignored: readonly string[] })[] =
  operationIds.flatMap((id) => {
    const plain = minimalCall(id)
    const query = { ...plain.query, utm_source: 'newsletter' }
    if (!operations[id].hasBody) {
      return [{ name: `${id}: utm_source`, call: { ...plain, query }, plain, ignored: ['utm_source'] }]
    }
    return Object.entries(bodyExamples(id)).map(([example, body]) => {
      const ignored = [
        'utm_source',
        'pirce',
        ...(isObject(body) && isObject(body.filters) ? ['filters.pirce'] : []),
      ]
      const changed = ignored.includes('filters.pirce')
        ? withField(withField(body, ['pirce'], 1), ['filters', 'pirce'], { max: 1 })
        : withField(body, ['pirce'], 1)
      return {
        name: `${id} ${example}: ${ignored.join(', ')}`,
        call: { ...plain, query, body: changed },
        plain: { ...plain, body },
        ignored: [...ignored].sort(),
      }
    })
  })

export interface UnusedCall extends OddCall {
  readonly headers?: Readonly<Record<string, string>>
  readonly ignored: readonly string[]
}

const RING = [
  [-122.375, 47.622, 30],
  [-122.34, 47.622],
  [-122.34, 47.65],
  [-122.375, 47.622],
]
/** Areas with fields of GeoJSON that no search uses, fields of another type of area, and an altitude. */
const AREAS = [
  { type: 'Polygon', coordinates: [RING], crs: { type: 'name' }, radius_m: 5 },
  { type: 'circle', center: [-122.357, 47.637, 7], radius_m: 500, properties: { name: 'school' } },
]
const UNUSED_OF_AREAS = ['0.coordinates.0.0.2', '0.crs', '0.radius_m', '1.center.2', '1.properties'].map(
  (place) => `filters.area.${place}`,
)

/** What the contract names and the call does not use: each kind, for every operation that can carry it. */
export const unusedInputs: readonly UnusedCall[] = operationIds.flatMap((id) => {
  const plain = minimalCall(id)
  const { method, hasBody, statuses } = operations[id]
  const parameters = listParameters(id).map(({ name }) => name)
  const unused = (
    kind: string,
    changed: Partial<UnusedCall['call']>,
    ignored: readonly string[],
    of = plain,
  ) => ({
    name: `${id}: ${kind}`,
    call: { ...of, ...changed },
    plain: of,
    ignored: [...ignored].sort(),
  })
  const isEither = 200 in statuses && 202 in statuses && hasBody
  const key = { 'idempotency-key': 'stored by no call' }
  const cases: UnusedCall[] = []
  if (isEither || !parameters.includes('Idempotency-Key')) {
    cases.push({ ...unused('a key that is not stored', {}, ['Idempotency-Key']), headers: key })
  }
  if (method === 'DELETE') cases.push(unused('a body', { body: { reason: 'unused' } }, ['body']))
  if (parameters.includes('fields')) {
    const fields = 'zpid,pirce,address.ctiy,price[0],priceHistory[0].price,schools.rating'
    cases.push(
      unused(
        'unknown fields of the record',
        { query: { ...plain.query, fields } },
        ['fields.pirce', 'fields.address.ctiy', 'fields.price[0]'],
        { ...plain, query: { ...plain.query, fields: 'zpid,priceHistory[0].price,schools.rating' } },
      ),
    )
  }
  const body = plain.body as { readonly filters?: object } | undefined
  if (!body?.filters) return cases
  const { bbox } = body.filters as { readonly bbox?: object }
  const filtered = { ...plain, body: { ...body, filters: { bbox } } }
  const withFilters = (kind: string, more: object, ignored: readonly string[], of = filtered) =>
    unused(kind, { body: { ...body, filters: { bbox, ...more } } }, ignored, of)
  cases.push(withFilters('a location', { location: 'Queen Anne, Seattle, WA' }, ['filters.location']))
  const area = [
    { type: 'Polygon', coordinates: [RING.map((position) => position.slice(0, 2))] },
    { type: 'circle', center: [-122.357, 47.637], radius_m: 500 },
  ]
  const inArea = { ...plain, body: { ...body, filters: { bbox, area } } }
  cases.push(withFilters('fields of areas', { area: AREAS }, UNUSED_OF_AREAS, inArea))
  if (!isEither) return cases
  const job = { ...filtered, body: { ...filtered.body, maxItems: 51 } }
  cases.push(
    unused(
      'the format of a job, and async: false',
      { query: { ...job.query, format: 'csv' }, body: { ...job.body, async: false } },
      ['format', 'async'],
      job,
    ),
  )
  if (id === 'searchListings') return cases
  cases.push(withFilters('a status beside that of the path', { status: 'sold' }, ['filters.status']))
  const url = searchUrl({ fr: { value: true }, rs: { value: false } })
  const byUrl = { ...plain, body: { searchUrls: [{ url: searchUrl({}) }] } }
  cases.push(
    unused(
      'the status of a search URL',
      { body: { searchUrls: [{ url, note: 1 }] } },
      ['searchUrls.0.note', ...['fr', 'rs'].map((name) => `searchUrls.0.url.filterState.${name}`)],
      byUrl,
    ),
  )
  return cases
})

/** Search URLs with every key that is read, and with some that are not. */
export const unreadSearchUrls: readonly (OddCall & { readonly ignored: readonly string[] })[] = (
  [
    ['every key that is read, as URLs write it', searchUrl(READ_KEYS), []],
    ['the long spellings', searchUrl(LONG_KEYS), []],
    ['the rent of a search that is for sale', searchUrl({ mp: { max: 2000 } }), ['filterState.mp']],
    ['the rent of rentals', searchUrl({ mp: { max: 2000 }, fr: { value: true }, ...NOT_FOR_SALE }), []],
    [
      'the price beside the rent of rentals',
      searchUrl({ mp: { max: 2000 }, price: { max: 400_000 }, fr: { value } }),
      ['filterState.price'],
    ],
    [
      'ways to sell a home, of homes that were sold',
      searchUrl({ ...NOT_FOR_SALE, rs: { value }, fsba: { value }, auc: { value } }),
      ['filterState.fsba', 'filterState.auc'],
    ],
    [
      'ways to sell a home, of rentals',
      searchUrl({ fr: { value }, isNewConstruction: { value }, fore: { value } }),
      ['filterState.isNewConstruction', 'filterState.fore'],
    ],
    [
      'unknown keys, also inside of a known one',
      searchUrl(
        { cityv: { value: true }, beds: { min: 2, exact: true }, quiet: { value: null } },
        {
          regionSelection: [{ regionId: 1 }],
          pagination: { currentPage: 2 },
          mapZoom: 12,
          customRegionId: '',
        },
      ),
      ['regionSelection', 'pagination', 'mapZoom', 'filterState.cityv', 'filterState.beds.exact'],
    ],
    [
      'what the site adds for its own page',
      searchUrl({}, SITE_KEYS, { zoom: 11 }, '&utm_source=mail&empty='),
      ['utm_source', 'mapBounds.zoom', ...Object.keys(SITE_KEYS)],
    ],
    ['a key in both spellings', searchUrl({ lot: { min: 5 }, lotSize: { min: 9 } }), ['filterState.lotSize']],
  ] as const
).map(([name, url, unread]) => {
  const body = { searchUrls: [{ url }] }
  const call = { id: 'searchListings' as const, params: {}, query: {}, body }
  const ignored = unread.map((place) => `searchUrls.0.url.${place}`).sort()
  return { name: `a search URL with ${name}`, call, plain: call, ignored }
})

/** The calls of all lists above inside of an estimate, as far as an estimate reads what is odd about them. */
export const estimatedInputs: readonly (OddCall & { readonly ignored: readonly string[] })[] = [
  ...emptyInputs.map((odd) => ({ ...odd, ignored: [] })),
  ...unknownInputs,
  ...unusedInputs.filter(({ headers }) => headers === undefined),
  ...unreadSearchUrls,
].flatMap(({ name, call, plain, ignored }) => {
  // An estimate of an estimate is refused.
  if (call.id === 'estimateCall') return []
  // What of `fields` leads nowhere is found in the record, which an estimate does not read.
  if (ignored.some((place) => place.startsWith('fields.'))) return []
  const inQuery = new Set(Object.keys(call.query))
  const places = ignored.map((place) => {
    if (place === 'body') return 'input.body'
    return inQuery.has(place) ? `input.query.${place}` : `input.body.${place}`
  })
  return [{ name, call: toEstimateCall(call), plain: toEstimateCall(plain), ignored: places.sort() }]
})

function toEstimateCall({ id, params, query, body }: ExampleCall): ExampleCall {
  const input = { path: params, query, ...(body !== undefined && { body }) }
  return { id: 'estimateCall', params: {}, query: {}, body: { operation: id, input } }
}

interface OptionalField {
  readonly path: readonly string[]
  readonly isList: boolean
}

/** Of a body, down to the fields of its objects. */
function optionalFields(schema: Node, path: readonly string[] = []): OptionalField[] {
  const { properties = {}, required = [] } = resolve(schema) as {
    properties?: Readonly<Record<string, Node>>
    required?: readonly string[]
  }
  return Object.entries(properties).flatMap(([name, field]) => {
    const here = [...path, name]
    const { type, minItems = 0 } = resolve(field)
    // A list that must have entries is refused without any.
    const isList = [type].flat().includes('array') && minItems === 0
    return [...(required.includes(name) ? [] : [{ path: here, isList }]), ...optionalFields(field, here)]
  })
}

/** A copy with the value at the path; undefined where the path leads through what is not there, or is needed itself. */
function withField(body: unknown, path: readonly string[], value: unknown): unknown {
  const copy = structuredClone(body)
  let at = copy
  for (const step of path.slice(0, -1)) {
    if (!isObject(at) || !isObject(at[step])) return undefined
    at = at[step]
  }
  const last = path.at(-1)!
  // What the example has is what it is about.
  if (!isObject(at) || Object.hasOwn(at, last)) return undefined
  at[last] = value
  return copy
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function bodySchema(id: OperationId): Node {
  const body = operationNode(id).requestBody
  if (body === undefined) return {}
  const { content } = resolve(body) as { content: Readonly<Record<string, { readonly schema: Node }>> }
  return content['application/json']!.schema
}
