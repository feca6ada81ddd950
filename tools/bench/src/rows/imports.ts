// How fast the operator's command takes listings in, its own start included.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sampleListings } from '@lotline/sample-data'
import type { Measurement } from '../measurement.ts'
import { type ImportRun, importFiles } from '../processes/import-files.ts'
import { findShortRecords } from '../short-records.ts'
import { figureOf } from '../statistics.ts'

const MB = 1e6

export const imports: Measurement = {
  name: 'imports',
  measures: [
    {
      name: 'import of short records (unified-records)',
      unit: 'records/s',
      target: { of: 'ours', bound: 'at least', value: 20_000 },
    },
    { name: 'the same again, nothing has changed', unit: 'records/s' },
    { name: 'import of full records (the sample)', unit: 'MB/s' },
    { name: 'peak memory of an import, one sample each', unit: 'MB' },
  ],
  async run(bench) {
    const { database, dataDir } = await bench.empty()
    const { files, kind } = await findShortRecords(bench.directory)
    const nothing = join(bench.directory, 'nothing.ndjson')
    await writeFile(nothing, '')
    const full = Array.from(sampleListings(), (record) => JSON.stringify(record)).join('\n')
    const fullBytes = Buffer.byteLength(full)
    const fullPath = join(bench.directory, 'full.ndjson')
    await writeFile(fullPath, full)

    const runs = { first: [] as ImportRun[], again: [] as ImportRun[], full: [] as ImportRun[] }
    const ownSeconds: number[] = []
    for (let round = 0; round < bench.rounds; round++) {
      ownSeconds.push((await importFiles(dataDir, [nothing])).seconds)
      runs.first.push(await importFiles(dataDir, files))
      runs.again.push(await importFiles(dataDir, files))
      await database.query('truncate listings')
      runs.full.push(await importFiles(dataDir, [fullPath]))
      await database.query('truncate listings')
    }
    const own = figureOf(ownSeconds).median
    const without = figureOf(runs.first.map(({ read, seconds }) => read / (seconds - own))).median
    const { read } = runs.first[0]!
    return [
      {
        ours: runs.first.map((run) => run.read / run.seconds),
        note: `the whole command: ${read} ${kind} in ${files.length} file(s), into an empty data set; without the ${own.toFixed(2)} s that an import of nothing takes, ${Math.round(without)} records/s`,
      },
      { ours: runs.again.map((run) => run.read / run.seconds) },
      {
        ours: runs.full.map((run) => fullBytes / MB / run.seconds),
        note: `${runs.full[0]!.read} records, ${Math.round(fullBytes / MB)} MB, into an empty data set`,
      },
      { ours: Object.values(runs).flatMap((each) => each.map((run) => run.peakRss / 1024 / 1024)) },
    ]
  },
}
