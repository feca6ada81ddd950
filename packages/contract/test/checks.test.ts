import { describe, expect, it } from 'vitest'
import {
  addContractKeywords,
  describeFinding,
  type Finding,
  formatApiKey,
  isApiKey,
} from '../src/checks/index.ts'
import { createInputCheck } from '../src/input.ts'

describe('an API key', () => {
  const key = formatApiKey('A'.repeat(32))

  it('consists of lot_ and 38 letters and digits', () => {
    expect(key).toMatch(/^lot_A{32}[0-9A-Za-z]{6}$/)
    expect(isApiKey(key)).toBe(true)
  })

  it('is refused if any one character is changed', () => {
    for (let at = 0; at < key.length; at++) {
      const other = key[at] === 'B' ? 'C' : 'B'
      expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1)), `character ${at}`).toBe(false)
    }
  })

  it('can have the prefix of a test key, of a cell, or of both, and the checksum covers it', () => {
    for (const prefix of ['lot_test_', 'lot_c7_', 'lot_c120_', 'lot_test_c7_']) {
      const other = formatApiKey('A'.repeat(32), prefix)
      expect(other).toMatch(/^lot_(test_)?(c[0-9]+_)?[0-9A-Za-z]{38}$/)
      expect(isApiKey(other), other).toBe(true)
      expect(isApiKey(other.replace(prefix, 'lot_')), `${other} as a key of today`).toBe(false)
    }
    expect(isApiKey(key.replace('lot_', 'lot_c7_')), 'with the checksum of another prefix').toBe(false)
  })

  it('cannot have any other prefix', () => {
    for (const prefix of [
      'lot_live_',
      'lot_c_',
      'lot_C7_',
      'lot_c7_test_',
      'lot_test_test_',
      'lot_c1_c2_',
      'Lot_',
    ])
      expect(() => formatApiKey('A'.repeat(32), prefix), prefix).toThrow(TypeError)
  })

  it('is refused if it is truncated, extended, or empty', () => {
    for (const text of ['', 'lot_', key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`]) {
      expect(isApiKey(text), JSON.stringify(text)).toBe(false)
    }
  })
})

describe('an error of the schema validator', () => {
  const finding = (changes: Partial<Finding>): Finding => ({ keyword: 'type', instancePath: '', ...changes })

  it('gets the code that the contract gives the failed node', () => {
    const parentSchema = { 'x-error-code': 'invalid_filters' }
    expect(describeFinding(finding({ parentSchema }), 'body').code).toBe('invalid_filters')
    expect(describeFinding(finding({ keyword: 'required', parentSchema }), 'body').code).toBe(
      'invalid_filters',
    )
  })

  it('gets missing_input for an absent field and invalid_parameter for the rest if the node has no code', () => {
    expect(
      describeFinding(finding({ keyword: 'required', params: { missingProperty: 'url' } }), 'query'),
    ).toEqual({
      code: 'missing_input',
      message: 'url is required. Add it and repeat the call.',
      details: { parameter: 'url' },
    })
    expect(describeFinding(finding({ params: { type: 'object' }, data: [1] }), 'body')).toEqual({
      code: 'invalid_parameter',
      message: 'body must be an object. You sent a list.',
      details: { parameter: 'body' },
    })
  })

  it.each([
    ['integer', 'a whole number'],
    [['string', 'null'], 'a string'],
    [['array', 'object'], 'a list or an object'],
  ])('about a type other than %o says: %s', (type, words) => {
    const message = `maxItems must be ${words}. You sent null.`
    const found = finding({ instancePath: '/maxItems', params: { type }, data: null })
    expect(describeFinding(found, 'body')).toMatchObject({ message })
  })

  it('says where the input is wrong, what is allowed there, and what was sent', () => {
    const found = finding({
      keyword: 'enum',
      instancePath: '/filters/homeTypes/1',
      params: { allowedValues: ['house', 'condo'] },
      data: 'castle',
    })
    expect(describeFinding(found, 'body')).toMatchObject({
      message: 'filters.homeTypes.1 must be one of house, condo. You sent "castle".',
      details: { parameter: 'filters.homeTypes.1' },
    })
  })

  it.each([
    ['pattern', {}, { 'x-form': '1 to 20 digits' }, 'x', 'zpid must be 1 to 20 digits. You sent "x".'],
    ['format', {}, { 'x-form': 'a URL' }, 'x', 'zpid must be a URL. You sent "x".'],
    ['pattern', {}, {}, 'x', 'zpid does not have the form that the reference describes. You sent "x".'],
    ['minLength', { limit: 1 }, {}, '', 'zpid must have at least 1 character. You sent 0.'],
    ['maxLength', { limit: 2 }, {}, '🏠🏠🏠', 'zpid must have at most 2 characters. You sent 3.'],
    ['minItems', { limit: 1 }, {}, [], 'zpid must have at least 1 entry. You sent 0.'],
    ['maxItems', { limit: 2 }, {}, [1, 2, 3], 'zpid must have at most 2 entries. You sent 3.'],
    ['minimum', { limit: 1 }, {}, 0, 'zpid must be at least 1. You sent 0.'],
    ['maximum', { limit: 1000 }, {}, 5000, 'zpid must be at most 1000. You sent 5000.'],
    ['uniqueItems', { i: 0, j: 1 }, {}, ['a', 'a'], 'zpid has "a" twice. Name each entry once.'],
  ])('for a violated %s with %j says what would be valid', (keyword, params, parentSchema, data, message) => {
    const found = finding({ keyword, instancePath: '/zpid', params, parentSchema, data })
    expect(describeFinding(found, 'query').message).toBe(message)
  })
})

describe('a body that needs one of several fields', () => {
  const parentSchema = {
    'x-needs-one-of': {
      fields: ['filters', 'searchUrls'],
      none: 'missing_input',
      several: 'invalid_filters',
    },
    properties: { filters: { type: 'object' }, searchUrls: { type: 'array' } },
  }
  const judge = (data: unknown) =>
    describeFinding({ keyword: 'x-needs-one-of', instancePath: '', parentSchema, data }, 'body')

  it('is refused if all of them are absent, empty lists, or null', () => {
    for (const data of [{}, { searchUrls: [] }, { filters: null, searchUrls: null }]) {
      expect(judge(data)).toEqual({
        code: 'missing_input',
        message: 'filters or searchUrls is required. Send one of them.',
        details: { parameter: 'filters' },
      })
    }
  })

  it('is refused with the full paths of the fields if the object is nested', () => {
    const schema = { 'x-needs-one-of': { fields: ['bbox', 'area', 'zips'], none: 'invalid_filters' } }
    const finding = { keyword: 'x-needs-one-of', instancePath: '/filters', parentSchema: schema, data: {} }
    expect(describeFinding(finding, 'body')).toEqual({
      code: 'invalid_filters',
      message: 'filters.bbox, filters.area or filters.zips is required. Send one of them.',
      details: { parameter: 'filters.bbox' },
    })
  })

  it('is refused if it has several of them', () => {
    expect(judge({ filters: {}, searchUrls: [{}] })).toEqual({
      code: 'invalid_filters',
      message: 'filters and searchUrls cannot be used together. Send one of them.',
      details: { parameter: 'searchUrls' },
    })
  })

  it('is judged by type if a field that should be a list has another type', () => {
    let holds: ((rule: never, value: unknown, holder?: object) => boolean) | undefined
    addContractKeywords({
      addKeyword: ({ validate }) => {
        holds = validate as typeof holds
      },
    })
    expect(holds?.(undefined as never, { filters: [] }, parentSchema)).toBe(true)
    expect(holds?.(undefined as never, { searchUrls: [] }, parentSchema)).toBe(false)
    expect(holds?.(undefined as never, 'no object', parentSchema)).toBe(true)
  })
})

describe('a value that may have one of several forms', () => {
  const check = createInputCheck({ useDefaults: false })
  const messageOfArea = (area: unknown) =>
    check('searchListings', { params: {}, query: {}, headers: {}, body: { filters: { area } } })?.message

  const CIRCLE = { type: 'circle', center: [0, 0], radius_m: 5 }
  it.each<[unknown, RegExp]>([
    ['Seattle', /^filters\.area is no area\. Send an object with a type/],
    [Array(21).fill({ type: 'circle' }), /^filters\.area has 21 areas, and can have 20\. /],
    [{ type: 'square' }, /^filters\.area\.type is no type of area\. /],
    [[CIRCLE, { type: 'square' }], /^filters\.area\.1\.type is no type of area\. /],
    [{ type: 'Polygon', coordinates: [[['0', 0]]] }, /^filters\.area\.coordinates\.0\.0 is no position\. /],
    [{ ...CIRCLE, coordinates: [[['0', 0]]] }, /^filters\.area\.coordinates\.0\.0\.0 must be a number/],
    [{ ...CIRCLE, coordinates: [[0, 0]] }, /^filters\.area\.coordinates\.0\.0 must be a list/],
  ])('is refused with the error of the nearest form: %j', (area, message) => {
    expect(messageOfArea(area)).toMatch(message)
  })
})
