// How the cost of a search grows with the data set: 50 rows of a box that always holds about 500 homes, and 50 rows of the
// box that holds all there are, whose total is counted as well.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { searchStatement } from '@lotline/api/data/sources/dataset/search-statement.ts'
import { fromListingsQuery } from '@lotline/api/domain/search/search-filters.ts'
import { isRefusal } from '@lotline/api/infrastructure/platform/refusal.ts'
import { type Bench, inTurns } from '../bench.ts'
import { countOriginals, describeHomes, writeHomes } from '../homes.ts'
import type { Measurement } from '../measurement.ts'
import { runChild } from '../processes/child.ts'
import { importFiles } from '../processes/import-files.ts'
import { getRequest, runLoad } from '../processes/load-run.ts'
import type { SqlOrder, SqlReport } from '../processes/sql-load.ts'
import type { Samples } from '../row.ts'
import { findShortRecords, type ShortRecords } from '../short-records.ts'
import type { Stage } from '../stage.ts'

const SQL = new URL('../processes/sql-load.ts', import.meta.url)
const SIZES = [10_000, 100_000, 1_000_000]
const ROWS = 50
const WARM_SECONDS = 0.5
const HOMES_IN_BOX = 500
const EVERYWHERE = '-125,24,-66,50'
const thousands = (count: number) => count.toLocaleString('en-US')

export const listings: Measurement = {
  name: 'listings',
  onlyWhenAsked: true,
  measures: SIZES.flatMap((size) => [
    { name: `GET /v1/listings, a box of some ${HOMES_IN_BOX} in ${thousands(size)}, p50`, unit: 'ms' },
    { name: `GET /v1/listings, the box of all ${thousands(size)}, p50`, unit: 'ms' },
  ]),
  async run(bench) {
    const stage = await bench.empty()
    const short = await findShortRecords(bench.directory)
    const originals = await countOriginals(short.files)
    const rows: Samples[] = []
    let filled = 0
    try {
      for (const size of SIZES) {
        const file = join(bench.directory, `homes-${size}.ndjson`)
        await writeHomes(short.files, { from: filled, to: size }, file)
        await importFiles(stage.dataDir, [file])
        await rm(file)
        filled = size
        await refuseOtherCount(stage, size)
        const kind = describeHomes(short.kind, originals, size)
        const { bbox, count } = await findBox(stage, short.status)
        rows.push(await searchIn(bench, stage, bbox, short, `${count} homes in the box; ${kind}`))
        rows.push(await searchIn(bench, stage, EVERYWHERE, short, `its total is counted; ${kind}`))
      }
    } finally {
      await stage.database.query('truncate listings')
    }
    return rows
  },
}

/** Records that are alike would be one listing. */
async function refuseOtherCount({ database }: Stage, wanted: number): Promise<void> {
  const { rows } = await database.query<{ count: number }>('select count(*)::integer as count from listings')
  if (rows[0]!.count !== wanted) throw new Error(`there are ${rows[0]!.count} listings, and not ${wanted}`)
}

/** A square around some home, as wide as its 500 nearest neighbours need. */
async function findBox({ database }: Stage, status: ShortRecords['status']) {
  const kind = status === 'sold' ? 'recently_sold' : 'for_sale'
  const { rows } = await database.query<{ bbox: string; count: number }>(
    `with centre as (select location from listings where kind = $1 order by zpid limit 1),
     reach as (
       select max(abs(near.location[0] - centre.location[0])) as x, max(abs(near.location[1] - centre.location[1])) as y
       from centre, lateral (
         select location from listings where kind = $1 and not is_building
         order by location <-> centre.location limit $2
       ) near
     ),
     bounds as (
       select location[0] - x as west, location[1] - y as south, location[0] + x as east, location[1] + y as north
       from centre, reach
     )
     select concat_ws(',', west, south, east, north) as bbox, (
       select count(*)::integer from listings
       where kind = $1 and not is_building and location <@ box(point(west, south), point(east, north))
     ) as count
     from bounds`,
    [kind, HOMES_IN_BOX],
  )
  return rows[0]!
}

async function searchIn(
  bench: Bench,
  { api, accounts, dataDir }: Stage,
  bbox: string,
  { status }: ShortRecords,
  note: string,
): Promise<Samples> {
  const area = fromListingsQuery({ bbox, status })
  if (isRefusal(area)) throw new Error(area.message)
  const request = getRequest(`/v1/listings?bbox=${bbox}&status=${status}&max_items=${ROWS}`, accounts[0]!.key)
  const times = { seconds: bench.seconds, warmSeconds: WARM_SECONDS }
  const order: SqlOrder = { ...times, dataDir, statements: [searchStatement(area, { limit: ROWS })] }
  const samples = await inTurns(
    bench.rounds,
    async () => (await runLoad({ ...times, ports: [api.port], connections: [[request]] })).p50Ms,
    async () => (await runChild<SqlReport>(SQL, { input: order })).p50Ms,
  )
  return { ...samples, note: `baseline: the same SQL through pg; ${note}` }
}
