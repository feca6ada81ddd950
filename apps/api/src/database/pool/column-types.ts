// How column values become JavaScript values, where pg's own way would lose or distort something.

import pg from 'pg'

const INT8 = 20
const INT8_ARRAY = 1016
const NUMERIC = 1700
const NUMERIC_ARRAY = 1231
const DATE = 1082
const DATE_ARRAY = 1182
const TEXT_ARRAY = 1009

type Parse = (text: string) => unknown

const parseTextArray = pg.types.getTypeParser(TEXT_ARRAY as number, 'text') as (text: string) => unknown[]

const PARSERS = new Map<number, Parse>([
  [INT8, toInteger],
  [INT8_ARRAY, arrayOf(toInteger)],
  [NUMERIC, Number],
  [NUMERIC_ARRAY, arrayOf(Number)],
  // A day is not an instant: as a Date it would shift with the time zone of the machine.
  [DATE, (text) => text],
  [DATE_ARRAY, parseTextArray],
])

/**
 * bigint and numeric → number, date → 'YYYY-MM-DD', timestamptz → Date, json → its value, bytea → Buffer.
 * A bigint that a number cannot hold exactly is an error, never a rounded value.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const parse = format === 'binary' ? undefined : PARSERS.get(oid)
    return parse ?? pg.types.getTypeParser(oid, format as 'text')
  },
}

function toInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`The integer ${text} is too large for a number.`)
  return value
}

function arrayOf(parse: Parse): Parse {
  const each = (item: unknown): unknown => {
    if (Array.isArray(item)) return item.map(each)
    return item === null ? null : parse(item as string)
  }
  return (text) => each(parseTextArray(text))
}
