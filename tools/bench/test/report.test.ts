import { expect, test } from 'vitest'
import { describeMachine } from '../src/machine.ts'
import { toReport } from '../src/report.ts'
import { type Measure, toMissingRow, toRow } from '../src/row.ts'

const calls: Measure = {
  name: 'calls',
  unit: 'per second',
  target: { of: 'ratio', bound: 'at least', value: 0.5 },
}

test('a row of the JSON report has seven fields, and its explanation is stored separately', () => {
  const rows = [
    toRow(calls, { ours: [6, 6], baseline: [10, 12], note: 'said' }),
    toMissingRow({ name: 'rate', unit: 'MB/s' }, 'no data'),
  ]
  const report = toReport(rows, { machine: describeMachine(), rounds: 2, seconds: 1 })
  expect(report.rows).toEqual([
    {
      name: 'calls',
      ours: 6,
      baseline: 11,
      ratio: 0.55,
      target: '≥ 0.5 ×',
      unit: 'per second',
      met: true,
    },
    {
      name: 'rate',
      ours: null,
      baseline: null,
      ratio: null,
      target: null,
      unit: 'MB/s',
      met: null,
    },
  ])
  expect(report.details[0]).toEqual({
    name: 'calls',
    target: { of: 'ratio', bound: 'at least', value: 0.5 },
    spread: { ours: { median: 6, min: 6, max: 6 }, baseline: { median: 11, min: 10, max: 12 } },
    note: 'said',
  })
  expect(report.details[1]).toMatchObject({ name: 'rate', target: null, note: 'not measured: no data' })
})
