// A real Redis on a free port of this machine for a test.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { findProgram } from '../../process/start/find-program.ts'

/** Path of a server; undefined, with a warning, if none is installed. */
export const storeProgram = findProgram(
  ['valkey-server', 'redis-server'],
  'several processes share rate windows and queues over Valkey or Redis',
)

export interface StoreProcess {
  readonly url: string
  readonly port: number
  /** A client for inspections. */
  readonly client: Redis
  kill(signal: NodeJS.Signals): void
  /** Kills it, as in a crash. */
  stop(): Promise<void>
  /** Restarts it on the same port, with only the data that `client.save()` stored. */
  start(): Promise<void>
  close(): Promise<void>
}

export async function startStore(): Promise<StoreProcess> {
  const port = await findFreePort()
  const directory = await mkdtemp(join(tmpdir(), 'lotline-store-'))
  let child: ReturnType<typeof spawn> | undefined
  const client = new Redis({ port, host: '127.0.0.1', lazyConnect: true, retryStrategy: () => 50 })
  client.on('error', () => {})

  async function start(): Promise<void> {
    const flags = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      directory,
      '--save',
      '',
      '--appendonly',
      'no',
    ]
    child = spawn(storeProgram!, flags, { stdio: 'ignore' })
    for (let attempt = 0; !(await isListening(port)); attempt++) {
      if (attempt > 500) throw new Error('The store did not start.')
      await sleep(10)
    }
  }

  async function stop(): Promise<void> {
    const ending = child
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = once(ending, 'exit')
    ending.kill('SIGKILL')
    await ended
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    client,
    kill: (signal) => void child?.kill(signal),
    stop,
    start,
    async close() {
      client.disconnect()
      await stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
