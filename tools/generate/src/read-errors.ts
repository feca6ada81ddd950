/**
 * Reads the catalogue of error codes: the open enum of the `ErrorCode` schema and the table in its description, which
 * states for each code its status, its meaning, what a caller does about it, and the fields that `error.details` can have.
 * The table is what people read, so it is held to agree with the list and the fields (`x-details-of`) here, and with the
 * operations in `read-operations.ts`.
 */
import type { Document, Schema } from './document.ts'

export interface ErrorEntry {
  readonly status: number
  readonly meaning: string
  readonly remedy: string
  /** The names of the fields that `error.details` can have. */
  readonly details: readonly string[]
}

export type ErrorCatalogue = ReadonlyMap<string, ErrorEntry>

const HEADING = ['Code', 'Status', 'Meaning', 'What to do', '`details`']

/** The codes in the order of the list. What is wrong goes into `faults`; a code without a usable row is left out. */
export function readErrors(document: Document, faults: string[]): ErrorCatalogue {
  const schemas = document.components?.schemas
  const schema = schemas?.ErrorCode
  const codes = (schema?.['x-extensible-enum'] ?? []).filter((code) => typeof code === 'string')
  const rows = readTable(schema?.description ?? '', faults)
  if (codes.length === 0)
    faults.push('schemas/ErrorCode: x-extensible-enum, the list of error codes, is missing')
  for (const code of rows.keys())
    if (!codes.includes(code)) faults.push(`schemas/ErrorCode: the table has ${code}, the list has not`)
  const catalogue = new Map<string, ErrorEntry>()
  for (const code of codes) {
    const row = rows.get(code)
    if (row === undefined)
      faults.push(`schemas/ErrorCode: ${code} has no row in the table of the description`)
    else catalogue.set(code, row)
  }
  compareDetails(catalogue, schemas?.Error, faults)
  return catalogue
}

/** Each field of `error.details` lists its codes, and the table lists the fields of each code. */
function compareDetails(catalogue: ErrorCatalogue, envelope: Schema | undefined, faults: string[]): void {
  const fields = envelope?.properties?.error?.properties?.details?.properties ?? {}
  const codesOf = new Map(
    Object.entries(fields).map(([name, field]) => [name, [field['x-details-of'] ?? []].flat()]),
  )
  for (const [name, codes] of codesOf) {
    if (codes.length === 0) faults.push(`schemas/Error: details.${name} needs x-details-of, its error codes`)
    for (const code of codes) {
      if (!catalogue.get(code as string)?.details.includes(name))
        faults.push(
          `schemas/Error: details.${name} has ${code}, whose row in schemas/ErrorCode has no ${name}`,
        )
    }
  }
  for (const [code, { details }] of catalogue) {
    for (const name of details) {
      if (!codesOf.get(name)?.includes(code))
        faults.push(
          `schemas/ErrorCode: ${code} has ${name}, whose x-details-of in schemas/Error has no ${code}`,
        )
    }
  }
}

function readTable(description: string, faults: string[]): Map<string, ErrorEntry> {
  const rows = new Map<string, ErrorEntry>()
  const [heading, , ...lines] = description
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map(cellsOf)
  if (heading?.join() !== HEADING.join()) {
    faults.push(`schemas/ErrorCode: the description needs a table with the columns ${HEADING.join(', ')}`)
    return rows
  }
  for (const [name = '', status = '', meaning = '', remedy = '', fields = ''] of lines) {
    const code = name.replaceAll('`', '')
    if (!/^[45]\d\d$/.test(status)) faults.push(`schemas/ErrorCode: ${code} has no status of three digits`)
    if (meaning === '' || remedy === '') faults.push(`schemas/ErrorCode: ${code} has an empty cell`)
    if (rows.has(code)) faults.push(`schemas/ErrorCode: ${code} has two rows`)
    const details = [...fields.matchAll(/`(\w+)`/g)].map(([, field]) => field!)
    rows.set(code, { status: Number(status), meaning, remedy, details })
  }
  return rows
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
}
