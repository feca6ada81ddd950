// Guesses fields of columns that have the name of a field in the contract, such as `hasPool` or `zestimate`.

import { plainName } from '../../domain/record.ts'
import { findFormatAt, findTypesAt, topFields } from '../listings/contract-types.ts'
import { isRightsField } from '../rights/row-rights.ts'
import type { CellKind, FieldGuess } from './header-names.ts'

/** Parts of the address, which a record has in `address`, and fields that identify the record. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'zpid',
  'streetAddress',
  'city',
  'state',
  'zipcode',
  'country',
  'currency',
])

/**
 * @param columns names that a mapping can use
 * @param found fields that other names have found
 */
export function contractFields(
  columns: readonly string[],
  found: readonly FieldGuess[],
  cellsOf: (column: string) => readonly string[],
): FieldGuess[] {
  return topFields().flatMap((field) => {
    const column = columns.find((one) => plainName(one) === plainName(field))
    if (column === undefined || ELSEWHERE.has(field) || isRightsField(column) || !isScalar(field)) return []
    if (found.some((one) => one.field === field || one.column === column)) return []
    return [{ field, kind: kindOf(field), column, cells: cellsOf(column) }]
  })
}

function isScalar(field: string): boolean {
  const types = findTypesAt([field])
  return types !== undefined && !types.has('object') && !types.has('array')
}

function kindOf(field: string): CellKind {
  return findFormatAt([field])?.startsWith('date') ? 'date' : 'text'
}
