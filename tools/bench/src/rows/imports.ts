// How fast the operator's command takes listings in, its own start included.

import type { Measurement } from '../measurement.ts'

const MB = 1e6

export const imports: Measurement = {
  name: 'imports',
  measures: [
    {
      name: 'import of short records (unified-records)',
      unit: 'records/s',
      target: { of: 'ours', bound: 'at least', value: 20_000 },
    },
    { name: 'import of full records (the sample)', unit: 'MB/s' },
    { name: 'peak memory of an import, one sample a file', unit: 'MB' },
  ],
  async run(bench) {
    const { short, full, fullBytes, note } = await bench.large()
    const read = short.reduce((sum, run) => sum + run.read, 0)
    const seconds = short.reduce((sum, run) => sum + run.seconds, 0)
    return [
      {
        ours: short.map((run) => run.read / run.seconds),
        note: `each file once, into a growing data set; all together ${Math.round(read / seconds)} records/s; ${note}`,
      },
      {
        ours: [fullBytes / MB / full.seconds],
        note: `once; ${full.read} records, ${Math.round(fullBytes / MB)} MB`,
      },
      { ours: [...short, full].map((run) => run.peakRss / 1024 / 1024) },
    ]
  },
}
