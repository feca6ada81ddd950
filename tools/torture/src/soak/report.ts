// What is left of a soak: a CSV file with every value, a picture of the memory, and a table for the terminal.

import type { Growth, Series } from './growth.ts'
import type { FigureKind, SoakSample } from './samples.ts'

/** One line for each value: `at_s,kind,name,value`. */
export function csvLines(samples: readonly SoakSample[]): string[] {
  return samples.map(
    ({ atS, kind, name, value }) => `${Math.round(atS)},${kind},"${name.replaceAll('"', '""')}",${value}`,
  )
}

export const CSV_HEAD = 'at_s,kind,name,value'

/** Values that a table for people shows of each series: at most so many, evenly spread, the last one among them. */
const COLUMNS = 13

/** Lines for the terminal: each series with its values over time, and what is wrong with it. */
export function tableOf(growths: readonly Growth[]): string[] {
  const shown = growths.filter(({ kind, name }) => kind !== 'connections' || name === 'all')
  const times = spread(shown[0]?.points ?? []).map(({ atS }) => `${Math.round(atS / 60)} min`)
  const rows = shown.map((growth) => [
    `${growth.kind} ${growth.name}`,
    ...spread(growth.points).map(({ value }) => textOf(growth.kind, value)),
    growth.complaint === undefined ? '' : `✖ ${growth.complaint}`,
  ])
  const all = [['', ...times, ''], ...rows]
  const widths = all[0]!.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)))
  return all.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
      .join('  ')
      .trimEnd(),
  )
}

function spread<T>(points: readonly T[]): T[] {
  if (points.length <= COLUMNS) return [...points]
  return Array.from(
    { length: COLUMNS },
    (_, at) => points[Math.round((at * (points.length - 1)) / (COLUMNS - 1))]!,
  )
}

/** Sizes in MiB, counts as they are. */
function textOf(kind: FigureKind, value: number): string {
  return kind === 'memory' || kind === 'shared' || kind === 'table'
    ? `${(value / 1_048_576).toFixed(1)}`
    : String(Math.round(value))
}

const [WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM] = [760, 360, 60, 20, 130, 40]
const COLORS = ['#1f77b4', '#ff7f0e', '#2ca02c', '#d62728', '#9467bd', '#8c564b', '#e377c2', '#7f7f7f']

/** The memory of each process over time, as an SVG picture. */
export function memoryPicture(series: readonly Series[]): string {
  const lines = series.filter(({ kind }) => kind === 'memory')
  const lastS = Math.max(1, ...lines.flatMap(({ points }) => points.map(({ atS }) => atS)))
  const most = Math.max(1, ...lines.flatMap(({ points }) => points.map(({ value }) => value))) * 1.1
  const x = (atS: number) => (LEFT + (atS / lastS) * (WIDTH - LEFT - RIGHT)).toFixed(1)
  const y = (value: number) => (HEIGHT - BOTTOM - (value / most) * (HEIGHT - TOP - BOTTOM)).toFixed(1)
  const text = (at: string, words: string) =>
    `<text ${at} font-family="sans-serif" font-size="12">${words}</text>`
  const marks = [0, 0.25, 0.5, 0.75, 1].flatMap((part) => [
    `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(most * part)}" y2="${y(most * part)}" stroke="#ddd"/>`,
    text(`x="4" y="${y(most * part)}"`, `${Math.round((most * part) / 1_048_576)} MiB`),
    text(`x="${x(lastS * part)}" y="${HEIGHT - 16}"`, `${Math.round((lastS * part) / 60)} min`),
  ])
  const curves = lines.flatMap(({ name, points }, at) => {
    const color = COLORS[at % COLORS.length]
    const path = points.map(({ atS, value }) => `${x(atS)},${y(value)}`).join(' ')
    return [
      `<polyline fill="none" stroke="${color}" stroke-width="1.5" points="${path}"/>`,
      text(`x="${WIDTH - RIGHT + 8}" y="${TOP + 16 * (at + 1)}" fill="${color}"`, name),
    ]
  })
  const size = `width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect width="100%" height="100%" fill="#fff"/>${[...marks, ...curves].join('')}</svg>\n`
}
