import { expect, test } from 'vitest'
import { toChart } from '../src/chart.ts'
import { type Measure, toMissingRow, toRow } from '../src/row.ts'

const calls: Measure = {
  name: 'calls of <one> key & another',
  unit: 'per second',
  target: { of: 'ratio', bound: 'at least', value: 0.5 },
}
const start: Measure = { name: 'start', unit: 's', target: { of: 'ours', bound: 'at most', value: 1.5 } }

/** The horizontal places of the lines of a kind, and the widths of the bars. */
function shapesOf(svg: string, kind: string): number[] {
  const rows = svg.slice(svg.indexOf('class="rule"'))
  const pattern = new RegExp(`class="${kind}" (?:x="268" y="\\d+" width|x1)="([\\d.]+)"`, 'g')
  return Array.from(rows.matchAll(pattern), ([, value]) => Number(value))
}

test('bars are as long as their figures, and the target mark is relative to the baseline', () => {
  const svg = toChart([toRow(calls, { ours: [30], baseline: [40] })], [])
  const [[ours], [baseline], [target]] = ['ours', 'baseline', 'target'].map((kind) =>
    shapesOf(svg, kind),
  ) as [number[], number[], number[]]
  expect(ours! / baseline!).toBeCloseTo(30 / 40)
  expect((target! - 268) / baseline!).toBeCloseTo(0.5)
})

test('the mark of an absolute target uses the scale of the figure, even beyond the bar', () => {
  const svg = toChart([toRow(start, { ours: [0.75] })], [])
  expect((shapesOf(svg, 'target')[0]! - 268) / shapesOf(svg, 'ours')[0]!).toBeCloseTo(2)
})

test('the text alternative of the chart says which targets are met and missed', () => {
  const met = toChart([toRow(start, { ours: [1.2] })], [])
  const missed = toChart([toRow(calls, { ours: [4], baseline: [10] })], [])
  expect(met).toContain('target ≤ 1.5 s<tspan class="met"> met</tspan>')
  expect(missed).toContain('0.4 × the baseline; target ≥ 0.5 ×<tspan class="missed"> missed</tspan>')
})

test('the text alternative lists figures without a baseline and missing figures', () => {
  const bare = { name: 'rate', unit: 'MB/s' }
  const svg = toChart([toRow(bare, { ours: [3] }), toMissingRow(calls, 'the data is absent')], [])
  expect(svg).toContain('>3 MB/s</text>')
  expect(svg).toContain('>not measured</text>')
  expect(shapesOf(svg, 'ours')).toEqual([])
})

test('special characters in names and facts are escaped in the SVG', () => {
  const svg = toChart([toRow(calls, { ours: [1], baseline: [1] })], ['a <b> & c'])
  expect(svg).toContain('>calls of &lt;one&gt; key &amp; another</text>')
  expect(svg).toContain('>a &lt;b&gt; &amp; c</text>')
})

test('the chart has colors for light and dark mode', () => {
  const svg = toChart([], [])
  expect(svg).toContain('@media (prefers-color-scheme: dark)')
})
