// Reads the cells of a row by the rules of the mapping: as text, as the value that a table assigns to it, or as a date. A cell without a
// value is undefined.

import { createHash } from 'node:crypto'
import type { RecordWarning } from '../listings/record-warnings.ts'
import { DateCell, type DateForm, parseDateForm } from './date-form.ts'
import { type ColumnRule, DAYS_BEFORE_IMPORT, type Mapping, type Scalar } from './mapping.ts'
import { ImportFailure } from './source-row.ts'

export type Cell = Scalar | DateCell | undefined
export type ReadCell = (cells: readonly string[], fault: (reason: string) => void) => Cell
type ReadText = (cells: readonly string[]) => string

/**
 * Returns a function that gives the reader of a column, by its name in the mapping.
 *
 * @param now the day from which "days before import" counts
 * @throws {ImportFailure} when the file has no such column
 */
export function cellReaders(
  mapping: Mapping,
  header: readonly string[],
  now = new Date(),
): (name: string) => ReadCell {
  const names = header.map((name) => name.trim())
  const rules = new Map(Object.entries(mapping.columns ?? {}))

  function positionOf(name: string): number | undefined {
    const wanted = name.trim()
    if (!wanted.endsWith('*')) {
      const position = names.indexOf(wanted)
      return position === -1 ? undefined : position
    }
    const start = wanted.slice(0, -1)
    const fitting = names.flatMap((each, position) => (each.startsWith(start) ? [position] : []))
    if (fitting.length > 1)
      throw new ImportFailure(
        `The file has several columns that begin with ${start}: ${fitting.map((at) => names[at]).join(', ')}. Name one.`,
      )
    return fitting[0]
  }

  function textOf(name: string, isOptional: boolean): ReadText {
    const position = positionOf(name)
    if (position !== undefined) return (cells) => (cells[position] ?? '').trim()
    if (isOptional) return () => ''
    throw new ImportFailure(
      `The file has no column ${name}. Its header is: ${names.join(', ').slice(0, 400)}.`,
    )
  }

  /** One cell, or several in a text such as `{MONTH}/{YEAR}`, which is empty if one of them is. */
  function composed(from: string, isOptional: boolean): ReadText {
    if (!PLACEHOLDER.test(from)) return textOf(from, isOptional)
    // Texts and names of columns alternate.
    const pieces = from
      .split(PLACEHOLDERS)
      .map((piece, at) => (at % 2 === 0 ? piece : textOf(piece, isOptional)))
    return (cells) => {
      let text = ''
      for (const piece of pieces) {
        const part = typeof piece === 'string' ? piece : piece(cells)
        if (part === '' && typeof piece !== 'string') return ''
        text += part
      }
      return text
    }
  }

  return (name) => {
    const rule = rules.get(name) ?? {}
    const isOptional = rule.optional ?? false
    if (rule.digest) return digestOf(rule.digest.map((column) => textOf(column, isOptional)))
    const column = rule.from ?? name
    return readerOf(rule, composed(column, isOptional), column, now)
  }
}

/**
 * Finds cells that are in no `values` of their column and become OTHER.
 *
 * @param names the columns that the record reads, by their names in the mapping
 * @throws {ImportFailure} when the file has no such column
 */
export function unlistedCells(
  mapping: Mapping,
  header: readonly string[],
  names: ReadonlySet<string>,
): (cells: readonly string[]) => readonly RecordWarning[] {
  const columns = Object.entries(mapping.columns ?? {}).flatMap(([name, { values, otherwise, ...rule }]) => {
    if (values === undefined || otherwise !== 'OTHER' || !names.has(name)) return []
    const read = cellReaders({ ...mapping, columns: { [name]: rule } }, header)(name)
    return [{ name: rule.from ?? name, listed: new Set(Object.keys(values)), read }]
  })
  return (cells) => {
    const warnings: RecordWarning[] = []
    for (const { name, listed, read } of columns) {
      const cell = read(cells, () => {})
      if (typeof cell === 'string' && !listed.has(cell))
        warnings.push({ code: 'unlisted_value', reason: `has an unlisted cell in ${name}: ${quote(cell)}` })
    }
    return warnings
  }
}

const PLACEHOLDER = /\{([^{}]+)\}/
const PLACEHOLDERS = new RegExp(PLACEHOLDER, 'g')

function readerOf(rule: ColumnRule, textOf: ReadText, column: string, now: Date): ReadCell {
  const empty = new Set(rule.empty?.map(String))
  const table = rule.values && new Map(Object.entries(rule.values))
  const match = rule.match === undefined ? undefined : new RegExp(rule.match)
  const readDate = rule.date === undefined ? undefined : dateReader(rule, now)
  return (cells, fault) => {
    let text = textOf(cells)
    if (text === '' || empty.has(text)) return undefined
    if (match) {
      const found = match.exec(text)
      if (!found) {
        fault(`has a cell in ${column} that does not match ${rule.match}: ${quote(text)}`)
        return undefined
      }
      text = found[1] ?? found[0]
    }
    if (table) {
      const value = table.has(text) ? table.get(text) : rule.otherwise
      if (value === undefined)
        fault(
          `has a cell in ${column} that the mapping has no value for: ${quote(text)}. Allowed: ${list([...table.keys()])}`,
        )
      return value ?? undefined
    }
    if (readDate) {
      const date = readDate(text)
      if (!date) fault(`has a cell in ${column} that is no ${nameOf(rule.date!)}: ${quote(text)}`)
      return date
    }
    return rule.pad === undefined ? text : text.padStart(rule.pad, '0')
  }
}

const DAY_MS = 86_400_000

function dateReader({ date, time_zone: timeZone }: ColumnRule, now: Date): DateForm {
  if (date === DAYS_BEFORE_IMPORT) {
    const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
    return (text) => {
      if (!/^\d{1,5}(?:\.0+)?$/.test(text)) return undefined
      const ms = today - Math.trunc(Number(text)) * DAY_MS
      return new DateCell(new Date(ms).toISOString().slice(0, 10), ms, false)
    }
  }
  const forms = [date!].flat().map((form) => parseDateForm(form, timeZone))
  return (text) => {
    for (const form of forms) {
      const found = form(text)
      if (found) return found
    }
    return undefined
  }
}

/** The form that a cell must have, for messages. */
function nameOf(date: NonNullable<ColumnRule['date']>): string {
  if (date === DAYS_BEFORE_IMPORT) return 'number of days'
  return `date of the form ${[date].flat().join(' or ')}`
}

/** 15 digits, which fit into a number. Two of a million rows agree by chance once in 2,000 files. */
function digestOf(columns: readonly ReadText[]): ReadCell {
  return (cells) => {
    const texts = columns.map((textOf) => textOf(cells))
    // Rows in which all these cells are empty are not the same home.
    if (texts.every((text) => text === '')) return undefined
    const bits = createHash('sha256').update(texts.join('\n')).digest().readBigUInt64BE()
    return String(bits % 10n ** 15n).padStart(15, '0')
  }
}

const LISTED = 12

function list(values: readonly string[]): string {
  const shown = values.slice(0, LISTED).map((value) => quote(value))
  return values.length > LISTED ? `${shown.join(', ')} and ${values.length - LISTED} more` : shown.join(', ')
}

export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
