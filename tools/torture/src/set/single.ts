// One process that answers, works and keeps its own embedded PostgreSQL: what most people run.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mountDisk, unmountDisk } from './disk.ts'
import { freePort } from './free-port.ts'
import { runLotline } from './lotline.ts'
import { familyOf } from './processes.ts'
import { serviceProcess } from './server-process.ts'
import type { TortureSet } from './torture-set.ts'
import { until } from './until.ts'

export interface SetOptions {
  /** Of the run: everything is in it. */
  readonly directory: string
  readonly settings: Readonly<Record<string, string>>
  readonly diskMebibytes: number
}

/** PostgreSQL is started again by the server; a repair after a crash takes it a moment. */
const REVIVAL_LIMIT_MS = 30_000

export async function startSingle({ directory, settings, diskMebibytes }: SetOptions): Promise<TortureSet> {
  const disk = join(directory, 'disk')
  const isMounted = await mountDisk(disk, diskMebibytes)
  const dataDir = join(disk, 'data')
  const output = join(directory, 'server.out')
  const clockFile = join(directory, 'clock')
  await writeFile(clockFile, '0')
  const port = await freePort()
  const env = { ...settings, DATA_DIR: dataDir }
  const server = serviceProcess({ name: 'server', port, env, clockFile, output })
  const place = join(dataDir, 'postgres')

  async function stop(): Promise<void> {
    await server.stop().finally(() => isMounted && unmountDisk(disk))
  }

  async function postmaster(): Promise<number | undefined> {
    const text = await readFile(join(place, 'cluster', 'postmaster.pid'), 'utf8').catch(() => '')
    return Number.parseInt(text, 10) || undefined
  }

  try {
    await server.start()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    kind: 'single',
    processes: [server],
    store: undefined,
    clockFile,
    stop,
    origin: { host: '127.0.0.1', port },
    disk: isMounted ? disk : undefined,
    postgres: {
      async family() {
        const pid = await postmaster()
        return pid === undefined ? [] : familyOf(pid)
      },
      async revive(ended) {
        const isAnother = async () => ended === undefined || (await postmaster()) !== ended
        if (!(await until(async () => (await isAnother()) && server.isReady(), REVIVAL_LIMIT_MS))) {
          throw new Error(
            `The server was not ready ${REVIVAL_LIMIT_MS / 1_000} s after PostgreSQL was ended.`,
          )
        }
      },
    },
    database: { host: place, user: 'lotline', database: 'lotline' },
    outputs: [output],
    dataDirectories: [dataDir],
    isWell: server.isReady,
    lotline: (...args) => runLotline(args, env),
  }
}
