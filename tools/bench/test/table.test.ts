import { expect, test } from 'vitest'
import { type Measure, toMissingRow, toRow } from '../src/row.ts'
import { toTable } from '../src/table.ts'

const calls: Measure = {
  name: 'calls',
  unit: 'per second',
  target: { of: 'ratio', bound: 'at least', value: 0.5 },
}
const start: Measure = { name: 'start', unit: 's', target: { of: 'ours', bound: 'at most', value: 1.5 } }

test('a ratio is judged against its target', () => {
  expect(toRow(calls, { ours: [6, 6], baseline: [10, 10] })).toMatchObject({
    ours: 6,
    baseline: 10,
    ratio: 0.6,
    met: true,
    target: '≥ 0.5 ×',
    note: null,
  })
  expect(toRow(calls, { ours: [4], baseline: [10] }).met).toBe(false)
})

test('a figure without a baseline is judged against an absolute target', () => {
  expect(toRow(start, { ours: [1, 2, 1.2] })).toMatchObject({
    ours: 1.2,
    baseline: null,
    ratio: null,
    met: true,
  })
  expect(toRow(start, { ours: [1.6] }).met).toBe(false)
})

test('a figure without a target is listed and not judged', () => {
  expect(toRow({ name: 'rate', unit: 'MB/s' }, { ours: [3] })).toMatchObject({
    ours: 3,
    target: null,
    met: null,
  })
})

test('a figure that could not be measured is listed with the reason and not judged', () => {
  const row = toMissingRow(calls, 'the data is absent')
  expect(row).toMatchObject({ ours: null, baseline: null, ratio: null, met: null })
  expect(toTable([row]).join('\n')).toContain('calls: not measured: the data is absent')
})

test('the table shows medians with their spread and marks missed targets', () => {
  const rows = [toRow(calls, { ours: [3, 4, 5], baseline: [10, 10, 10] }), toRow(start, { ours: [1.234] })]
  expect(toTable(rows).map((line) => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
    ' | ours | baseline | ratio | target | met',
    expect.stringMatching(/^─+/),
    'calls | 4 per second (3–5) | 10 per second | 0.4 × | ≥ 0.5 × | NO',
    'start | 1.23 s | ≤ 1.5 s | yes',
  ])
})
