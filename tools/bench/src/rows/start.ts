// How long a start takes, with nothing there yet and with everything there; and what the server holds while it idles.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Measurement } from '../measurement.ts'
import { startApi } from '../processes/api.ts'
import { findFamily, findPss, getPostgresPid } from '../processes/memory.ts'

const IDLE_MS = 3_000
const MB = 1024 * 1024

export const start: Measurement = {
  name: 'start',
  measures: [
    {
      name: 'spawned to /readyz 200, with data',
      unit: 's',
      target: { of: 'ours', bound: 'at most', value: 1.5 },
    },
    {
      name: 'spawned to /readyz 200, empty DATA_DIR, sample loaded',
      unit: 's',
      target: { of: 'ours', bound: 'at most', value: 15 },
    },
    {
      name: 'idle memory of the API (PSS)',
      unit: 'MB',
      target: { of: 'ours', bound: 'at most', value: 150 },
    },
    {
      name: 'idle memory of embedded PostgreSQL (PSS)',
      unit: 'MB',
      target: { of: 'ours', bound: 'at most', value: 100 },
    },
  ],
  async run({ directory, rounds }) {
    const dataDir = join(directory, 'start')
    const fresh = await startApi(dataDir)
    await fresh.stop()
    const [warm, api, postgres]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < rounds; round++) {
      const server = await startApi(dataDir)
      try {
        warm.push(server.readyMs / 1_000)
        await sleep(IDLE_MS)
        const [own] = await pssOf([server.pid])
        const family = await pssOf(await findFamily(await getPostgresPid(dataDir)))
        if (own !== undefined) api.push(own / MB)
        if (family.every((bytes) => bytes !== undefined))
          postgres.push(family.reduce((sum, bytes) => sum + bytes!, 0)! / MB)
      } finally {
        await server.stop()
      }
    }
    const untold = 'this system has no /proc/<pid>/smaps_rollup that can be read'
    const when = `${IDLE_MS / 1_000} s after a start with the sample, before any call`
    return [
      { ours: warm },
      { ours: [fresh.readyMs / 1_000], note: 'once: initdb, migrations and the import of the sample' },
      api.length > 0 ? { ours: api, note: when } : untold,
      postgres.length > 0 ? { ours: postgres, note: `all its processes, ${when}` } : untold,
    ]
  },
}

function pssOf(pids: readonly number[]): Promise<(number | undefined)[]> {
  return Promise.all(pids.map(findPss))
}
