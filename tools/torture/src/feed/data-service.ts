// A service beside the tortured one, in a database of its own on the PostgreSQL of the run: the faults of the database hit it
// too. It has one process, which is killed and started again here. One is over a data set, another over a remote data source.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../set/free-port.ts'
import { type StartedProcess, serviceProcess } from '../set/server-process.ts'
import type { TortureSet } from '../set/torture-set.ts'
import { until } from '../set/until.ts'

/** PostgreSQL may be down for as long as its longest fault takes to end. */
const START_LIMIT_MS = 90_000

export interface DataService {
  readonly port: number
  readonly database: pg.ClientConfig
  /** For the command. */
  readonly env: Readonly<Record<string, string>>
  readonly output: string
  readonly directory: string
  /** Kills the process and starts it again. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export async function startDataService(
  { database }: Pick<TortureSet, 'database'>,
  settings: Readonly<Record<string, string>>,
  runDirectory: string,
  {
    name,
    providerUrl,
  }: {
    /** Of its directory, and with `lotline_` of its database. */
    readonly name: 'feed' | 'remote'
    /** undefined: it is over a data set. */
    readonly providerUrl?: string
  },
): Promise<DataService> {
  const directory = join(runDirectory, name)
  const databaseName = `lotline_${name}`
  await mkdir(directory)
  await createDatabase(database, databaseName)
  const clockFile = join(directory, 'clock')
  await writeFile(clockFile, '0')
  const output = join(directory, 'server.out')
  const host = encodeURIComponent(database.host!)
  const env = {
    ...Object.fromEntries(Object.entries(settings).filter(([name]) => !name.startsWith('PROVIDER'))),
    ...(providerUrl !== undefined && {
      PROVIDER: 'http',
      PROVIDER_URL: providerUrl,
      PROVIDER_TOKEN: settings.PROVIDER_TOKEN!,
      PROVIDER_TIMEOUT_MS: settings.PROVIDER_TIMEOUT_MS!,
    }),
    DATABASE_URL: `postgresql://${database.user}@${host}/${databaseName}`,
    DATA_DIR: join(directory, 'data'),
  }
  const port = await freePort()
  let server: StartedProcess | undefined

  /** A process that finds no database ends; the next one finds it. */
  async function start(): Promise<void> {
    let failure: unknown
    const isUp = await until(async () => {
      server = serviceProcess({ name, port, env, clockFile, output })
      return server.start().then(
        () => true,
        (error) => {
          failure = error
          return false
        },
      )
    }, START_LIMIT_MS)
    if (!isUp) throw failure
  }

  await start()
  return {
    port,
    env,
    output,
    directory,
    database: { ...database, database: databaseName },
    async kill() {
      if (server!.unasked !== undefined) throw new Error(server!.unasked)
      server!.signal('SIGKILL')
      await server!.untilEnded()
      await start()
    },
    stop: async () => server?.stop(),
  }
}

async function createDatabase(database: pg.ClientConfig, name: string): Promise<void> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
}
