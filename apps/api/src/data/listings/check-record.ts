// Checks whether a record can be imported: every field that the contract knows must have the type and form of the contract, so that every
// response fits it, and its position must exist. A value in another form, such as a number written as text or a time without an offset, is
// converted. Unknown fields are kept unchanged. A fault shows the value, so that the operator can find it in the file.

import { openapi, type Property } from '@lotline/contract'
import { type JsonType, nameTypes } from '@lotline/contract/checks'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { isObject, readZpid } from '../../domain/record.ts'
import { convert } from './convert.ts'
import { toDate, toDateTime } from './date-time.ts'
import { type CheckedFields, type RecordWarning, takeWarnings } from './record-warnings.ts'

export type CheckedRecord =
  | { readonly record: Property; readonly warnings: readonly RecordWarning[] }
  | { readonly fault: string }

/** Converts fields of `value` in place. */
export function checkRecord(value: unknown): CheckedRecord {
  if (!isObject(value)) return { fault: 'is not a JSON object' }
  const zpid = readZpid(value.zpid)
  if (zpid === undefined) return { fault: `has no usable zpid (1 to 20 digits): ${show(value.zpid)}` }
  // JSON may be nested more deeply than other programs can follow.
  if (isDeeperThan(value, MAX_DEPTH)) return { fault: `is nested more than ${MAX_DEPTH} levels deep` }
  value.zpid = zpid
  compiled ??= compile()
  const validate = compiled
  // Two repairs, because a value may first need its type and then its form: epoch milliseconds for a date.
  for (let repairs = 0; !validate(value); repairs++) {
    if (repairs === 2) return { fault: describe(value, validate.errors ?? []) }
    repair(value, validate.errors ?? [])
  }
  const warnings = takeWarnings(value, new Date().getUTCFullYear())
  const fault = faultOfPosition(value)
  return fault === undefined ? { record: value as Property, warnings } : { fault }
}

const MAX_DEPTH = 64

let compiled: ValidateFunction | undefined

// Compiled on first use, because compiling takes longer than the rest of a command.
function compile(): ValidateFunction {
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    allErrors: true,
    // Of the contract's formats, only dates and times restrict JSON values.
    formats: { date: fullFormats.date, 'date-time': fullFormats['date-time'] },
    logger: false,
    // Halves the time to compile. Other tests check the contract, and the engine does what Ajv would optimize.
    validateSchema: false,
    code: { optimize: false },
  })
  ajv.addSchema(openapi, 'contract')
  return ajv.compile({ $ref: 'contract#/components/schemas/Property' })
}

/** Converts values of a wrong type if their meaning is clear. */
function repair(record: CheckedFields, errors: readonly ErrorObject[]): void {
  for (const error of errors) {
    if (error.keyword !== 'type' && error.keyword !== 'format') continue
    const path = pathOf(error)
    const name = path.pop()
    const holder = path.reduce<unknown>((value, step) => (value as CheckedFields | undefined)?.[step], record)
    if (name === undefined || typeof holder !== 'object' || holder === null) continue
    const fields = holder as CheckedFields
    if (error.keyword === 'format') {
      const value = fields[name]
      const { format } = error.params as { format: string }
      fields[name] = (format === 'date' ? toDate(value) : toDateTime(value, record.timeZone)) ?? value
      continue
    }
    const types = typesIn(error)
    const converted = convert(fields[name], types)
    if ('value' in converted) fields[name] = converted.value
  }
}

const FORMATS: Readonly<Partial<Record<string, string>>> = {
  date: 'must be a date such as 2026-11-22',
  'date-time': 'must be a date and time such as 2026-11-22T13:00:00-08:00',
}

function describe(record: CheckedFields, errors: readonly ErrorObject[]): string {
  // Among the alternatives of a value, the one with the longest path was meant.
  const [error] = [...errors]
    .filter(({ keyword }) => keyword !== 'anyOf')
    .sort((one, other) => pathOf(other).length - pathOf(one).length)
  if (!error) return 'is not what the contract calls a record'
  const path = pathOf(error)
  const value = path.reduce<unknown>((inner, step) => (inner as CheckedFields)[step], record)
  const place = path
    .map((step, at) => (/^\d+$/.test(step) ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('')
  const wanted =
    error.keyword === 'type'
      ? `must be ${nameTypes(typesIn(error))}`
      : error.keyword === 'format'
        ? FORMATS[(error.params as { format: string }).format]
        : (error.message ?? 'is wrong')
  return `has a wrong field: ${place} ${wanted}, not ${show(value)}`
}

function faultOfPosition({ latitude, longitude }: CheckedFields): string | undefined {
  const hasLatitude = typeof latitude === 'number'
  const hasLongitude = typeof longitude === 'number'
  if (hasLatitude !== hasLongitude) return `has only one of latitude and longitude`
  if (hasLatitude && Math.abs(latitude) > 90) return `has a latitude beyond ±90: ${latitude}`
  if (hasLongitude && Math.abs(longitude) > 180) return `has a longitude beyond ±180: ${longitude}`
  return undefined
}

function typesIn({ params }: ErrorObject): Set<JsonType> {
  return new Set([params.type].flat() as JsonType[])
}

function pathOf({ instancePath }: ErrorObject): string[] {
  const steps = instancePath.split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((inner) => isDeeperThan(inner, levels - 1))
  // An object that JSON.parse makes has only its own properties.
  for (const name in value) {
    const inner = (value as CheckedFields)[name]
    // Checked before the call, because most values are no objects and a call costs more than the check.
    if (typeof inner === 'object' && isDeeperThan(inner, levels - 1)) return true
  }
  return false
}

/** A value of the source, shortened. */
function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
