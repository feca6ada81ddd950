// A search of a city among 180,000 listings, metered, beside its statement alone. One call at a time on both sides.

import { searchStatement } from '@lotline/api/data/sources/dataset/search-statement.ts'
import { fromListingsQuery } from '@lotline/api/domain/search/search-filters.ts'
import { isRefusal } from '@lotline/api/infrastructure/platform/refusal.ts'
import { inTurns } from '../bench.ts'
import type { Measurement } from '../measurement.ts'
import { runChild } from '../processes/child.ts'
import { getRequest, runLoad } from '../processes/load-run.ts'
import type { SqlOrder, SqlReport } from '../processes/sql-load.ts'

const SQL = new URL('../processes/sql-load.ts', import.meta.url)
const ROWS = 50
const WARM_SECONDS = 0.5
/** Seattle, Toledo, Brooklyn and Manhattan. */
const CITIES = [
  '-122.44,47.49,-122.24,47.74',
  '-83.70,41.58,-83.45,41.74',
  '-74.04,40.57,-73.85,40.74',
  '-74.02,40.70,-73.91,40.88',
]

export const search: Measurement = {
  name: 'search',
  measures: [
    {
      name: 'GET /v1/listings, 50 rows of a city in 180,000, p50',
      unit: 'ms',
      target: { of: 'ratio', bound: 'at most', value: 1.5 },
    },
    {
      name: 'the SQL of that search alone, p50',
      unit: 'ms',
      target: { of: 'ours', bound: 'at most', value: 11 },
    },
  ],
  async run(bench) {
    const { stage, status, note } = await bench.large()
    const { api, accounts, dataDir } = stage
    const statements = CITIES.map((bbox) => {
      const area = fromListingsQuery({ bbox, status })
      if (isRefusal(area)) throw new Error(area.message)
      return searchStatement(area, { limit: ROWS })
    })
    const requests = CITIES.map((bbox) =>
      getRequest(`/v1/listings?bbox=${bbox}&status=${status}&max_items=${ROWS}`, accounts[0]!.key),
    )
    const times = { seconds: bench.seconds, warmSeconds: WARM_SECONDS }
    const order: SqlOrder = { ...times, dataDir, statements }
    const samples = await inTurns(
      bench.rounds,
      async () => (await runLoad({ ...times, ports: [api.port], connections: [requests] })).p50Ms,
      async () => (await runChild<SqlReport>(SQL, { input: order })).p50Ms,
    )
    return [
      { ...samples, note: `baseline: the same SQL through pg, one connection; four cities in turn; ${note}` },
      { ours: samples.baseline },
    ]
  },
}
