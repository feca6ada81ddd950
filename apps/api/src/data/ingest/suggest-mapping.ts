// Guesses a first mapping for a CSV file from its header and its first rows, for the operator to correct. If a mapping of the project fits
// the file, it returns that one.

import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { plainName } from '../../domain/record.ts'
import { isRightsField } from '../rights/row-rights.ts'
import { compileMapping } from './compile-mapping.ts'
import { parseDateForm } from './date-form.ts'
import { type CellKind, FIELD_NAMES, guessValue, ID_NAMES } from './header-names.ts'
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

const READ_BYTES = 512 * 1024
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
    to: 2_000,
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
      return { text, ready: name, used: [], unused: [] }
    } catch (error) {
      if (!(error instanceof ImportFailure)) throw error
    }
  }
  return undefined
}

interface FieldGuess {
  readonly field: string
  readonly kind: CellKind
  readonly column: string
  readonly cells: readonly string[]
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
  const id = guessId(header, found, cellsOf)
  const rules = [...(id.rule ? [id.rule] : []), ...found.flatMap(ruleOf)]
  const used = new Set([...found.map(({ column }) => column), ...id.columns])
  const rest = header.filter((column) => column !== '' && !used.has(column))
  const rights = rest.filter(isRightsField)
  const unused = rest.filter((column) => !isRightsField(column))
  const lines = [
    `# A guess for ${name}, from its header and first rows. Correct it, above all the lines marked "check".`,
    '# The guide "Your own listings" explains everything that can stand here.',
    ...(skipped > 0 ? [`skip_lines: ${skipped}`] : []),
    ...(delimiter === ',' ? [] : [`delimiter: ${JSON.stringify(delimiter)}`]),
    ...(encoding === 'utf-8' ? [] : [`encoding: ${encoding}`]),
    ...(rules.length > 0 ? ['', 'columns:', ...rules] : []),
    '',
    'record:',
    '  # Ids of other sources must differ from these: a digit of its own before each source keeps them apart.',
    `  zpid: ${id.template}`,
    ...recordLines(found),
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
  return { text: `${lines.join('\n')}\n`, used: [...used, ...rights], unused }
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
    const cells = cellsOf(column)
    const isNumeric = cells.length > 0 && cells.every((cell) => /^\d{1,19}$/.test(cell))
    if (isNumeric) return { template: quoted(`{${column}}`), columns: [column] }
    return {
      template: '"1{listing id}"',
      columns: [column],
      rule: `  # Its ids are no numbers, so a number is made of each.\n  listing id: { digest: [${quoted(column)}] }`,
    }
  }
  const parts = found.filter(({ field }) => /^address|unitNumber|latitude|longitude|dateSold/.test(field))
  const of = parts.length > 0 ? parts.map((part) => part.column) : columns.slice(0, 5)
  return {
    template: '"1{listing id}"',
    columns: of,
    rule: `  # The file has no ids: check that these columns together name one home, and never change.\n  listing id: { digest: [${of.map(quoted).join(', ')}] }`,
  }
}

const DATE_FORMS = [
  'YYYY-MM-DD',
  'M/D/YYYY',
  'M/D/YY',
  'YYYYMMDD',
  'YYYY/MM/DD',
  'M-D-YYYY',
  'MMMM-D-YYYY',
  'MMMM D, YYYY',
  'MMM D, YYYY',
  'D-MMM-YYYY',
  'D-MMM-YY',
  'D MMM YYYY',
  'YYYY-MM-DDTHH:mm:ssZ',
  'YYYY-MM-DDTHH:mm:ss',
  'YYYY-MM-DD HH:mm:ss',
  'YYYYMMDDTHHmmss',
  'M/D/YYYY H:mm',
  'M/D/YYYY h:mm A',
  'M/D/YYYY h:mm:ss A',
  'YYYY',
]
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
      const form = DATE_FORMS.find((each) => {
        const read = parseDateForm(each)
        return cells.length > 0 && cells.every((cell) => read(cell) !== undefined)
      })
      if (form !== undefined) return [`${name} { date: ${form} }`]
      return [`${name} { date: YYYY-MM-DD } # check: the cells are written ${JSON.stringify(cells[0] ?? '')}`]
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

function recordLines(found: readonly FieldGuess[]): string[] {
  const of = (field: string) => found.find((one) => one.field === field)
  const line = (field: string, indent = '  ') => {
    const one = of(field)
    return one ? [`${indent}${field.split('.').at(-1)}: ${quoted(`{${one.column}}`)}`] : []
  }
  const sold = of('dateSoldString')
  const price = of('price')
  const plain = [...new Set(FIELD_NAMES.map(({ field }) => field))].filter(
    (field) => !field.startsWith('address.') && field !== 'homeStatus',
  )
  return [
    ...(of('homeStatus')
      ? line('homeStatus')
      : [`  homeStatus: ${sold ? 'RECENTLY_SOLD' : 'FOR_SALE'} # check: the file has no status`]),
    '  address:',
    ...line('address.streetAddress', '    '),
    ...line('address.city', '    '),
    ...(of('address.state')
      ? line('address.state', '    ')
      : ['    state: null # check: add it, such as WA']),
    ...line('address.zipcode', '    '),
    '  country: USA',
    '  currency: USD',
    ...plain.flatMap((field) => line(field)),
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
