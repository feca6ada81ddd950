// How the cost of a cached lookup grows with the number of keys that call at a time, one call in flight for each.

import { inTurns } from '../bench.ts'
import { findHomes, lookupConnections, readAnswers } from '../lookups.ts'
import type { Measurement } from '../measurement.ts'
import { startBare } from '../processes/bare.ts'
import { runLoad } from '../processes/load-run.ts'
import type { Samples } from '../row.ts'
import { openAccounts } from '../stage.ts'
import { median } from '../statistics.ts'

const COUNTS = [1, 10, 100, 1_000]
const HOMES = 50
/** The warm-up is long enough to look up every key once. */
const WARM_SECONDS = 1

export const keys: Measurement = {
  name: 'keys',
  onlyWhenAsked: true,
  measures: COUNTS.map((count) => ({
    name: `the lookup with ${count.toLocaleString('en-US')} key${count === 1 ? '' : 's'} in parallel`,
    unit: 'requests/s',
  })),
  async run(bench) {
    const { api, accounts: some, database } = await bench.sample()
    const accounts = [...some, ...(await openAccounts(database, Math.max(...COUNTS) - some.length))]
    const zpids = await findHomes(database, HOMES)
    const bare = await startBare(await readAnswers(api.origin, zpids, accounts[0]!.key))
    bench.atEnd(bare.stop)
    const rows: Samples[] = []
    for (const count of COUNTS) {
      const connections = lookupConnections(accounts.slice(0, count), zpids)
      const [p50s, p99s]: [number[], number[]] = [[], []]
      const load = (port: number) =>
        runLoad({ ports: [port], seconds: bench.seconds, warmSeconds: WARM_SECONDS, connections })
      const samples = await inTurns(
        bench.rounds,
        async () => {
          const { perSecond, p50Ms, p99Ms } = await load(api.port)
          p50s.push(p50Ms)
          p99s.push(p99Ms)
          return perSecond
        },
        async () => (await load(bare.port)).perSecond,
      )
      const latency = `our p50 ${median(p50s).toFixed(1)} ms, p99 ${median(p99s).toFixed(1)} ms`
      rows.push({ ...samples, note: `baseline: bare Fastify, same bytes, as many connections; ${latency}` })
    }
    await bare.stop()
    return rows
  },
}
