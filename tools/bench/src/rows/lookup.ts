// A cached lookup with all that it costs us: key, limits, slot, charge and usage row, each committed before the answer.
// And what any service would reach on this machine that does no more than charge before it answers.

import { type Bench, inTurns } from '../bench.ts'
import { findHomes, lookupConnections, readAnswers, refuseUnlikeSizes } from '../lookups.ts'
import type { Measurement } from '../measurement.ts'
import { startBare } from '../processes/bare.ts'
import { type CpuPart, type CpuPerCall, cpuText, measureCpu, sumOf } from '../processes/cpu.ts'
import { startLeast } from '../processes/least.ts'
import type { LoadReport } from '../processes/load.ts'
import { callsOf, runLoad, warmUp } from '../processes/load-run.ts'
import { getPostgresPid } from '../processes/memory.ts'
import type { Samples } from '../row.ts'

const WARM_SECONDS = 0.5
const WHY =
  'what is missing goes into the charge, which is on the disk before the first byte is sent: tools/bench/README.md'

export const lookup: Measurement = {
  name: 'lookup',
  measures: [
    {
      name: 'calls for a second of CPU: cached lookup, metered, 50 keys',
      unit: 'calls',
      target: { of: 'ratio', bound: 'at least', value: 0.4 },
    },
    { name: 'GET /v1/properties/{zpid}, cached, metered, 50 keys', unit: 'requests/s' },
    {
      name: 'the least that charges: bare Fastify, an UPDATE of balances a group',
      unit: 'requests/s',
    },
  ],
  async run(bench) {
    const stage = await bench.sample()
    const { api, accounts, database, dataDir } = stage
    const zpids = await findHomes(database, accounts.length)
    const answers = await readAnswers(api.origin, zpids, accounts[0]!.key)
    const bare = await startBare(answers)
    bench.atEnd(bare.stop)
    const least = await startLeast(stage, answers)
    const connections = lookupConnections(accounts, zpids)
    const postgres = { name: 'PostgreSQL', pid: await getPostgresPid(dataDir) }
    /** Runs the load on a server, and keeps what the server used of the CPU. */
    const loadOn = (port: number, parts: readonly CpuPart[]) => {
      const cpu: CpuPerCall[] = []
      let answered = 0
      const load = async () => {
        const { done, perCall } = await measureCpu(
          parts,
          () => runLoad({ ports: [port], seconds: bench.seconds, warmSeconds: WARM_SECONDS, connections }),
          callsOf,
        )
        cpu.push(perCall)
        answered += callsOf(done)
        return done
      }
      return { cpu, load, answered: () => answered }
    }
    try {
      const spentBefore = await least.spent()
      for (const port of [api.port, bare.port]) await warmUp({ ports: [port], connections })
      const ours = loadOn(api.port, [{ name: 'API', pid: api.pid }, postgres])
      const beside = loadOn(bare.port, [{ name: 'bare Fastify', pid: bare.pid }])
      const rates = await besideBare(bench, ours.load, beside.load)
      const ofLeast = loadOn(least.port, [{ name: 'API', pid: least.pid }, postgres])
      const floor = await besideBare(bench, ofLeast.load, beside.load)
      const oursAgain = loadOn(api.port, [{ name: 'API', pid: api.pid }, postgres])
      const ofLeastAgain = loadOn(least.port, [{ name: 'API', pid: least.pid }, postgres])
      await inTurns(
        bench.rounds,
        async () => (await oursAgain.load()).perSecond,
        async () => (await ofLeastAgain.load()).perSecond,
      )
      const answered = ofLeast.answered() + ofLeastAgain.answered()
      const spent = (await least.spent()) - spentBefore
      if (spent !== answered) throw new Error(`${answered} calls were answered, and ${spent} were charged`)
      const kilobytes = (rates.bodyBytes / 1_000).toFixed(1)
      return [
        {
          ours: oursAgain.cpu.map((round) => 1e6 / sumOf(round)),
          baseline: ofLeastAgain.cpu.map((round) => 1e6 / sumOf(round)),
          note: `baseline: the least that charges. Ours: ${cpuText(oursAgain.cpu)}; the least: ${cpuText(ofLeastAgain.cpu)}; ${WHY}`,
        },
        {
          ...rates.samples,
          note: `for information: a bare Fastify that sends the same bytes (${kilobytes} kB on average) and header fields; ${cpuText(beside.cpu)}; our worst p99 ${rates.worstP99Ms.toFixed(0)} ms`,
        },
        {
          ...floor.samples,
          note: 'durable like ours, but without key check, limit, queue, ledger and usage row; the same bare Fastify beside it',
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
