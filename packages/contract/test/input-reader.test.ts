import { describe, expect, it } from 'vitest'
import {
  ignoredHeader,
  inputReader,
  MAX_IGNORED,
  MAX_IGNORED_LENGTH,
  unknownFields,
} from '../src/checks/index.ts'
import { operationIds } from '../src/index.ts'

const read = (body: unknown, query: object = {}) => inputReader('searchListings')({ query, body })
const bbox = { west: 1, south: 2, east: 3, north: 4 }

describe('an empty value that means "absent"', () => {
  it('is removed: null, an empty list, a query parameter without a value', () => {
    const body = {
      filters: { bbox, homeTypes: [], price: null, beds: { min: 2, max: null } },
      searchUrls: [],
      maxItems: null,
    }
    const query = { format: '' }
    expect(read(body, query)).toBeUndefined()
    expect(body).toEqual({ filters: { bbox, beds: { min: 2 } } })
    expect(query).toEqual({})
  })

  it('is not listed in X-Ignored even if its name is unknown', () => {
    const body = { filters: { bbox }, note: null, tags: [] }
    expect(read(body, { utm: '' })).toBeUndefined()
    expect(body).toEqual({ filters: { bbox } })
  })

  it('stays where a value is required, so that the validator refuses it', () => {
    const body = { filters: { bbox: { west: null } } }
    read(body)
    expect(body).toEqual({ filters: { bbox: { west: null } } })
    const query = { url: '' }
    inputReader('getPropertyByUrl')({ query })
    expect(query).toEqual({ url: '' })
  })

  it('stays if it is not a list: an empty object, false, 0, or an empty text', () => {
    const body = { filters: { bbox, hasPool: false, price: {}, location: '' }, maxItems: 0 }
    read(body)
    expect(body).toEqual({ filters: { bbox, hasPool: false, price: {}, location: '' }, maxItems: 0 })
  })
})

describe('input that the contract does not name', () => {
  it('is listed by its path: in the body, in filters, in a list, or in the query', () => {
    const body = {
      maxitems: 5,
      filters: { bbox, pirce: {} },
      searchUrls: [{ url: 'x' }, { url: 'y', note: 1 }],
    }
    expect(read(body, { page: '2' })).toEqual(['page', 'maxitems', 'filters.pirce', 'searchUrls.1.note'])
  })

  it('is not listed inside a range or a box, where the validator refuses it', () => {
    expect(read({ filters: { bbox: { ...bbox, zoom: 1 }, price: { minimum: 5 } } })).toBeUndefined()
  })

  it('is not confused with inherited properties of JavaScript objects', () => {
    expect(read(JSON.parse('{"constructor": 1, "__proto__": 2}'))).toEqual(['constructor', '__proto__'])
  })

  it('is limited in number and length and is always valid in a header', () => {
    const names = Array.from({ length: 1000 }, (_, at) => `${'\ud83c'.repeat(at % 100)}${at}`)
    const ignored = read(Object.fromEntries(names.map((name) => [name, 1])))!
    expect(ignored).toHaveLength(MAX_IGNORED)
    for (const name of ignored) {
      expect(name.length).toBeLessThanOrEqual(MAX_IGNORED_LENGTH)
      expect(name.isWellFormed()).toBe(true)
    }
    const header = ignoredHeader(['a b', 'x,y', 'é\r\n', ...ignored])
    expect(header).toMatch(/^[\x21-\x7e]+(, [\x21-\x7e]+)*$/)
    expect(header.startsWith('a%20b, x%2Cy, %C3%A9%0D%0A')).toBe(true)
    expect(header.length).toBeLessThanOrEqual(1000)
  })

  it.each(operationIds)('needs no allocation for %s if nothing is unknown', (id) => {
    expect(inputReader(id)({ query: {}, body: {} })).toBeUndefined()
  })
})

it('a deeply nested body is read without deep recursion', () => {
  const deep = JSON.parse(`{"filters": {"bbox": {}, "x": ${'['.repeat(200_000)}${']'.repeat(200_000)}}}`)
  expect(read(deep)).toEqual(['filters.x'])
  const lists = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  const area = JSON.parse(`{"type": "Polygon", "coordinates": ${lists}, "crs": 1}`)
  expect(read({ filters: { area } })).toEqual(['filters.area.crs'])
})

describe('an unknown path in `fields`', () => {
  const record = { own: { deep: [{}, { x: 1 }] }, price: 5 }
  it.each([
    ['not where the contract names them, though the record lacks them', 'bedrooms,priceHistory[7].price', []],
    ['not where only the record has them', 'own, own.deep[1].x ,own.deep.x', []],
    ['where neither does', 'own.nope,price.x,price[0],own.deep[0].x,constructor,address.ctiy', 'all'],
  ])('is found: %s', (_name, text, unknown) => {
    const names = text.split(',').map((path) => `fields.${path}`)
    expect(unknownFields(text, [{}, record])).toEqual(unknown === 'all' ? names : unknown)
  })
})
