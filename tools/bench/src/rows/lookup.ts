// A cached lookup with all that it costs us: key, limits, slot, charge and usage row, each committed before the answer.

import { inTurns } from '../bench.ts'
import type { Measurement } from '../measurement.ts'
import type { BareOrder } from '../processes/bare-fastify.ts'
import { firstLine, startChild, stopChild } from '../processes/child.ts'
import { getRequest, runLoad } from '../processes/load-run.ts'

const BARE = new URL('../processes/bare-fastify.ts', import.meta.url)
const WARM_SECONDS = 0.5
/** Fields that the server's HTTP layer adds by itself, on both sides. */
const ADDED = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

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
    const { rows } = await database.query<{ zpid: string }>(
      'select zpid from listings where not is_building order by zpid limit $1',
      [accounts.length],
    )
    const zpids = rows.map(({ zpid }) => zpid)
    const bare = startChild(BARE, { input: await copyAnswers(api.origin, zpids, accounts[0]!.key) })
    bench.atEnd(() => stopChild(bare))
    const { port } = JSON.parse(await firstLine(bare)) as { port: number }
    // Every key asks for all homes, each beginning with another one.
    const connections = accounts.map(({ key }, at) =>
      [...zpids.slice(at), ...zpids.slice(0, at)].map((zpid) => getRequest(`/v1/properties/${zpid}`, key)),
    )
    const load = (to: number) =>
      runLoad({ port: to, seconds: bench.seconds, warmSeconds: WARM_SECONDS, connections })
    const latencies: number[] = []
    const sizes: { ours: number; bare: number } = { ours: 0, bare: 0 }
    const samples = await inTurns(
      bench.rounds,
      async () => {
        const report = await load(api.port)
        latencies.push(report.p99Ms)
        sizes.ours = report.bodyBytes
        return report.perSecond
      },
      async () => {
        const report = await load(port)
        sizes.bare = report.bodyBytes
        return report.perSecond
      },
    )
    await stopChild(bare)
    // Each side has gone through the same homes, but may have stopped at different ones.
    if (Math.abs(sizes.ours / sizes.bare - 1) > 0.02) {
      throw new Error(`the two sides sent bodies of ${sizes.ours} and ${sizes.bare} bytes on average`)
    }
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

async function copyAnswers(origin: string, zpids: readonly string[], key: string): Promise<BareOrder> {
  const bodies: Record<string, string> = {}
  let headers: Record<string, string> = {}
  for (const zpid of zpids) {
    const response = await fetch(`${origin}/v1/properties/${zpid}`, {
      headers: { Authorization: `Bearer ${key}` },
    })
    if (response.status !== 200) throw new Error(`the answer for ${zpid} is ${response.status}`)
    bodies[zpid] = await response.text()
    headers = Object.fromEntries([...response.headers].filter(([name]) => !ADDED.has(name)))
  }
  return { path: '/v1/properties/:id', bodies, headers }
}
