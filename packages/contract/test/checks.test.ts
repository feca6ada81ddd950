import { describe, expect, it } from 'vitest'
import { apiKeyOf, type Finding, faultOf, isApiKey } from '../src/checks/index.ts'

describe('an API key', () => {
  const key = apiKeyOf('A'.repeat(32))

  it('is lot_ and 38 letters and digits', () => {
    expect(key).toMatch(/^lot_A{32}[0-9A-Za-z]{6}$/)
    expect(isApiKey(key)).toBe(true)
  })

  it('is refused when any one character of it is another', () => {
    for (let at = 0; at < key.length; at++) {
      const other = key[at] === 'B' ? 'C' : 'B'
      expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1)), `character ${at}`).toBe(false)
    }
  })

  it('is refused when it is cut, grown or empty', () => {
    for (const text of ['', 'lot_', key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`]) {
      expect(isApiKey(text), JSON.stringify(text)).toBe(false)
    }
  })
})

describe('a finding of a validator', () => {
  const finding = (changes: Partial<Finding>): Finding => ({ keyword: 'type', instancePath: '', ...changes })

  it('has the code that the failed node of the contract names', () => {
    const parentSchema = { 'x-error-code': 'invalid_filters' }
    expect(faultOf(finding({ parentSchema }), 'body').code).toBe('invalid_filters')
    expect(faultOf(finding({ keyword: 'required', parentSchema }), 'body').code).toBe('invalid_filters')
  })

  it('is missing_input for an absent field and invalid_parameter for the rest, where the node names none', () => {
    expect(faultOf(finding({ keyword: 'required', params: { missingProperty: 'url' } }), 'query')).toEqual({
      code: 'missing_input',
      message: 'url is required.',
      details: { parameter: 'url' },
    })
    expect(faultOf(finding({ message: 'must be object' }), 'body')).toEqual({
      code: 'invalid_parameter',
      message: 'body must be object.',
      details: { parameter: 'body' },
    })
  })

  it('says where it is and what is allowed there', () => {
    const found = finding({
      keyword: 'enum',
      instancePath: '/filters/homeTypes/1',
      params: { allowedValues: ['house', 'condo'] },
    })
    expect(faultOf(found, 'body')).toMatchObject({
      message: 'filters.homeTypes.1 must be one of house, condo.',
      details: { parameter: 'filters.homeTypes.1' },
    })
  })
})
