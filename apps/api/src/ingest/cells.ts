// The cells of a row, read as the mapping's columns say: as text, as what a table says that they stand for, or as
// dates. A cell that says nothing is undefined.

import { createHash } from 'node:crypto'
import { type DateForm, parseDateForm } from './date-form.ts'
import type { ColumnRule, Mapping, Scalar } from './mapping.ts'
import { ImportFailure } from './source-row.ts'

/** A Date is a day: its midnight in UTC. */
export type Cell = Scalar | Date | undefined
export type ReadCell = (cells: readonly string[], fault: (reason: string) => void) => Cell

/**
 * A reader for each column that the mapping uses, by the name it uses.
 *
 * @throws {ImportFailure} when the file has no such column.
 */
export function cellReaders(mapping: Mapping, header: readonly string[]): (name: string) => ReadCell {
  const names = header.map((name) => name.trim())
  const rules = new Map(Object.entries(mapping.columns ?? {}))

  function positionOf(name: string): number {
    const position = names.indexOf(name.trim())
    if (position === -1) {
      throw new ImportFailure(
        `The file has no column ${name}. Its header is: ${names.join(', ').slice(0, 400)}.`,
      )
    }
    return position
  }

  return (name) => {
    const rule = rules.get(name) ?? {}
    if (rule.digest) return digestOf(rule.digest.map(positionOf))
    const column = rule.from ?? name
    return readerOf(rule, positionOf(column), column)
  }
}

function readerOf(rule: ColumnRule, position: number, column: string): ReadCell {
  const empty = new Set(rule.empty?.map(String))
  const table = rule.values && new Map(Object.entries(rule.values))
  const form: DateForm | undefined = rule.date === undefined ? undefined : parseDateForm(rule.date)
  return (cells, fault) => {
    const text = (cells[position] ?? '').trim()
    if (text === '' || empty.has(text)) return undefined
    if (table) {
      const value = table.has(text) ? table.get(text) : rule.otherwise
      if (value === undefined)
        fault(`has a cell in ${column} that the mapping has no value for: ${quote(text)}`)
      return value ?? undefined
    }
    if (form) {
      const date = form(text)
      if (!date) fault(`has a cell in ${column} that is no date of the form ${rule.date}: ${quote(text)}`)
      return date
    }
    return rule.pad === undefined ? text : text.padStart(rule.pad, '0')
  }
}

/** 15 digits, so that they fit into a number too; two of a million rows agree by chance once in 2,000 files. */
function digestOf(positions: readonly number[]): ReadCell {
  return (cells) => {
    const texts = positions.map((position) => (cells[position] ?? '').trim())
    // Rows without any of these cells are not one home.
    if (texts.every((text) => text === '')) return undefined
    const text = texts.join('\n')
    const bits = createHash('sha256').update(text).digest().readBigUInt64BE()
    return String(bits % 10n ** 15n).padStart(15, '0')
  }
}

export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
