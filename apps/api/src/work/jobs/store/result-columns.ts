// The columns of a result as CSV. They are collected while the rows are found, so that the header is the same for every
// page, whichever is read first.

import { columnsOf } from '../../../domain/formats.ts'

/** `known` and the columns that these rows add. */
export function extendColumns(known: readonly string[], rows: readonly object[]): readonly string[] {
  const names = columnsOf([exampleRow(known), ...rows]).map(({ name }) => name)
  // The database keeps no text with this character.
  return names.filter((name) => !name.includes('\0'))
}

/** A row that has just these columns. */
function exampleRow(names: readonly string[]): object {
  const row = empty()
  for (const name of names) {
    const steps = name.split('.')
    const last = steps.pop()!
    let at = row
    for (const step of steps) {
      at[step] ??= empty()
      at = at[step] as Record<string, unknown>
    }
    at[last] = true
  }
  return row
}

/** Without a prototype: a source may call its fields what it likes. */
function empty(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>
}
