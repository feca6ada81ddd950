// What a mapping file says: how a CSV file is laid out, how its cells are to be read, and what record is made of a
// row. The README beside this file is its manual. Here it is read and judged; compile-mapping.ts puts it to work.

import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse, YAMLParseError } from 'yaml'
import { ImportFailure } from './source-row.ts'

export type Scalar = string | number | boolean | null

/** How the cells of a column are read. Without a rule a cell is its text, and an empty cell says nothing. */
export interface ColumnRule {
  /** The header of the column, where the rule goes by another name. */
  readonly from?: string
  /** Cells that say nothing, besides empty ones. */
  readonly empty?: readonly Scalar[]
  /** What each cell stands for. */
  readonly values?: Readonly<Record<string, Scalar>>
  /** What all other cells stand for; without it a row with another cell is rejected. */
  readonly otherwise?: Scalar
  /** The form of a date, such as `YYYY-MM-DD` or `M/D/YYYY`. */
  readonly date?: string
  /** Zeros are put before the text until it is this long. */
  readonly pad?: number
  /** Not a column of the file: 15 digits made of these columns, the same for the same cells. */
  readonly digest?: readonly string[]
}

/** A record, with `{column}` wherever a cell belongs. */
export type Template = Scalar | readonly Template[] | { readonly [name: string]: Template }

export interface Mapping {
  /** Lines before the header. */
  readonly skip_lines?: number
  readonly delimiter?: string
  readonly encoding?: string
  readonly columns?: Readonly<Record<string, ColumnRule>>
  readonly record: { readonly [name: string]: Template }
}

const SCALAR = { type: ['string', 'number', 'boolean', 'null'] }
const SCHEMA = {
  type: 'object',
  required: ['record'],
  additionalProperties: false,
  properties: {
    skip_lines: { type: 'integer', minimum: 0, maximum: 1000 },
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
          date: { type: 'string', pattern: 'YYYY' },
          pad: { type: 'integer', minimum: 1, maximum: 40 },
          digest: { type: 'array', minItems: 1, items: { type: 'string' } },
        },
      },
    },
    record: { type: 'object', required: ['zpid'] },
  },
}

/** @throws {ImportFailure} when there is no such file, or when it is no mapping. */
export async function readMapping(path: string): Promise<Mapping> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'ENOENT' ? `There is no mapping file ${path}.` : `${path}: ${error.message}.`
    throw new ImportFailure(reason)
  })
  return parseMapping(text, path)
}

/** `name` is what messages call it. */
export function parseMapping(text: string, name: string): Mapping {
  let mapping: unknown
  try {
    mapping = parse(text)
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error
    throw new ImportFailure(`${name} is not YAML: ${error.message.split('\n')[0]}`)
  }
  const validate = new Ajv2020({ strict: false }).compile<Mapping>(SCHEMA)
  if (validate(mapping)) return mapping
  const { instancePath, message, params } = validate.errors![0]!
  const place = instancePath === '' ? 'the file' : instancePath.slice(1).replaceAll('/', '.')
  const detail = params.additionalProperty ?? params.allowedValues?.join(', ')
  throw new ImportFailure(
    `${name} is not a mapping: ${place} ${message}${detail === undefined ? '' : ` (${detail})`}.`,
  )
}
