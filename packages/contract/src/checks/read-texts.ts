// The texts of paths, queries and headers as the numbers and booleans that the contract says they are. Numbers are in plain
// decimal notation: what one program reads as another number than the next (hexadecimal, exponents, a plus sign, spaces, integers
// that a double does not hold exactly) is left for the validator to refuse. The service and the mock share this reader.

import { wholeSchema } from '../nodes.ts'
import type { Finding } from './finding.ts'

/** The node of the contract that a text is read by. */
type TextSchema = Readonly<Record<string, unknown>>

/** Changes the values in place. The finding is about the first integer that no program can be sure to read exactly. */
export type ReadTexts = (values: Record<string, unknown>) => Finding | undefined

/** `100.0` is a whole number too: some clients hold all numbers as decimals. */
const INTEGER = /^-?[0-9]+(?:\.0+)?$/
const DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?$/
const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false }

/** @param schemas of the parameters of one part, by name */
export function createTextReader(schemas: Readonly<Record<string, unknown>>): ReadTexts {
  const readers = Object.entries(schemas).map(([name, node]) => {
    const schema = wholeSchema(node)
    return { name, schema, read: READERS_BY_TYPE[schemaType(schema)] }
  })
  return (values) => {
    for (const { name, schema, read } of readers) {
      const value = values[name]
      if (value === undefined || read === undefined) continue
      const known = read(value)
      values[name] = known
      const inexact = typeof known === 'number' && findInexact(known, value, schema)
      if (inexact) return { ...inexact, instancePath: `/${name}`, parentSchema: schema, data: value }
    }
    return undefined
  }
}

const READERS_BY_TYPE: Readonly<Record<string, (value: unknown) => unknown>> = {
  integer: (value) => readNumber(value, INTEGER),
  number: (value) => readNumber(value, DECIMAL),
  boolean: (value) => (typeof value === 'string' ? (BOOLEANS[value] ?? value) : value),
  // An estimate has the parameters of a call as JSON: `{"zip": 98109}`.
  string: (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
}

function schemaType({ type }: TextSchema): string {
  const [first = ''] = [type].flat().filter((one) => one !== 'null')
  return String(first)
}

function readNumber(value: unknown, form: RegExp): unknown {
  if (typeof value !== 'string' || !form.test(value)) return value
  const number = Number(value)
  // Without the sign of -0.
  return Number.isFinite(number) ? number + 0 : value
}

function findInexact(
  number: number,
  value: unknown,
  { maximum, minimum }: TextSchema,
): Pick<Finding, 'keyword' | 'params'> | undefined {
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER || typeof value !== 'string') return undefined
  return number > 0
    ? { keyword: 'maximum', params: { limit: maximum ?? Number.MAX_SAFE_INTEGER } }
    : { keyword: 'minimum', params: { limit: minimum ?? Number.MIN_SAFE_INTEGER } }
}
