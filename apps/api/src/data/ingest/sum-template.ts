// A sum in a template of a mapping, for a numeric field: `{full baths} + 0.5 × {half baths}`. An asterisk is the same as ×.

import { convert } from '../listings/convert.ts'
import type { Cell, ReadCell } from './cells.ts'

const FACTOR = '\\d+(?:\\.\\d+)?'
const TERM = `(?:${FACTOR}\\s*[×*]\\s*)?\\{[^{}]+\\}(?:\\s*[×*]\\s*${FACTOR})?`
const SUM = new RegExp(`^\\s*${TERM}(?:\\s*\\+\\s*${TERM})*\\s*$`)
const PARTS = new RegExp(`(?:(${FACTOR})\\s*[×*]\\s*)?\\{([^{}]+)\\}(?:\\s*[×*]\\s*(${FACTOR}))?`, 'g')
const NUMBER = new Set(['number'] as const)
/** Removes the rounding error of binary fractions. */
const PRECISION = 1e6

/** Whether the text is a sum or a product of cells. A single `{column}` is neither. */
export function isSum(text: string): boolean {
  return SUM.test(text) && /[+×*]/.test(text.replace(/\{[^{}]*\}/g, ''))
}

/**
 * Reads the sum of a row. An empty cell counts as 0. If all cells are empty, there is no value.
 *
 * @param text a text for which `isSum` is true
 */
export function compileSum(
  text: string,
  readers: (name: string) => ReadCell,
): (...row: Parameters<ReadCell>) => Cell {
  const terms = [...text.matchAll(PARTS)].map(([, before, name, after]) => ({
    name: name!,
    read: readers(name!),
    factor: Number(before ?? 1) * Number(after ?? 1),
  }))
  return (cells, fault) => {
    let sum: number | undefined
    for (const { name, read, factor } of terms) {
      const cell = read(cells, fault)
      if (cell === undefined) continue
      const converted = convert(cell, NUMBER)
      if ('fault' in converted || typeof converted.value !== 'number') {
        fault(
          `has a wrong cell in ${name}: ${'fault' in converted ? converted.fault : 'it must be a number'}`,
        )
        return undefined
      }
      sum = (sum ?? 0) + factor * converted.value
    }
    return sum === undefined ? undefined : Math.round(sum * PRECISION) / PRECISION
  }
}
