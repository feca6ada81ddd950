// What it costs a small response that the server could compress: the same calls from clients that accept compression and from
// clients that do not. Neither is compressed, because it fits into a packet.

import { inTurns } from '../bench.ts'
import { findHomes } from '../lookups.ts'
import type { Measurement } from '../measurement.ts'
import { type CpuPerCall, cpuText, measureCpu, sumOf } from '../processes/cpu.ts'
import { callsOf, getRequest, runLoad, warmUp } from '../processes/load-run.ts'
import { getPostgresPid } from '../processes/memory.ts'

const WARM_SECONDS = 0.5
const ACCEPTED = 'gzip, deflate, br, zstd'

export const small: Measurement = {
  name: 'small',
  onlyWhenAsked: true,
  measures: [
    {
      name: 'CPU of a small response to a client that accepts compression',
      unit: 'µs',
      target: { of: 'ratio', bound: 'at most', value: 1.05 },
    },
  ],
  async run(bench) {
    const { api, accounts, database, dataDir } = await bench.sample()
    const zpids = await findHomes(database, accounts.length)
    const connectionsOf = (field: string) =>
      accounts.map(({ key }, at) => [
        getRequest(`/v1/properties/${zpids[at % zpids.length]}/zestimate`, key).replace(
          '\r\n\r\n',
          `\r\n${field}\r\n\r\n`,
        ),
      ])
    const sides = {
      accepting: connectionsOf(`Accept-Encoding: ${ACCEPTED}`),
      // As long, so that both are read alike.
      plain: connectionsOf(`X-Other-Header-: ${ACCEPTED}`),
    }
    const parts = [
      { name: 'API', pid: api.pid },
      { name: 'PostgreSQL', pid: await getPostgresPid(dataDir) },
    ]
    await warmUp({ ports: [api.port], connections: sides.plain })
    const cpu: Record<keyof typeof sides, CpuPerCall[]> = { accepting: [], plain: [] }
    const load = async (side: keyof typeof sides) => {
      const order = { ports: [api.port], seconds: bench.seconds, warmSeconds: WARM_SECONDS }
      const { perCall } = await measureCpu(
        parts,
        () => runLoad({ ...order, connections: sides[side] }),
        callsOf,
      )
      cpu[side].push(perCall)
      return sumOf(perCall)
    }
    const samples = await inTurns(
      bench.rounds,
      () => load('accepting'),
      () => load('plain'),
    )
    return [
      {
        ...samples,
        note: `baseline: the same calls without Accept-Encoding, ${cpuText(cpu.plain)}; ours: ${cpuText(cpu.accepting)}`,
      },
    ]
  },
}
