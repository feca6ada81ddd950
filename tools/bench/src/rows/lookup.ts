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
    const samples = await inTurns(
      bench.rounds,
      async () => {
        const report = await load(api.port)
        latencies.push(report.p99Ms)
        return report.perSecond
      },
      async () => (await load(port)).perSecond,
    )
    await stopChild(bare)
    const p99 = Math.max(...latencies).toFixed(0)
    return [{ ...samples, note: `baseline: bare Fastify, same bytes and header fields; our worst p99 ${p99} ms` }]
  },
}

async function copyAnswers(
  origin: string,
  zpids: readonly string[],
  key: string,
): Promise<BareOrder> {
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

