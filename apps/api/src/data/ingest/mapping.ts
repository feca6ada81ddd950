// A mapping file describes the layout of a CSV file, how to read its cells, and the record to make of a row. Its manual is the guide "Your
// own listings". This file parses and checks it; compile-mapping.ts applies it.

import { readFile } from 'node:fs/promises'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { parse, YAMLParseError } from 'yaml'
import { faultOfDateForm, formHasTime } from './date-form.ts'
import { ImportFailure } from './source-row.ts'

export type Scalar = string | number | boolean | null

/** The rule for reading the cells of a column. Without a rule, the value of a cell is its text, and an empty cell has no value. */
export interface ColumnRule {
  /**
   * The header of the column, if the rule has another name. `URL*` is the one column whose header begins with URL. `{MONTH}/{YEAR}` makes
   * one text of several cells.
   */
  readonly from?: string
  /** Whether the file may lack the column. It is then read as if all its cells were empty. */
  readonly optional?: boolean
  /** A regular expression that the cell must match. Its first group becomes the cell. */
  readonly match?: string
  /** Cells that mean "no value", in addition to empty ones. */
  readonly empty?: readonly Scalar[]
  /** The value for each text of a cell. */
  readonly values?: Readonly<Record<string, Scalar>>
  /** The value for all other texts. Without it, a row with another text is rejected. */
  readonly otherwise?: Scalar
  /** The form of a date, such as `YYYY-MM-DD` or `MMMM-D-YYYY`, several of them, or `days before import`. */
  readonly date?: string | readonly string[]
  /** The IANA name of the zone of the column's times. Without it, only the day counts. */
  readonly time_zone?: string
  /** The text is padded with zeros to this length. */
  readonly pad?: number
  /** The value is not a column of the file, but 15 digits made of these columns: the same for the same cells. */
  readonly digest?: readonly string[]
}

/** A record with `{column}` in the place of each cell. */
export type Template = Scalar | readonly Template[] | { readonly [name: string]: Template }

export interface Mapping {
  /** `merge`: a row changes only the fields that it has. `replace`, the default: it replaces the stored record. */
  readonly rows?: 'replace' | 'merge'
  /** The number of lines before the header. */
  readonly skip_lines?: number
  /** Rows whose first cell begins with one of these texts are notices. */
  readonly skip_rows?: readonly string[]
  readonly delimiter?: string
  readonly encoding?: string
  readonly columns?: Readonly<Record<string, ColumnRule>>
  readonly record: { readonly [name: string]: Template }
}

/** A `date` rule: the cell counts the days from the date to the import. */
export const DAYS_BEFORE_IMPORT = 'days before import'

const SCALAR = { type: ['string', 'number', 'boolean', 'null'] }
const SCHEMA = {
  type: 'object',
  required: ['record'],
  additionalProperties: false,
  properties: {
    rows: { enum: ['replace', 'merge'] },
    skip_lines: { type: 'integer', minimum: 0, maximum: 1000 },
    skip_rows: { type: 'array', items: { type: 'string', minLength: 1 } },
    delimiter: { type: 'string', minLength: 1, maxLength: 1 },
    encoding: { enum: ['utf-8', 'windows-1252', 'utf-16le'] },
    columns: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        dependentSchemas: { digest: { maxProperties: 1 } },
        properties: {
          from: { type: 'string' },
          empty: { type: 'array', items: SCALAR },
          values: { type: 'object', additionalProperties: SCALAR },
          otherwise: SCALAR,
          optional: { type: 'boolean' },
          match: { type: 'string', minLength: 1 },
          date: { anyOf: [{ type: 'string' }, { type: 'array', minItems: 1, items: { type: 'string' } }] },
          time_zone: { type: 'string' },
          pad: { type: 'integer', minimum: 1, maximum: 40 },
          digest: { type: 'array', minItems: 1, items: { type: 'string' } },
        },
      },
    },
    record: { type: 'object', anyOf: [{ required: ['zpid'] }, { required: ['sourceKey'] }] },
  },
}

/** @throws {ImportFailure} when there is no such file, or when it is no mapping */
export async function readMapping(path: string): Promise<Mapping> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'ENOENT' ? `There is no mapping file ${path}.` : `${path}: ${error.message}.`
    throw new ImportFailure(reason)
  })
  return parseMapping(text, path)
}

/** `name` is the name of the mapping in messages. */
export function parseMapping(text: string, name: string): Mapping {
  let mapping: unknown
  try {
    mapping = parse(text)
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error
    throw new ImportFailure(`${name} is not YAML: ${error.message.split('\n')[0]}`)
  }
  const validate = new Ajv2020({ strict: false, verbose: true }).compile<Mapping>(SCHEMA)
  if (!validate(mapping))
    throw new ImportFailure(`${name} is not a mapping: ${describe(validate.errors![0]!)}.`)
  for (const [column, rule] of Object.entries(mapping.columns ?? {})) {
    const fault = faultOfRule(rule)
    if (fault !== undefined) throw new ImportFailure(`${name} is not a mapping: columns.${column}.${fault}.`)
  }
  return mapping
}

/** The place, the fault, and the allowed values. */
function describe({ instancePath, message, params, parentSchema }: ErrorObject): string {
  const place =
    instancePath === '' ? 'the file' : instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/')
  const { additionalProperty, allowedValues } = params as {
    additionalProperty?: string
    allowedValues?: string[]
  }
  if (additionalProperty !== undefined)
    return `${place} has "${additionalProperty}", which is none of ${Object.keys(parentSchema!.properties).join(', ')}`
  if (allowedValues !== undefined) return `${place} must be one of ${allowedValues.join(', ')}`
  return `${place} ${message}`
}

/** Checks that no schema can express: forms of dates, zones, expressions. */
function faultOfRule({ date, time_zone: timeZone, match }: ColumnRule): string | undefined {
  const forms = [date ?? []].flat().filter((form) => form !== DAYS_BEFORE_IMPORT)
  if (forms.length > 0 && date !== undefined && [date].flat().includes(DAYS_BEFORE_IMPORT))
    return `date must be "${DAYS_BEFORE_IMPORT}" or forms of dates, not both`
  for (const form of forms) {
    const fault = faultOfDateForm(form)
    if (fault !== undefined) return `date: ${JSON.stringify(form)} ${fault}`
  }
  if (timeZone !== undefined) {
    if (!isTimeZone(timeZone))
      return `time_zone: ${JSON.stringify(timeZone)} is not an IANA time zone such as America/New_York`
    if (!forms.some(formHasTime)) return 'time_zone needs a date with a time of day, such as YYYY-MM-DD HH:mm'
  }
  try {
    if (match !== undefined) new RegExp(match)
  } catch {
    return `match: ${JSON.stringify(match)} is not a regular expression`
  }
  return undefined
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
