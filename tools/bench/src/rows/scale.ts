// The lookup answered by one, two and four API processes over one PostgreSQL and one store. All of them, the database, the
// store and the load share this machine: what is seen is what the sharing costs, not what more machines would bring.

import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@lotline/api/infrastructure/database/database.ts'
import { startEmbeddedPostgres } from '@lotline/api/infrastructure/database/embedded/embedded-postgres.ts'
import { Secret } from '@lotline/api/infrastructure/platform/secret.ts'
import type { Bench } from '../bench.ts'
import { findHomes, lookupConnections } from '../lookups.ts'
import type { Measurement } from '../measurement.ts'
import { type Api, startApi } from '../processes/api.ts'
import { type CpuPerCall, cpuText, measureCpu, sumOf } from '../processes/cpu.ts'
import { callsOf, runLoad, warmUp } from '../processes/load-run.ts'
import { getPostgresPid } from '../processes/memory.ts'
import { startStore } from '../processes/store.ts'
import { KEYS, openAccounts } from '../stage.ts'

const COUNTS = [1, 2, 4] as const
/** CPU of a call with a store beside that of one counted in memory, for one and for two processes. */
const MAX_CPU_RATIO = 1.5
const HOMES = 50
const WARM_SECONDS = 1
const SILENT = { debug() {}, info() {}, warn() {} }
const processesText = (count: number) => `${count} API process${count === 1 ? '' : 'es'}`

export const scale: Measurement = {
  name: 'scale',
  onlyWhenAsked: true,
  measures: [
    ...COUNTS.map((count) => ({
      name: `CPU of a lookup by ${processesText(count)} over one PostgreSQL and one store, ${KEYS} keys`,
      unit: 'µs',
      ...(count <= 2 && { target: { of: 'ratio', bound: 'at most', value: MAX_CPU_RATIO } as const }),
    })),
    ...COUNTS.map((count) => ({ name: `the same lookup by ${processesText(count)}`, unit: 'requests/s' })),
    { name: 'lookups that one store can count, by its CPU', unit: 'requests/s' },
  ],
  async run(bench) {
    const { apis, connections, store, postgresPid } = await startSet(bench)
    const alone = await bench.sample()
    const homes = await findHomes(alone.database, HOMES)
    const besides = {
      ports: [alone.api.port],
      connections: lookupConnections(alone.accounts, homes),
      parts: [
        { name: 'API', pid: alone.api.pid },
        { name: 'PostgreSQL', pid: await getPostgresPid(alone.dataDir) },
      ],
    }
    const sides = COUNTS.map((count) => ({
      ports: apis.slice(0, count).map(({ port }) => port),
      connections,
      parts: [
        ...apis.slice(0, count).map(({ pid }) => ({ name: 'API', pid })),
        { name: 'PostgreSQL', pid: postgresPid },
        { name: 'store', pid: store.pid },
      ],
    }))
    for (const { ports, connections } of [besides, sides.at(-1)!]) await warmUp({ ports, connections })

    const measureSide = async ({ ports, connections, parts }: typeof besides) => {
      const order = { ports, connections, seconds: bench.seconds, warmSeconds: WARM_SECONDS }
      const { done, perCall } = await measureCpu(parts, () => runLoad(order), callsOf)
      return { perSecond: done.perSecond, perCall }
    }
    const rounds: { alone: ScaleMeasurement; sets: ScaleMeasurement[] }[] = []
    while (rounds.length < bench.rounds) {
      const sets: ScaleMeasurement[] = []
      for (const side of sides) sets.push(await measureSide(side))
      rounds.push({ alone: await measureSide(besides), sets })
    }
    const shared = `all processes, the database, the store and the load share ${availableParallelism()} cores`
    const inMemory = rounds.map((round) => round.alone.perCall)
    return [
      ...COUNTS.map((_, at) => ({
        ours: rounds.map((round) => sumOf(round.sets[at]!.perCall)),
        baseline: inMemory.map(sumOf),
        note: `${cpuText(rounds.map((round) => round.sets[at]!.perCall))}; baseline: one process that counts in memory, ${cpuText(inMemory)}`,
      })),
      ...COUNTS.map((_, at) => ({
        ours: rounds.map((round) => round.sets[at]!.perSecond),
        baseline: rounds.map((round) => round.alone.perSecond),
        note: `baseline: one process that counts in memory; ${shared}`,
      })),
      {
        ours: rounds.map((round) => 1e6 / round.sets[0]!.perCall.store!),
        note: 'one second of CPU by what the store used for a call of one process: its one thread is the bound of the cluster',
      },
    ]
  },
}

interface ScaleMeasurement {
  readonly perSecond: number
  readonly perCall: CpuPerCall
}

/** As many API processes as the largest measurement needs; smaller ones leave the rest idle. */
async function startSet(bench: Bench) {
  const store = await startStore()
  bench.atEnd(store.stop)
  const directory = join(bench.directory, 'scale')
  const postgres = await startEmbeddedPostgres({
    dataDir: join(directory, 'postgres'),
    as: 'command',
    log: SILENT,
    settings: { max_connections: '100' },
  })
  bench.atEnd(() => postgres.stop())
  const { host, user, database: name } = postgres.connection
  const url = `postgresql://${user}@${encodeURIComponent(host)}/${name}`
  const SECRETS_KEY = randomBytes(32).toString('base64')
  const env = { DATABASE_URL: url, VALKEY_URL: store.url, SECRETS_KEY, ROLE: 'api' }
  const apis: Api[] = []
  while (apis.length < Math.max(...COUNTS)) {
    const api = await startApi(join(directory, `api-${apis.length}`), env)
    bench.atEnd(api.stop)
    apis.push(api)
  }
  const postgresPid = await getPostgresPid(join(directory, 'postgres'))
  const database = await openDatabase({
    config: { dataDir: directory, databaseUrl: new Secret(url) },
    as: 'command',
    poolSize: 1,
  })
  try {
    const accounts = await openAccounts(database, KEYS)
    bench.postgres ??= (await database.query<{ server_version: string }>('show server_version'))
      .rows[0]!.server_version
    const connections = lookupConnections(accounts, await findHomes(database, HOMES))
    return { apis, connections, store, postgresPid }
  } finally {
    await database.close()
  }
}
