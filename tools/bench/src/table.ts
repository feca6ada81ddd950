// The table for people: right-aligned figures, each with its spread, and the notes below.

import type { Row } from './row.ts'
import type { Figure } from './statistics.ts'

const HEAD = ['', 'ours', 'baseline', 'ratio', 'target', 'met'] as const

export function toTable(rows: readonly Row[]): string[] {
  const cells = rows.map((row) => [
    row.name,
    figureText(row.spread.ours, row.unit),
    figureText(row.spread.baseline, row.unit),
    row.ratio === null ? '' : `${threeDigits(row.ratio)} ×`,
    row.target ?? '–',
    row.met === null ? '–' : row.met ? 'yes' : 'NO',
  ])
  const widths = HEAD.map((head, column) => Math.max(head.length, ...cells.map((row) => row[column]!.length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd()
  const notes = rows.filter((row) => row.note !== null).map((row) => `  ${row.name}: ${row.note}`)
  return [
    line(HEAD),
    line(widths.map((width) => '─'.repeat(width))),
    ...cells.map(line),
    ...(notes.length > 0 ? ['', 'Notes', ...notes] : []),
  ]
}

/** Median, and in brackets the least and the greatest where there was more than one. */
export function figureText(figure: Figure | null, unit: string): string {
  if (!figure) return ''
  const { median, min, max } = figure
  const spread = min === max ? '' : ` (${threeDigits(min)}–${threeDigits(max)})`
  return `${threeDigits(median)} ${unit}${spread}`
}

/** Three digits that matter, and no more. */
export function threeDigits(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(3)))
}
