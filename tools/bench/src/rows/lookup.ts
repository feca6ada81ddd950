// A cached lookup with all that it costs us: key, limits, slot, charge and usage row, each committed before the answer.
// And what any service would reach on this machine that does no more than charge before it answers.

import { type Bench, inTurns } from '../bench.ts'
import { findHomes, lookupConnections, readAnswers, refuseUnlikeSizes } from '../lookups.ts'
import type { Measurement } from '../measurement.ts'
import { startBare } from '../processes/bare.ts'
import { startLeast } from '../processes/least.ts'
import type { LoadReport } from '../processes/load.ts'
import { runLoad } from '../processes/load-run.ts'
import type { Samples } from '../row.ts'

const WARM_SECONDS = 0.5
const WHY =
  'what is missing goes into the charge, which is on the disk before the first byte is sent: tools/bench/README.md'

export const lookup: Measurement = {
  name: 'lookup',
  measures: [
    {
      name: 'GET /v1/properties/{zpid}, cached, metered, 50 keys',
      unit: 'requests/s',
      target: { of: 'ratio', bound: 'at least', value: 0.5 },
    },
    {
      name: 'the least that charges: bare Fastify, an UPDATE of balances a group',
      unit: 'requests/s',
    },
  ],
  async run(bench) {
    const stage = await bench.sample()
    const { api, accounts, database } = stage
    const zpids = await findHomes(database, accounts.length)
    const answers = await readAnswers(api.origin, zpids, accounts[0]!.key)
    const bare = await startBare(answers)
    bench.atEnd(bare.stop)
    const connections = lookupConnections(accounts, zpids)
    const load = (port: number) =>
      runLoad({ ports: [port], seconds: bench.seconds, warmSeconds: WARM_SECONDS, connections })

    const ours = await besideBare(
      bench,
      () => load(api.port),
      () => load(bare.port),
    )
    const kilobytes = (ours.bodyBytes / 1_000).toFixed(1)
    const least = await startLeast(stage, answers)
    try {
      let answered = 0
      const floor = await besideBare(
        bench,
        async () => {
          const report = await load(least.port)
          answered += report.statuses['200'] ?? 0
          return report
        },
        () => load(bare.port),
      )
      const spent = await least.spent()
      if (spent !== answered) throw new Error(`${answered} calls were answered, and ${spent} were charged`)
      return [
        {
          ...ours.samples,
          note: `baseline: bare Fastify, same bytes (${kilobytes} kB on average) and header fields; our worst p99 ${ours.worstP99Ms.toFixed(0)} ms; ${WHY}`,
        },
        {
          ...floor.samples,
          note: 'what the row above can come to on this machine: durable like ours, but without key check, limit, queue, ledger and usage row; the same baseline',
        },
      ]
    } finally {
      await least.stop()
      await bare.stop()
    }
  },
}

/** @throws {Error} when the two sides did not send as much. */
async function besideBare(
  bench: Bench,
  ours: () => Promise<LoadReport>,
  bare: () => Promise<LoadReport>,
): Promise<{ samples: Samples; bodyBytes: number; worstP99Ms: number }> {
  const latencies: number[] = []
  const bytes = { ours: 0, bare: 0 }
  const samples = await inTurns(
    bench.rounds,
    async () => {
      const { perSecond, p99Ms, bodyBytes } = await ours()
      latencies.push(p99Ms)
      bytes.ours = bodyBytes
      return perSecond
    },
    async () => {
      const { perSecond, bodyBytes } = await bare()
      bytes.bare = bodyBytes
      return perSecond
    },
  )
  refuseUnlikeSizes(bytes.ours, bytes.bare)
  return { samples, bodyBytes: bytes.ours, worstP99Ms: Math.max(...latencies) }
}
