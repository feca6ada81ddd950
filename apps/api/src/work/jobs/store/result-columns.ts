// The CSV columns of a result. They are collected while the rows are found, so that every page has the same header, in whatever order pages
// are read.

import { findColumns } from '../../../domain/formats.ts'

/** Adds the columns of these rows to `known`. */
export function extendColumns(known: readonly string[], rows: readonly object[]): readonly string[] {
  const names = findColumns([exampleRow(known), ...rows]).map(({ name }) => name)
  // A separator that no stored text contains.
  return names.filter((name) => !name.includes('\0'))
}

/** A row with exactly these columns. */
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

/** Without a prototype, because a source may use any field name. */
function empty(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>
}
