// Compiles a mapping into a function from the cells of a row to a record. The contract knows the type of each field, so the mapping need
// not state it: "4,350,000" becomes a number in a numeric field.

import { readFlag } from '../../domain/reso.ts'
import { findFormatAt, findTypesAt, type JsonTypes } from '../listings/contract-types.ts'
import { convert } from '../listings/convert.ts'
import {
  isFlagName,
  type RightsName,
  rightsNameOf,
  type StatedRights,
  UNREADABLE,
} from '../rights/row-rights.ts'
import { type Cell, cellReaders, type ReadCell, unlistedCells } from './cells.ts'
import { DateCell } from './date-form.ts'
import type { Mapping, Template } from './mapping.ts'
import { ImportFailure, type RowContent } from './source-row.ts'
import { compileSum, isSum } from './sum-template.ts'

export type ReadRow = (cells: readonly string[]) => RowContent

/** Returns the value for a row. undefined: the row has none. */
type Build = (cells: readonly string[], fault: (reason: string) => void) => unknown
type ValuePath = readonly (string | number)[]

/** @throws {ImportFailure} when the mapping does not fit the file's header, or a field that it sets. */
export function compileMapping(mapping: Mapping, header: readonly string[], now = new Date()): ReadRow {
  const readers = cellReaders(mapping, header, now)
  const build = compileTemplate(mapping.record, [], readers)
  const id = 'zpid' in mapping.record ? 'zpid' : 'sourceKey'
  const idTemplate = mapping.record[id]!
  const idReaders = readersIn(idTemplate, readers)
  const placeholders = JSON.stringify(mapping.record).matchAll(PLACEHOLDERS)
  const findUnlisted = unlistedCells(mapping, header, new Set([...placeholders].map(([, name]) => name!)))
  const readRights = compileRights(mapping, header, readers)
  if (idReaders.length === 0)
    throw new ImportFailure(`The mapping sets ${id} without a column, so that all rows would be one home.`)
  return (cells) => {
    if (cells.length !== header.length)
      return { fault: `has ${cells.length} cells, and the header ${header.length}` }
    // Without its cell, `1[{ID}]` would be 1 for all homes without an id. A cell that cannot be read is reported below.
    const unread: string[] = []
    const isEmpty = idReaders.every((read) => read(cells, (reason) => unread.push(reason)) === undefined)
    if (isEmpty && unread.length === 0)
      return { fault: `has an empty id: the cells of ${id} are empty (${String(idTemplate)})` }
    const faults: string[] = []
    const record = build(cells, (reason) => faults.push(reason))
    const rights = readRights?.(cells)
    const warnings = findUnlisted(cells)
    return {
      ...(rights && { rights }),
      ...(warnings.length > 0 && { warnings }),
      ...(faults[0] === undefined
        ? { record }
        : // With a part of its id, it would be another home.
          { fault: faults[0], ...(unread.length === 0 && { partial: record }) }),
    }
  }
}

/** The columns of a file that the mapping reads, without spaces around them. */
export function columnsRead(mapping: Mapping, header: readonly string[]): ReadonlySet<string> {
  const read = new Set<string>()
  const add = (pattern: string) => {
    const wanted = pattern.trim()
    for (const column of header.map((name) => name.trim()))
      if (wanted.endsWith('*') ? column.startsWith(wanted.slice(0, -1)) : column === wanted) read.add(column)
  }
  for (const [, name] of JSON.stringify(mapping.record).matchAll(PLACEHOLDERS)) {
    const { digest, from = name! } = mapping.columns?.[name!] ?? {}
    const inner = [...from.matchAll(PLACEHOLDERS)].map(([, column]) => column!)
    for (const column of digest ?? (inner.length > 0 ? inner : [from])) add(column)
  }
  return read
}

type ReadValues = (cells: readonly string[]) => readonly unknown[]

/** Reads the rights of a row: from fields that the mapping sets, and from columns with a standard name, whatever they are mapped to. */
function compileRights(
  mapping: Mapping,
  header: readonly string[],
  readers: (name: string) => ReadCell,
): ((cells: readonly string[]) => StatedRights) | undefined {
  const statements: { readonly name: RightsName; readonly read: ReadValues }[] = []
  const mapped = new Set<RightsName>()
  for (const [field, template] of Object.entries(mapping.record)) {
    const name = rightsNameOf(field)
    if (name === undefined) continue
    if (readersIn(template, readers).length > 0) mapped.add(name)
    const read = readSafely(compileTemplate(template, [field], readers))
    // An empty list of uses permits none.
    const readUses: ReadValues = (cells) => (read(cells).length === 0 ? [''] : read(cells))
    statements.push({ name, read: name === 'MlgCanUse' ? readUses : read })
  }
  for (const [at, column] of header.entries()) {
    const name = rightsNameOf(column)
    if (name === undefined) continue
    const key = Object.keys(mapping.columns ?? {}).find((each) => each.trim() === column.trim())
    const byRule = key === undefined ? undefined : readSafely(readers(key))
    const read = (cells: readonly string[]) => (cells[at] ?? '').trim()
    statements.push({ name, read: readColumn(name, read, byRule, mapped.has(name)) })
  }
  if (statements.length === 0) return undefined
  return (cells) => {
    const stated: Partial<Record<RightsName, unknown[]>> = {}
    for (const { name, read } of statements) {
      const values = stated[name] ?? []
      stated[name] = values
      values.push(...read(cells))
    }
    return stated
  }
}

/** Has no value for an empty cell, and `UNREADABLE` for one that cannot be read. */
function readSafely(read: Build | ReadCell): ReadValues {
  return (cells) => {
    let isReadable = true
    const value = read(cells, () => {
      isReadable = false
    })
    if (!isReadable) return [UNREADABLE]
    return value === undefined ? [] : [value]
  }
}

/** A plain yes or no counts as it is in the file. The mapping may explain other values. */
function readColumn(
  name: RightsName,
  read: (cells: readonly string[]) => string,
  byRule: ReadValues | undefined,
  isMapped: boolean,
): ReadValues {
  const isUse = name === 'MlgCanUse'
  if (!isUse && !isFlagName(name)) return (cells) => [read(cells)]
  return (cells) => {
    const cell = read(cells)
    // An empty flag restricts nothing.
    if (cell === '') return isUse && !isMapped ? [cell] : []
    const explained = byRule?.(cells) ?? []
    if (!isUse && readFlag(cell) !== undefined)
      return [cell, ...explained.filter((value) => value !== UNREADABLE)]
    if (byRule !== undefined) return isUse && explained.length === 0 ? [''] : explained
    return isMapped ? [] : [cell]
  }
}

function compileTemplate(template: Template, path: ValuePath, readers: (name: string) => ReadCell): Build {
  if (Array.isArray(template)) {
    const elements = template.map((element: Template, at) => ({
      build: compileTemplate(element, [...path, at], readers),
      says: readersIn(element, readers),
    }))
    // If all cells of an event are empty, there is no event, whatever else the mapping puts into it.
    return (cells, fault) =>
      elements
        .filter(({ says }) => says.length === 0 || says.some((read) => read(cells, () => {}) !== undefined))
        .map(({ build }) => build(cells, fault))
  }
  if (typeof template === 'object' && template !== null) {
    const fields = Object.entries(template).map(
      ([name, inner]) => [name, compileTemplate(inner, [...path, name], readers)] as const,
    )
    return (cells, fault) => {
      const object: Record<string, unknown> = {}
      for (const [name, build] of fields) {
        const value = build(cells, fault)
        if (value !== undefined) object[name] = value
      }
      return object
    }
  }
  const types = findTypesAt(path)
  const place = path.join('.')
  if (typeof template === 'string' && PLACEHOLDER.test(template)) {
    const columns = [...template.matchAll(PLACEHOLDERS)].map(([, name]) => name!)
    const format = findFormatAt(path)
    const read =
      isNumeric(types) && isSum(template) ? compileSum(template, readers) : compileText(template, readers)
    return typed(read, { types, format, place, columns: columns.join(', ') })
  }
  const constant = types === undefined ? { value: template } : convert(template, types)
  if ('fault' in constant) throw new ImportFailure(`The mapping sets ${place}, which ${constant.fault}.`)
  return () => constant.value
}

const PLACEHOLDER = /\{([^{}]+)\}/
const PLACEHOLDERS = new RegExp(PLACEHOLDER, 'g')
/** A part in brackets is left out if one of its cells is empty. */
const PARTS = /\[([^[\]]*\{[^[\]]*)\]|[^[]+|\[/g

/** All readers that a template uses. */
function readersIn(template: Template, readers: (name: string) => ReadCell): readonly ReadCell[] {
  if (typeof template === 'string') {
    return [...template.matchAll(PLACEHOLDERS)].map(([, name]) => readers(name!))
  }
  if (typeof template !== 'object' || template === null) return []
  return Object.values(template).flatMap((inner: Template) => readersIn(inner, readers))
}

function compileText(text: string, readers: (name: string) => ReadCell): (...row: Parameters<Build>) => Cell {
  const [whole, only] = PLACEHOLDER.exec(text) ?? []
  if (whole === text) return readers(only!)
  const parts = [...text.matchAll(PARTS)].map(([part, optional]) => ({
    isOptional: optional !== undefined,
    write: compilePart(optional ?? part, readers),
  }))
  return (...row) => {
    let composed = ''
    for (const { isOptional, write } of parts) {
      const written = write(...row)
      if (written === undefined && !isOptional) return undefined
      composed += written ?? ''
    }
    return composed
  }
}

/** undefined if one of its cells is empty. */
function compilePart(text: string, readers: (name: string) => ReadCell) {
  // Texts and names of columns alternate.
  const pieces = text.split(PLACEHOLDERS).map((piece, at) => (at % 2 === 0 ? piece : readers(piece)))
  return (...row: Parameters<Build>): string | undefined => {
    let written = ''
    for (const piece of pieces) {
      const cell = typeof piece === 'string' ? piece : piece(...row)
      if (cell === undefined) return undefined
      written += cell instanceof DateCell ? cell.day : String(cell)
    }
    return written
  }
}

interface FieldTypes {
  readonly types: JsonTypes | undefined
  /** `date` or `date-time`, if the contract has such a format. */
  readonly format: string | undefined
  /** The place in the record. */
  readonly place: string
  /** The columns of the file. */
  readonly columns: string
}

function typed(
  read: (...row: Parameters<Build>) => Cell,
  { types, format, place, columns }: FieldTypes,
): Build {
  const isNumber = isNumeric(types)
  return (cells, fault) => {
    const cell = read(cells, fault)
    if (cell === undefined) return undefined
    const value = cell instanceof DateCell ? dateValue(cell, isNumber, format) : cell
    if (types === undefined) return value
    const converted = convert(value, types)
    if ('value' in converted) return converted.value
    fault(`has a wrong cell in ${columns}: ${place} ${converted.fault}`)
    return undefined
  }
}

function isNumeric(types: JsonTypes | undefined): boolean {
  return types !== undefined && !types.has('string') && (types.has('integer') || types.has('number'))
}

function dateValue({ day, ms, hasTime }: DateCell, isNumber: boolean, format: string | undefined) {
  if (isNumber) return ms
  return hasTime && format !== 'date' ? new Date(ms).toISOString() : day
}
