// The tables that the migrations leave, with their columns. It reads what migrations here are written with: `create table`, and
// `alter table` that adds or drops columns. A test compares the generated pages with a migrated database.

import type { Source } from './source.ts'

export interface SchemaColumn {
  readonly name: string
  readonly type: string
}

export interface SchemaTable {
  readonly name: string
  /** The first sentence of the comment above it; '' if there is none. */
  readonly about: string
  /** The migration that creates it. */
  readonly file: string
  readonly columns: readonly SchemaColumn[]
  /** The columns of the primary key. */
  readonly keys: readonly string[]
  /** The tables that its foreign keys refer to. */
  readonly references: readonly string[]
  readonly isPartition: boolean
}

const CREATE = /((?:^ *--.*\n)*)^ *create (?:unlogged )?table (\w+) (\(\n([\s\S]*?)^ *\)|partition of)/gim
const ALTER = /^alter table (\w+)\s([\s\S]*?);/gim
const DROP = /^drop table (\w+)/gim
const KEY = /^ *primary key \(([^)]*)\)/m
const IS_NO_COLUMN = /^(constraint|primary|foreign|unique|check|exclude)\b/
/** A column: its name, and its type up to the first word of a constraint. */
const COLUMN =
  /^([a-z_]\w*) +(.+?)(?: (?:not null|null|primary|unique|default|check|references|generated|compression|storage|%s).*)?$/

export function readTables(migrations: readonly Source[]): Map<string, SchemaTable> {
  const tables = new Map<string, SchemaTable>()
  for (const { file, text } of migrations) {
    for (const [, comment, name, , body] of text.matchAll(CREATE)) {
      tables.set(name!, tableOf(file, name!, comment!, body))
    }
    for (const [, name, changes] of text.matchAll(ALTER)) {
      const table = tables.get(name!)
      if (table) tables.set(name!, altered(table, changes!))
    }
    for (const [, name] of text.matchAll(DROP)) tables.delete(name!)
  }
  return tables
}

/** @param body what is between the parentheses; undefined for a partition */
function tableOf(file: string, name: string, comment: string, body: string | undefined): SchemaTable {
  const lines = (body ?? '').split('\n').filter((line) => line.trim() !== '')
  const indent = Math.min(...lines.map((line) => line.search(/\S/)))
  // Columns begin at the least indentation; what goes further in belongs to the line before.
  const entries = lines
    .filter((line) => line.search(/\S/) === indent)
    .map((line) => line.trim().replace(/,$/, ''))
    .filter((line) => !line.startsWith('--'))
  const columns = entries
    .filter((line) => !IS_NO_COLUMN.test(line) && !line.startsWith(')'))
    .flatMap(columnOf)
  const keys = entries
    .filter((line) => / primary key/.test(line))
    .flatMap(columnOf)
    .map((column) => column.name)
  return {
    name,
    about: firstSentence(comment),
    file,
    columns,
    keys: KEY.exec(body ?? '')?.[1]?.split(/, */) ?? keys,
    references: [...new Set([...(body ?? '').matchAll(/ references (\w+)/g)].map((match) => match[1]!))],
    isPartition: body === undefined,
  }
}

function altered(table: SchemaTable, changes: string): SchemaTable {
  const added = [...changes.matchAll(/\badd (?:column )?(?!constraint\b)([^,]+)/g)].flatMap((match) =>
    columnOf(match[1]!.trim()),
  )
  const dropped = [...changes.matchAll(/\bdrop column (\w+)/g)].map((match) => match[1]!)
  return {
    ...table,
    columns: [...table.columns.filter(({ name }) => !dropped.includes(name)), ...added],
  }
}

function columnOf(line: string): SchemaColumn[] {
  const match = COLUMN.exec(line)
  return match === null ? [] : [{ name: match[1]!, type: match[2]! }]
}

function firstSentence(comment: string): string {
  const text = comment
    .split('\n')
    .map((line) => line.trim().replace(/^-- ?/, ''))
    .join(' ')
    .trim()
  return /^.*?[.](?= [A-Z]|$)/.exec(text)?.[0] ?? text
}
