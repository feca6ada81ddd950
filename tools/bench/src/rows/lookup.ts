// A cached lookup with all that it costs us: key, limits, slot, charge and usage row, each committed before the answer.

import { inTurns } from '../bench.ts'
import { findHomes, lookupConnections, readAnswers, refuseUnlikeSizes } from '../lookups.ts'
import type { Measurement } from '../measurement.ts'
import { startBare } from '../processes/bare.ts'
import { runLoad } from '../processes/load-run.ts'

const WARM_SECONDS = 0.5

export const lookup: Measurement = {
  name: 'lookup',
  measures: [
    {
      name: 'GET /v1/properties/{zpid}, cached, metered, 50 keys',
      unit: 'requests/s',
      target: { of: 'ratio', bound: 'at least', value: 0.5 },
    },
  ],
  async run(bench) {
    const { api, accounts, database } = await bench.sample()
    const zpids = await findHomes(database, accounts.length)
    const bare = await startBare(await readAnswers(api.origin, zpids, accounts[0]!.key))
    bench.atEnd(bare.stop)
    const connections = lookupConnections(accounts, zpids)
    const load = (to: number) =>
      runLoad({ ports: [to], seconds: bench.seconds, warmSeconds: WARM_SECONDS, connections })
    const latencies: number[] = []
    const sizes = { ours: 0, bare: 0 }
    const samples = await inTurns(
      bench.rounds,
      async () => {
        const report = await load(api.port)
        latencies.push(report.p99Ms)
        sizes.ours = report.bodyBytes
        return report.perSecond
      },
      async () => {
        const report = await load(bare.port)
        sizes.bare = report.bodyBytes
        return report.perSecond
      },
    )
    await bare.stop()
    refuseUnlikeSizes(sizes.ours, sizes.bare)
    const kilobytes = (sizes.ours / 1_000).toFixed(1)
    const p99 = Math.max(...latencies).toFixed(0)
    return [
      {
        ...samples,
        note: `baseline: bare Fastify, same bytes (${kilobytes} kB on average) and header fields; our worst p99 ${p99} ms`,
      },
    ]
  },
}
