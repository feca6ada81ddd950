// The figures as a picture: for each row a bar of ours and one of its baseline, on a scale of their own, and a line where
// the target lies; a figure that nothing is compared with is described in words. The picture is 720 px wide, needs nothing but a viewer of SVG, and follows the reader's light or dark colours.

import type { Row } from './row.ts'
import type { Figure } from './statistics.ts'
import { figureText, threeDigits } from './table.ts'

const WIDTH = 720
const MARGIN = 20
const BARS_AT = 268
const BARS_WIDTH = 250
const BAR_HEIGHT = 11
const BAR_STEP = 16
const LINE_HEIGHT = 15
/** The maximum characters per line of a row's name. Longer names wrap. */
const NAME_CHARACTERS = 36
const HEAD_CHARACTERS = 112
const PADDING = 12

const STYLE = `
  .page { fill: #ffffff } .rule { stroke: #d8dee4 } .ours { fill: #1f6feb } .baseline { fill: #a6b1bc }
  .target { stroke: #cf222e; stroke-width: 2 } .spread { stroke: #24292f; stroke-opacity: .55 }
  text { font: 12px system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; fill: #1f2328 }
  .title { font-size: 17px; font-weight: 600 } .quiet { font-size: 11px; fill: #59636e }
  .met { fill: #1a7f37; font-weight: 600 } .missed { fill: #cf222e; font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } .rule { stroke: #30363d } .ours { fill: #4493f8 } .baseline { fill: #656d76 }
    .target { stroke: #f85149 } .spread { stroke: #f0f6fc }
    text { fill: #f0f6fc } .quiet { fill: #9198a1 } .met { fill: #3fb950 } .missed { fill: #f85149 }
  }`

interface ChartPart {
  readonly svg: string
  readonly height: number
}

/** @param facts what the figures were measured on, and how: lines of text above the rows. */
export function toChart(rows: readonly Row[], facts: readonly string[]): string {
  const parts: string[] = []
  const head = drawHead(facts)
  let y = head.height
  for (const row of rows) {
    const { svg, height } = drawRow(row)
    parts.push(`<line class="rule" x1="${MARGIN}" x2="${WIDTH - MARGIN}" y1="${y}" y2="${y}"/>`)
    parts.push(`<g transform="translate(0 ${y + PADDING})">${svg}</g>`)
    y += height + 2 * PADDING
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-labelledby="title">`,
    `<title id="title">Lotline, measured: ours beside its baseline and target</title>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="page" width="${WIDTH}" height="${y}"/>`,
    head.svg,
    ...parts,
    '</svg>',
    '',
  ].join('\n')
}

function drawHead(facts: readonly string[]): ChartPart {
  const lines = facts.flatMap((fact) => wrap(fact, HEAD_CHARACTERS))
  const legendAt = 42 + lines.length * LINE_HEIGHT
  const svg = [
    text(MARGIN, 30, 'Lotline, measured', 'title'),
    ...lines.map((line, at) => text(MARGIN, 48 + at * LINE_HEIGHT, line, 'quiet')),
    `<g transform="translate(${MARGIN} ${legendAt + 4})">`,
    `<rect class="ours" width="14" height="${BAR_HEIGHT}"/>${text(20, 10, 'ours')}`,
    `<rect class="baseline" x="66" width="14" height="${BAR_HEIGHT}"/>${text(86, 10, 'baseline')}`,
    `<line class="target" x1="157" x2="157" y1="-2" y2="13"/>${text(165, 10, 'target')}`,
    `<line class="spread" x1="222" x2="246" y1="5.5" y2="5.5"/>${text(252, 10, 'least to greatest of the rounds')}</g>`,
  ]
  return { svg: svg.join('\n'), height: legendAt + 32 }
}

function drawRow(row: Row): ChartPart {
  const name = wrap(row.name, NAME_CHARACTERS)
  const drawnName = name.map((line, at) => text(MARGIN, 10 + at * LINE_HEIGHT, line)).join('')
  const nameHeight = name.length * LINE_HEIGHT
  const { ours, baseline } = row.spread
  if (!ours) return { svg: drawnName + text(BARS_AT, 10, 'not measured', 'quiet'), height: nameHeight }

  if (!baseline && !row.bound) {
    return { svg: drawnName + text(BARS_AT, 10, figureText(ours, row.unit)), height: nameHeight }
  }

  const target = targetOn(row, baseline)
  const greatest = Math.max(ours.max, baseline?.max ?? 0, (target ?? 0) * 1.02)
  const across = (value: number) => (greatest > 0 ? (Math.max(0, value) / greatest) * BARS_WIDTH : 0)
  const sides: (readonly [string, Figure])[] = [['ours', ours]]
  if (baseline) sides.push(['baseline', baseline])
  const bars = sides.map(([kind, figure], at) => drawBar(kind, figure, row.unit, at * BAR_STEP, across))
  const barsHeight = sides.length * BAR_STEP
  const x = BARS_AT + across(target ?? 0)
  const line =
    target === undefined
      ? ''
      : `<line class="target" x1="${tenths(x)}" x2="${tenths(x)}" y1="-3" y2="${barsHeight - 1}"/>`
  const judged = drawJudgement(row, barsHeight + 9)
  const height = Math.max(nameHeight, barsHeight + (judged === '' ? 0 : LINE_HEIGHT))
  return { svg: [drawnName, ...bars, line, judged].join('\n'), height }
}

function drawBar(
  kind: string,
  figure: Figure,
  unit: string,
  y: number,
  across: (value: number) => number,
): string {
  const { median, min, max } = figure
  const [from, to, middle] = [BARS_AT + across(min), BARS_AT + across(max), y + BAR_HEIGHT / 2]
  return [
    `<rect class="${kind}" x="${BARS_AT}" y="${y}" width="${tenths(across(median))}" height="${BAR_HEIGHT}"/>`,
    min === max
      ? ''
      : `<line class="spread" x1="${tenths(from)}" x2="${tenths(to)}" y1="${middle}" y2="${middle}"/>`,
    text(BARS_AT + BARS_WIDTH + 10, y + 10, figureText({ median, min: median, max: median }, unit)),
  ].join('')
}

/** The line below the bars: the ratio, the target, and whether it is met. */
function drawJudgement({ ratio, target, met }: Row, y: number): string {
  const ratioText = ratio === null ? [] : [`${threeDigits(ratio)} × the baseline`]
  const targetText = target === null ? [] : [`target ${target}`]
  const words = [...ratioText, ...targetText].join('; ')
  if (words === '') return ''
  const mark =
    met === null ? '' : met ? '<tspan class="met"> met</tspan>' : '<tspan class="missed"> missed</tspan>'
  return `<text class="quiet" x="${BARS_AT}" y="${y}">${escaped(words)}${mark}</text>`
}

/** The position of the target on the scale of the row. undefined if it has none. */
function targetOn({ bound }: Row, baseline: Figure | null): number | undefined {
  if (!bound) return undefined
  if (bound.of === 'ours') return bound.value
  return baseline ? bound.value * baseline.median : undefined
}

function wrap(words: string, characters: number): string[] {
  const lines: string[] = []
  for (const word of words.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= characters)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

function text(x: number, y: number, words: string, kind?: string): string {
  return `<text${kind ? ` class="${kind}"` : ''} x="${tenths(x)}" y="${y}">${escaped(words)}</text>`
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10
}
