// The cost of keeping what an import replaces, and the speed of its undo.

import { join } from 'node:path'
import { inTurns } from '../bench.ts'
import { writeHomes } from '../homes.ts'
import type { Measurement } from '../measurement.ts'
import { importFiles, runImport } from '../processes/import-files.ts'
import { findShortRecords } from '../short-records.ts'

const HOMES = 20_000

export const undo: Measurement = {
  name: 'undo',
  measures: [
    {
      name: 'undo of an import that changed 20,000 homes',
      unit: 's',
      target: { of: 'ours', bound: 'at most', value: 30 },
    },
    {
      name: 'import that changes 20,000 homes, with what it replaces kept',
      unit: 's',
      target: { of: 'ratio', bound: 'at most', value: 1.15 },
    },
  ],
  async run(bench) {
    const { database, dataDir } = await bench.empty()
    const { files } = await findShortRecords(bench.directory)
    const path = await writeHomes(files, { from: 0, to: HOMES }, join(bench.directory, 'undo.ndjson'))
    /** Stores the homes, and makes each differ from the file, so that the next import changes them all. */
    const prepare = async () => {
      await database.query('truncate listings, replaced_listings')
      await importFiles(dataDir, [path])
      await database.query(`update listings set record = replace(record, '{', '{ ')`)
    }
    const lastImport = async () => {
      const { rows } = await database.query<{ id: number }>('select max(id) as id from imports')
      return rows[0]!.id
    }
    const setKept = (isKept: boolean) =>
      database.query(`
        alter table listings ${isKept ? 'enable' : 'disable'} trigger keep_inserted_listings;
        alter table listings ${isKept ? 'enable' : 'disable'} trigger keep_updated_listings`)
    const undone: number[] = []
    const samples = await inTurns(
      bench.rounds,
      async () => {
        await prepare()
        const { seconds } = await importFiles(dataDir, [path])
        const undoing = await runImport(dataDir, ['listings', 'revert', String(await lastImport())])
        undone.push(undoing.seconds)
        return seconds
      },
      async () => {
        await prepare()
        await setKept(false)
        try {
          return (await importFiles(dataDir, [path])).seconds
        } finally {
          await setKept(true)
        }
      },
    )
    await database.query('truncate listings, replaced_listings')
    return [
      { ours: undone, note: 'the whole command, its start included; without watches' },
      { ...samples, note: 'baseline: the same import without kept homes' },
    ]
  },
}
