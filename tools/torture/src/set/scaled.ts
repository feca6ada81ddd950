// Three processes that answer and two that work, over one PostgreSQL and one store, with a round-robin proxy in front:
// what those run who need more than one process.

import { appendFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@lotline/api/infrastructure/database/embedded/embedded-postgres.ts'
import { mountDisk, unmountDisk } from './disk.ts'
import { freePort } from './free-port.ts'
import { runLotline } from './lotline.ts'
import { familyOf } from './processes.ts'
import { startRoundRobin } from './round-robin.ts'
import { serviceProcess } from './server-process.ts'
import type { SetOptions } from './single.ts'
import { findStoreProgram, startStore } from './store.ts'
import type { TortureSet } from './torture-set.ts'
import { until } from './until.ts'

const NAMES = ['api-1', 'api-2', 'api-3', 'worker-1', 'worker-2'] as const
const REVIVAL_LIMIT_MS = 40_000

export async function startScaled({ directory, settings, diskMebibytes }: SetOptions): Promise<TortureSet> {
  const program = findStoreProgram()
  if (program === undefined)
    throw new Error('The scaled set needs valkey-server or redis-server on the path.')
  const takenUp: (() => Promise<unknown>)[] = []
  async function stop(): Promise<void> {
    for (const giveBack of takenUp.splice(0).reverse()) await giveBack()
  }
  try {
    const disk = join(directory, 'disk')
    const isMounted = await mountDisk(disk, diskMebibytes)
    takenUp.push(async () => isMounted && unmountDisk(disk))

    // The harness keeps PostgreSQL, as an administrator would: it starts it again whenever it ends.
    const dataDir = join(disk, 'data')
    const output = join(directory, 'postgres.out')
    const note = (line: string) => appendFileSync(output, `${line}\n`)
    const postgres = await startEmbeddedPostgres({
      dataDir,
      as: 'command',
      log: { debug: note, info: note, warn: note },
      settings: { max_connections: '150' },
    })
    takenUp.push(() => postgres.stop())
    const { host, user, database } = postgres.connection
    const store = await startStore(program, join(directory, 'store.out'))
    takenUp.push(() => store.stop())

    const clockFile = join(directory, 'clock')
    await writeFile(clockFile, '0')
    const env = {
      ...settings,
      DATABASE_URL: `postgresql://${user}@${encodeURIComponent(host)}/${database}`,
      VALKEY_URL: store.url,
      // The proxy here does not read /readyz: it goes to the next process when a connection is refused. So a process needs no
      // time for a proxy to see that it stops, and the faults that follow a stop come sooner.
    }
    const processes = await Promise.all(
      NAMES.map(async (name) =>
        serviceProcess({
          name,
          clockFile,
          port: await freePort(),
          output: join(directory, `${name}.out`),
          env: { ...env, ROLE: name.split('-')[0]!, DATA_DIR: join(directory, name) },
        }),
      ),
    )
    takenUp.push(() => Promise.all(processes.map((one) => one.stop())))
    const [first, ...others] = processes
    // The first brings the schema, the others find it.
    await first!.start()
    await Promise.all(others.map((one) => one.start()))
    const proxy = await startRoundRobin(processes.slice(0, 3).map(({ port }) => port))
    takenUp.push(() => proxy.stop())

    async function postmaster(): Promise<number | undefined> {
      const text = await readFile(join(host, 'cluster', 'postmaster.pid'), 'utf8').catch(() => '')
      return Number.parseInt(text, 10) || undefined
    }
    const isWell = async () => (await Promise.all(processes.map((one) => one.isReady()))).every(Boolean)
    return {
      kind: 'scaled',
      processes,
      store,
      clockFile,
      isWell,
      stop,
      origin: { host: '127.0.0.1', port: proxy.port },
      disk: isMounted ? disk : undefined,
      postgres: {
        async family() {
          const pid = await postmaster()
          return pid === undefined ? [] : familyOf(pid)
        },
        async revive(ended) {
          const isAnother = async () => ended === undefined || (await postmaster()) !== ended
          if (!(await until(async () => (await isAnother()) && isWell(), REVIVAL_LIMIT_MS))) {
            throw new Error(`Not all processes were ready ${REVIVAL_LIMIT_MS / 1_000} s later.`)
          }
        },
      },
      database: { host, user, database },
      outputs: [output, ...NAMES.map((name) => join(directory, `${name}.out`))],
      dataDirectories: [dataDir],
      lotline: (...args) => runLotline(args, { ...env, DATA_DIR: join(directory, 'command') }),
    }
  } catch (error) {
    await stop()
    throw error
  }
}
