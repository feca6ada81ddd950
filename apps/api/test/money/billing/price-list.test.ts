// The price file: all of its problems are reported at the start, with their places.

import { describe, expect, it } from 'vitest'
import { ConfigError } from '../../../src/infrastructure/config/config.ts'
import { parsePriceList, priceText, readPriceList } from '../../../src/money/billing/price-list.ts'

function problemsOf(text: string): readonly string[] {
  try {
    parsePriceList(text, 'prices.yaml')
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('a price list', () => {
  it('is read with prices in hundredths, from YAML and from JSON', () => {
    const expected = {
      currency: 'usd',
      plans: { monthly: 4999, annual: 49_000 },
      packs: [{ id: 'small', credits: 500, price: 2510 }],
    }
    const yaml =
      'currency: USD\nplans:\n  monthly: 49.99\n  annual: 490\npacks:\n  - { id: small, credits: 500, price: 25.10 }\n'
    expect(parsePriceList(yaml, 'prices.yaml')).toEqual(expected)
    const json = {
      ...expected,
      plans: { monthly: 49.99, annual: 490 },
      packs: [{ id: 'small', credits: 500, price: 25.1 }],
    }
    expect(parsePriceList(JSON.stringify(json), 'prices.json')).toEqual(expected)
    expect(priceText(4999, 'usd')).toBe('$49.99')
  })

  it.each([
    ['currency: [', /is not YAML/],
    ['plans: { monthly: 1 }', /currency/],
    ['currency: usd', /neither plans nor packs/],
    ['currency: jpy\nplans: { monthly: 500 }', /currency with two decimals/],
    ['currency: xyz\nplans: { monthly: 5 }', /currency with two decimals/],
    ['currency: usd\nplans: { monthly: 5.001 }', /plans\/monthly is 5.001.*two decimals/],
    ['currency: usd\nplans: { monthly: 0 }', /plans\/monthly must be >= 0.5/],
    ['currency: usd\nplans: { custom: 5 }', /custom/],
    ['currency: usd\nplans: { free: 5 }', /free/],
    ['currency: usd\nplans: { monthly: 50, annual: 50 }', /plans\/annual must have a higher price/],
    ['currency: usd\npacks: [{ id: a, credits: 0, price: 5 }]', /packs\/0\/credits/],
    ['currency: usd\npacks: [{ id: A b, credits: 5, price: 5 }]', /packs\/0\/id/],
    [
      'currency: usd\npacks: [{ id: a, credits: 5, price: 5 }, { id: a, credits: 9, price: 9 }]',
      /the id a twice/,
    ],
  ])('is refused with %s', (text, problem) => {
    expect(problemsOf(text).join('\n')).toMatch(problem)
  })

  it('that does not exist is named in the error', () => {
    expect(() => readPriceList('/nonexistent/prices.yaml')).toThrow(
      /BILLING_FILE \/nonexistent\/prices.yaml cannot be read/,
    )
  })
})
