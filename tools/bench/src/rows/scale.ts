// The lookup answered by one, two and four API processes over one PostgreSQL and one store. All of them, the database, the
// store and the load share this machine: what is seen is what the sharing costs, not what more machines would bring.

import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@lotline/api/database/database.ts'
import { startEmbeddedPostgres } from '@lotline/api/database/embedded/embedded-postgres.ts'
import { Secret } from '@lotline/api/platform/secret.ts'
import type { Bench } from '../bench.ts'
import { findHomes, lookupConnections } from '../lookups.ts'
import type { Measurement } from '../measurement.ts'
import { startApi } from '../processes/api.ts'
import { runLoad } from '../processes/load-run.ts'
import { startStore } from '../processes/store.ts'
import { KEYS, openAccounts } from '../stage.ts'

const COUNTS = [1, 2, 4] as const
const HOMES = 50
const WARM_SECONDS = 1
const SILENT = { debug() {}, info() {}, warn() {} }

export const scale: Measurement = {
  name: 'scale',
  onlyWhenAsked: true,
  measures: COUNTS.map((count) => ({
    name: `the lookup by ${count} API process${count === 1 ? '' : 'es'} over one PostgreSQL and one store, ${KEYS} keys`,
    unit: 'requests/s',
  })),
  async run(bench) {
    const { ports, connections } = await startSet(bench)
    const samples = COUNTS.map((): number[] => [])
    for (let round = 0; round < bench.rounds; round++) {
      for (const [at, count] of COUNTS.entries()) {
        const report = await runLoad({
          ...{ ports: ports.slice(0, count), connections },
          ...{ seconds: bench.seconds, warmSeconds: WARM_SECONDS },
        })
        samples[at]!.push(report.perSecond)
      }
    }
    const shared = `all processes, the database, the store and the load share ${availableParallelism()} cores`
    return samples.map((ours, at) =>
      at === 0
        ? { ours, note: shared }
        : { ours, baseline: samples[0]!, note: `baseline: one process; ${shared}` },
    )
  },
}

/** As many API processes as the largest measurement needs; smaller ones leave the rest idle. */
async function startSet(bench: Bench) {
  const store = await startStore()
  bench.atEnd(store.stop)
  const directory = join(bench.directory, 'scale')
  const postgres = await startEmbeddedPostgres({
    ...{ dataDir: join(directory, 'postgres'), as: 'command', log: SILENT },
    settings: { max_connections: '100' },
  })
  bench.atEnd(() => postgres.stop())
  const { host, user, database: name } = postgres.connection
  const url = `postgresql://${user}@${encodeURIComponent(host)}/${name}`
  const SECRETS_KEY = randomBytes(32).toString('base64')
  const env = { DATABASE_URL: url, VALKEY_URL: store.url, SECRETS_KEY, ROLE: 'api' }
  const ports: number[] = []
  while (ports.length < Math.max(...COUNTS)) {
    const api = await startApi(join(directory, `api-${ports.length}`), env)
    bench.atEnd(api.stop)
    ports.push(api.port)
  }
  const database = await openDatabase({
    config: { dataDir: directory, databaseUrl: new Secret(url) },
    as: 'command',
    poolSize: 1,
  })
  try {
    const accounts = await openAccounts(database, KEYS)
    bench.postgres ??= (await database.query<{ server_version: string }>('show server_version'))
      .rows[0]!.server_version
    return { ports, connections: lookupConnections(accounts, await findHomes(database, HOMES)) }
  } finally {
    await database.close()
  }
}
