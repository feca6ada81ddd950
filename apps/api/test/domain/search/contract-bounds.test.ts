import { MAX_BATCH_ENTRIES, MAX_ITEMS, openapi } from '@lotline/contract'
import { expect, test } from 'vitest'
import { MAX_ADDRESS_LENGTH, MIN_ADDRESS_LENGTH } from '../../../src/domain/address/street-address.ts'
import { MAX_FIELDS_LENGTH } from '../../../src/domain/record/fields.ts'
import { MAX_SEARCH_URL_LENGTH } from '../../../src/domain/search/search-query-state.ts'
import { MAX_LISTING_URL_LENGTH } from '../../../src/domain/site-urls/listing-url.ts'

type Node = Readonly<Record<string, unknown>>

/** The schema of a query parameter of a GET operation, or of a field of a named schema. */
function schemaAt(place: string, name: string): Node {
  const { paths, components } = openapi as unknown as {
    paths: Record<string, { get: { parameters: Node[] } }>
    components: {
      schemas: Record<string, { properties: Record<string, Node> }>
      parameters?: Record<string, Node>
    }
  }
  if (!place.startsWith('/')) return components.schemas[place]?.properties[name] ?? {}
  const parameters = (paths[place]?.get.parameters ?? []).map((parameter) => {
    const ref = typeof parameter.$ref === 'string' ? parameter.$ref.split('/').at(-1) : undefined
    return ref === undefined ? parameter : (components.parameters?.[ref] ?? {})
  })
  return (parameters.find((parameter) => parameter.name === name)?.schema ?? {}) as Node
}

test.each<[string, string, Node]>([
  ['/v1/properties/by-url', 'url', { maxLength: MAX_LISTING_URL_LENGTH }],
  ['/v1/properties/by-url', 'fields', { maxLength: MAX_FIELDS_LENGTH }],
  ['/v1/properties/by-address', 'address', { minLength: MIN_ADDRESS_LENGTH, maxLength: MAX_ADDRESS_LENGTH }],
  ['/v1/buildings/by-url', 'url', { maxLength: MAX_LISTING_URL_LENGTH }],
  ['SearchUrl', 'url', { maxLength: MAX_SEARCH_URL_LENGTH }],
  ['SearchRequest', 'maxItems', { maximum: MAX_ITEMS.PAGINATION_WITH_ZOOM_IN }],
  ['WithDetailsRequest', 'maxItems', { maximum: MAX_ITEMS.PAGINATION }],
  ['BatchRequest', 'urls', { maxItems: MAX_BATCH_ENTRIES }],
])('the contract and the code agree on the bounds of %s %s', (place, name, bounds) => {
  expect(schemaAt(place, name)).toMatchObject(bounds)
})
