// Converts values that have another type than in the contract: numbers as text, codes as numbers, yes and no as words. A value is converted
// only if its meaning is clear.

import { nameTypes } from '@lotline/contract/checks'
import type { JsonTypes } from './contract-types.ts'

export type ConvertResult = { readonly value: unknown } | { readonly fault: string }

const NUMBER = /^[-+]?\$?\s*(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:e[-+]?\d{1,3})?$/i
const YES = /^(?:true|t|yes|y|1)$/i
const NO = /^(?:false|f|no|n|0)$/i

/** `fault` is the end of a sentence: "must be a number, not "abc"". */
export function convert(value: unknown, types: JsonTypes): ConvertResult {
  const fault = { fault: `must be ${nameTypes(types)}, not ${JSON.stringify(value)}` }
  if (value === null || value === undefined) return { value: null }
  if (typeof value === 'string') {
    if (types.has('string')) return { value }
    const text = value.trim()
    if (text === '') return { value: null }
    if (types.has('number') || types.has('integer')) {
      const number = toNumber(text)
      if (number !== undefined && (types.has('number') || Number.isInteger(number))) return { value: number }
    }
    if (types.has('boolean')) {
      if (YES.test(text)) return { value: true }
      if (NO.test(text)) return { value: false }
    }
    return types.has('array') ? { value: [text] } : fault
  }
  if (typeof value === 'number') {
    if (types.has('number') || (types.has('integer') && Number.isInteger(value))) return { value }
    if (types.has('boolean') && (value === 0 || value === 1)) return { value: value === 1 }
    return types.has('string') ? { value: String(value) } : fault
  }
  if (typeof value === 'boolean') return types.has('boolean') ? { value } : fault
  return fault
}

/** Reads `1250`, `-1.5`, `4,350,000`, `$1,250.00` and `1.2e+06`. */
function toNumber(text: string): number | undefined {
  if (!NUMBER.test(text) || !/^[^e]*\d/i.test(text)) return undefined
  const number = Number(text.replace(/[$,\s]/g, ''))
  return Number.isFinite(number) ? number : undefined
}
