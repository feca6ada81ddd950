// Guesses a first mapping for a CSV file from its header and its first rows, for the operator to correct. If a mapping of the project fits
// the file, it returns that one.

import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { plainName } from '../../domain/record.ts'
import { isRightsField } from '../rights/row-rights.ts'
import { compileMapping } from './compile-mapping.ts'
import { contractFields } from './contract-fields.ts'
import { guessDateForms } from './guess-date-form.ts'
import {
  ACRE_NAMES,
  FIELD_NAMES,
  type FieldGuess,
  FULL_BATH_NAMES,
  guessUnits,
  guessValue,
  HALF_BATH_NAMES,
  ID_NAMES,
} from './header-names.ts'
import { parseMapping } from './mapping.ts'
import { openFile } from './open-file.ts'
import { ImportFailure } from './source-row.ts'

export interface SuggestedMapping {
  /** The mapping as YAML. */
  readonly text: string
  /** The file in apps/api/mappings that fits. undefined: the mapping is guessed. */
  readonly ready?: string
  /** Columns of the file that become a field. */
  readonly used: readonly string[]
  readonly unused: readonly string[]
  /** Whether the columns lack most facts of a home, so that the rows may be changes (`rows: merge`). */
  readonly lacksFacts: boolean
}

const MAPPINGS = join(import.meta.dirname, '../../../mappings')

/** @throws {ImportFailure} as `openFile` does, and when the file has no header. */
export async function suggestMapping(path: string): Promise<SuggestedMapping> {
  const file = await readBeginning(path)
  return (await findReady(file)) ?? guess(file, basename(path))
}

interface Beginning {
  readonly encoding: 'utf-8' | 'windows-1252'
  readonly delimiter: string
  /** The number of lines before the header. */
  readonly skipped: number
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const READ_BYTES = 8 * 1024 * 1024
const READ_ROWS = 50_000
const NOTICES = 20

async function readBeginning(path: string): Promise<Beginning> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of (await openFile(path)).bytes) {
    chunks.push(Buffer.from(chunk))
    length += chunk.length
    if (length >= READ_BYTES) break
  }
  const bytes = Buffer.concat(chunks)
  // The last line, and a character in it, may be cut off.
  const end = length >= READ_BYTES ? bytes.lastIndexOf(10) + 1 : length
  const { text, encoding } = decode(bytes.subarray(0, end))
  const lines = text.split('\n')
  const counts = (delimiter: string) =>
    lines.slice(0, NOTICES).map((line) => line.split(delimiter).length - 1)
  const most = (delimiter: string) => Math.max(...counts(delimiter))
  const delimiter = [',', ';', '\t', '|'].reduce((best, each) => (most(each) > most(best) ? each : best))
  // The header has a name for most cells. Notices before it fill one or two.
  const filled = lines
    .slice(0, NOTICES)
    .map((line) => line.split(delimiter).filter((cell) => cell.trim() !== '').length)
  const skipped = filled.findIndex((count) => count > 1 && count >= 0.6 * (most(delimiter) + 1))
  if (skipped === -1) throw new ImportFailure(`${path} has no header: a line with the names of its columns.`)
  const [header, ...rows] = parse(lines.slice(skipped).join('\n'), {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n'],
    to: READ_ROWS,
  }) as string[][]
  const names = header!.map((name) => name.trim())
  return {
    encoding,
    delimiter,
    skipped,
    header: names,
    rows: rows.filter((row) => row.length === names.length),
  }
}

function decode(bytes: Buffer): Pick<Beginning, 'encoding'> & { readonly text: string } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' }
  }
}

async function findReady({ header, skipped }: Beginning): Promise<SuggestedMapping | undefined> {
  for (const name of (await readdir(MAPPINGS)).sort()) {
    const text = await readFile(join(MAPPINGS, name), 'utf8')
    const mapping = parseMapping(text, name)
    if ((mapping.skip_lines ?? 0) > skipped) continue
    try {
      compileMapping(mapping, header)
      return { text, ready: name, used: [], unused: [], lacksFacts: false }
    } catch (error) {
      if (!(error instanceof ImportFailure)) throw error
    }
  }
  return undefined
}

function guess({ encoding, delimiter, skipped, header, rows }: Beginning, name: string): SuggestedMapping {
  const cellsOf = (column: string) =>
    rows.map((row) => (row[header.indexOf(column)] ?? '').trim()).filter((cell) => cell !== '')
  const found: FieldGuess[] = []
  for (const { field, kind, names } of FIELD_NAMES) {
    const column = names.map((each) => usable(header).find((one) => plainName(one) === each)).find(Boolean)
    if (column === undefined || found.some((one) => one.field === field || one.column === column)) continue
    found.push({ field, kind, column, cells: cellsOf(column) })
  }
  const units = found.find(({ field }) => field === 'lotAreaUnits')
  const lot = found.findIndex(({ field }) => field === 'lotSize')
  if (units && lot !== -1 && !found.some(({ field }) => field === 'lotAreaValue'))
    found[lot] = { ...found[lot]!, field: 'lotAreaValue' }
  found.push(...contractFields(usable(header), found, cellsOf))
  const halfBaths = findHalfBaths(usable(header), found)
  const lacksFacts =
    FACTS.filter((fact) => found.some(({ field }) => field === fact)).length < FACTS.length / 2
  const id = guessId(header, found, cellsOf)
  const rules = [...(id.rule ? [id.rule] : []), ...found.flatMap(ruleOf)]
  const used = new Set([
    ...found.map(({ column }) => column),
    ...id.columns,
    ...(halfBaths === undefined ? [] : [halfBaths]),
  ])
  const rest = header.filter((column) => column !== '' && !used.has(column))
  const rights = rest.filter(isRightsField)
  const unused = rest.filter((column) => !isRightsField(column))
  const lines = [
    `# A guess for ${name}, from its header and first rows. Correct it, above all the lines marked "check".`,
    '# The guide "Your own listings" explains everything that can stand here.',
    '',
    '# replace: a row has the whole record. merge: a row has only fields that changed, and the stored record keeps the others.',
    lacksFacts
      ? 'rows: replace # check: the file lacks most facts of a home. If its rows are changes of stored homes, write merge'
      : 'rows: replace # check',
    ...(skipped > 0 ? [`skip_lines: ${skipped}`] : []),
    ...(delimiter === ',' ? [] : [`delimiter: ${JSON.stringify(delimiter)}`]),
    ...(encoding === 'utf-8' ? [] : [`encoding: ${encoding}`]),
    ...(rules.length > 0 ? ['', 'columns:', ...rules] : []),
    '',
    'record:',
    ...(id.field === 'sourceKey'
      ? [
          '  # The id in this source. Lotline gives each a zpid. Import the file with the same --source each time.',
        ]
      : []),
    `  ${id.field}: ${id.template}`,
    ...recordLines(found, halfBaths),
    ...(rights.length > 0
      ? [
          '',
          '# Read by their names, as what may be shown (add values to `columns` if they are not yes or no):',
        ]
      : []),
    ...rights.map((column) => `#   ${quoted(`{${column}}`)}`),
    ...(unused.length > 0
      ? ['', '# Not used:', ...unused.map((column) => `#   ${quoted(`{${column}}`)}`)]
      : []),
  ]
  return { text: `${lines.join('\n')}\n`, used: [...used, ...rights], unused, lacksFacts }
}

/** The facts that most searches and rows read. */
const FACTS = [
  'homeStatus',
  'homeType',
  'address.streetAddress',
  'latitude',
  'price',
  'bedrooms',
  'bathrooms',
  'livingArea',
]

/** The column that counts half baths, if the column of baths counts only full ones. */
function findHalfBaths(columns: readonly string[], found: readonly FieldGuess[]): string | undefined {
  const baths = found.find(({ field }) => field === 'bathrooms')
  if (baths === undefined || !FULL_BATH_NAMES.includes(plainName(baths.column))) return undefined
  return columns.find((column) => HALF_BATH_NAMES.includes(plainName(column)))
}

/** A placeholder cannot contain these characters. */
function usable(header: readonly string[]): readonly string[] {
  return header.filter((column) => column !== '' && !/[{}[\]]/.test(column))
}

function guessId(
  header: readonly string[],
  found: readonly FieldGuess[],
  cellsOf: (column: string) => readonly string[],
) {
  const columns = usable(header)
  const column = ID_NAMES.map((each) => columns.find((one) => plainName(one) === each)).find(Boolean)
  if (column !== undefined) {
    const isZpid = plainName(column) === 'zpid' && cellsOf(column).every((cell) => /^\d{1,20}$/.test(cell))
    return { field: isZpid ? 'zpid' : 'sourceKey', template: quoted(`{${column}}`), columns: [column] }
  }
  const parts = found.filter(({ field }) => /^address|unitNumber|latitude|longitude|dateSold/.test(field))
  const of = parts.length > 0 ? parts.map((part) => part.column) : columns.slice(0, 5)
  return {
    field: 'sourceKey',
    template: '"{listing id}"',
    columns: of,
    rule: `  # The file has no ids: check that these columns together name one home, and never change.\n  listing id: { digest: [${of.map(quoted).join(', ')}] }`,
  }
}

const MAX_VALUES = 60

/** The rule of a column, as lines of YAML. */
function ruleOf({ field, kind, column, cells }: FieldGuess): string[] {
  const name = `  ${quoted(column)}:`
  switch (kind) {
    case 'zip':
      return cells.some((cell) => /^\d{1,4}$/.test(cell)) ? [`${name} { pad: 5 }`] : []
    case 'number':
      return field !== 'latitude' && field !== 'longitude' && cells.includes('0') && field !== 'stories'
        ? [`${name} { empty: ["0"] } # check: does 0 mean that nothing is known?`]
        : []
    case 'days':
      return [`${name} { date: days before import }`]
    case 'date': {
      const { forms, note } = guessDateForms(cells)
      return [
        `${name} { date: ${forms.length === 1 ? forms[0] : `[${forms.map(quoted).join(', ')}]`} }${note}`,
      ]
    }
    case 'units': {
      const units = [...new Set(cells)].sort().slice(0, MAX_VALUES)
      return [
        name,
        '    values:',
        ...units.map(
          (unit) => `      ${quoted(unit)}: ${guessUnits(unit) ?? 'null # check: which unit is it?'}`,
        ),
      ]
    }
    case 'status':
    case 'type': {
      const values = [...new Set(cells)].sort()
      const shown = values.slice(0, MAX_VALUES)
      return [
        name,
        '    values: # check',
        ...shown.map((value) => `      ${quoted(value)}: ${guessValue(kind, value)}`),
        '    otherwise: OTHER',
      ]
    }
    case 'text':
      return []
  }
}

function recordLines(found: readonly FieldGuess[], halfBaths: string | undefined): string[] {
  const of = (field: string) => found.find((one) => one.field === field)
  const line = (field: string, indent = '  ') => {
    const one = of(field)
    if (one && field === 'bathrooms' && halfBaths !== undefined)
      return [`${indent}bathrooms: ${quoted(`{${one.column}} + 0.5 × {${halfBaths}}`)}`]
    return one ? [`${indent}${field.split('.').at(-1)}: ${quoted(`{${one.column}}`)}`] : []
  }
  const sold = of('dateSoldString')
  const price = of('price')
  const acres = ACRE_NAMES.includes(plainName(of('lotAreaValue')?.column ?? ''))
  const address = ['streetAddress', 'city', 'state', 'zipcode'].flatMap((part) =>
    line(`address.${part}`, '    '),
  )
  const plain = [...new Set([...FIELD_NAMES, ...found].map(({ field }) => field))].filter(
    (field) => !field.startsWith('address.') && field !== 'homeStatus',
  )
  return [
    ...(of('homeStatus')
      ? line('homeStatus')
      : [`  homeStatus: ${sold ? 'RECENTLY_SOLD' : 'FOR_SALE'} # check: the file has no status`]),
    ...(address.length > 0 ? ['  address:', ...address] : []),
    ...(of('address.state') ? [] : ['  # check: add the state to the address, such as state: WA']),
    '  country: USA',
    '  currency: USD',
    ...plain.flatMap((field) => line(field)),
    ...(acres && !of('lotAreaUnits') ? ['  lotAreaUnits: Acres'] : []),
    ...(sold && !of('homeStatus')
      ? ['  priceHistory:', '    - event: Sold', `      date: ${quoted(`{${sold.column}}`)}`]
      : []),
    ...(sold && price && !of('homeStatus') ? [`      price: ${quoted(`{${price.column}}`)}`] : []),
  ]
}

/** A YAML scalar, in quotes unless it is a plain word. */
function quoted(text: string): string {
  return /^[A-Za-z][A-Za-z0-9_]*$/.test(text) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(text)
    ? text
    : JSON.stringify(text)
}
