import type { Property } from '@lotline/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_FIELD_DEPTH, MAX_FIELD_PATHS, parseFields, project } from '../../../src/domain/record/fields.ts'

const RECORD = {
  zpid: '1',
  price: 500_000,
  zestimate: null,
  address: { city: 'Seattle', state: 'WA', zipcode: null },
  attributionInfo: null,
  photos: ['a', 'b'],
  priceHistory: [
    { date: '2024-01-01', event: 'Sold', price: 500_000, source: { name: 'x' } },
    { date: '2020-01-01', event: 'Sold', price: 400_000, source: null },
    { date: '2010-01-01', event: 'Listed for sale', price: null },
  ],
  rooms: [[{ area: 1 }, { area: 2 }], [{ area: 3 }]],
}

function pick(text: string, record: object = RECORD): object {
  const fields = parseFields(text)
  if (fields && 'refused' in fields) throw new Error(fields.message)
  return project(record as Property, fields)
}

describe('a projection has the fields that its paths name', () => {
  test.each<[string, object]>([
    ['zpid', { zpid: '1' }],
    ['zpid,address.city', { zpid: '1', address: { city: 'Seattle' } }],
    [' zpid , address.city ,', { zpid: '1', address: { city: 'Seattle' } }],
    ['address.city,address.state', { address: { city: 'Seattle', state: 'WA' } }],
    ['address,address.city', { address: RECORD.address }],
    ['address.city,address', { address: RECORD.address }],
    ['address.zipcode', { address: { zipcode: null } }],
    ['zestimate', { zestimate: null }],
    ['attributionInfo.agentName', { attributionInfo: null }],
    ['priceHistory[0].price', { priceHistory: [{ price: 500_000 }] }],
    ['priceHistory[1]', { priceHistory: [RECORD.priceHistory[1]] }],
    ['priceHistory[2].price,priceHistory[0].price', { priceHistory: [{ price: 500_000 }, { price: null }] }],
    [
      'priceHistory[0].price,priceHistory[0].date',
      { priceHistory: [{ price: 500_000, date: '2024-01-01' }] },
    ],
    ['priceHistory.price', { priceHistory: [{ price: 500_000 }, { price: 400_000 }, { price: null }] }],
    [
      'priceHistory.price,priceHistory[1].event',
      { priceHistory: [{ price: 500_000 }, { price: 400_000, event: 'Sold' }, { price: null }] },
    ],
    [
      'priceHistory.price,priceHistory[1]',
      { priceHistory: [{ price: 500_000 }, RECORD.priceHistory[1], { price: null }] },
    ],
    ['priceHistory.source.name', { priceHistory: [{ source: { name: 'x' } }, { source: null }, {}] }],
    ['photos[1]', { photos: ['b'] }],
    ['photos[7]', { photos: [] }],
    ['photos.url', { photos: [] }],
    ['rooms[0][1].area', { rooms: [[{ area: 2 }]] }],
    ['rooms.area', { rooms: [[{ area: 1 }, { area: 2 }], [{ area: 3 }]] }],
    ['unknown', {}],
    ['unknown.deeper[3].still', {}],
    ['zpid.length', {}],
    ['zpid[0]', {}],
    ['address[0]', { address: {} }],
    ['price,zpid', { price: 500_000, zpid: '1' }],
  ])('%s', (text, expected) => {
    const picked = pick(text)
    expect(picked).toEqual(expected)
    expect(Object.keys(picked)).toEqual(Object.keys(expected))
  })

  test.each(['', ' ', ',', ' , ,'])('an empty list of paths selects everything: "%s"', (text) => {
    expect(parseFields(text)).toBeUndefined()
    expect(pick(text)).toBe(RECORD)
  })
})

describe('only properties of the record itself can be selected', () => {
  test.each([
    '__proto__',
    '__proto__.toString',
    'constructor',
    'constructor.name',
    'toString',
    'photos.length',
    'hasOwnProperty',
  ])('%s', (text) => {
    expect(JSON.stringify(pick(text))).toMatch(/^(?:\{\}|\{"photos":\[\]\})$/)
  })

  test('a field called __proto__ does not pollute the prototype', () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":true},"zpid":"1"}') as object
    const picked = pick('__proto__.polluted,zpid', hostile)
    expect(JSON.stringify(picked)).toBe('{"__proto__":{"polluted":true},"zpid":"1"}')
    expect(Object.getPrototypeOf(picked)).toBe(Object.prototype)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('invalid paths are refused with invalid_parameter', () => {
  test.each([
    ['two dots', 'a..b'],
    ['a leading dot', '.a'],
    ['a final dot', 'a.'],
    ['an open bracket', 'a[0'],
    ['a closing bracket', 'a]'],
    ['an empty index', 'a[]'],
    ['a negative index', 'a[-1]'],
    ['a word as index', 'a[b]'],
    ['a wildcard index', 'a[*]'],
    ['an index alone', '[0]'],
    ['a name behind an index', 'a[0]b'],
    ['a huge index', 'a[99999999999]'],
    ['too deep', Array.from({ length: MAX_FIELD_DEPTH + 1 }, () => 'a').join('.')],
    ['too many', Array.from({ length: MAX_FIELD_PATHS + 1 }, () => 'a').join(',')],
    ['too long', 'a'.repeat(4001)],
  ])('%s', (_, text) => {
    expect(parseFields(text)).toMatchObject({ refused: true, code: 'invalid_parameter' })
  })
})

test('1,000 paths are parsed and applied', () => {
  const names = Array.from({ length: MAX_FIELD_PATHS }, (_, at) => at.toString(36))
  const record = Object.fromEntries(names.map((name) => [name, name]))
  expect(Object.keys(pick(names.join(','), record))).toHaveLength(MAX_FIELD_PATHS)
  const list = { a: Array.from({ length: 1000 }, (_, at) => ({ b: at, c: at })) }
  const mixed = `${Array.from({ length: 570 }, (_, at) => `a[${at}]`).join(',')},a.b`
  expect((pick(mixed, list) as typeof list).a).toHaveLength(1000)
})

test('a projection is a part of its record, and projecting twice changes nothing', () => {
  const path = fc
    .array(fc.constantFrom('zpid', 'address', 'city', 'priceHistory', 'price', 'rooms', 'area', 'nope'), {
      minLength: 1,
      maxLength: 3,
    })
    .map((steps) => steps.join('.'))
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 6 }), (paths) => {
      const text = paths.join(',')
      const picked = pick(text)
      expect(RECORD).toMatchObject(picked)
      expect(pick(text, picked)).toEqual(picked)
    }),
  )
})
