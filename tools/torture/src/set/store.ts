// The store that carries rate windows and queues: Valkey or Redis, whichever is installed, on a fixed port and without a
// memory beyond its own process.

import { spawnSync } from 'node:child_process'
import { connect } from 'node:net'
import { type Child, startProgram } from './child.ts'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

const PROGRAMS = ['valkey-server', 'redis-server']

/** The program that there is; undefined: none is on the path. */
export function findStoreProgram(): string | undefined {
  return PROGRAMS.find((program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0)
}

export interface Store {
  readonly url: string
  /** undefined: it does not run. */
  readonly pid: number | undefined
  signal(name: NodeJS.Signals): void
  untilEnded(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** Started. */
export async function startStore(program: string, output: string): Promise<Store> {
  const port = await freePort()
  let child: Child | undefined
  const store: Store = {
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return child && !child.ended ? child.pid : undefined
    },
    signal: (signal) => child?.kill(signal),
    async untilEnded() {
      await child?.exited
    },
    async start() {
      child = startProgram(
        program,
        ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', '/tmp'],
        { env: {}, output },
      )
      if (!(await until(() => accepts(port), 10_000)))
        throw new Error(`${program} did not start. See ${output}.`)
    },
    async stop() {
      child?.kill('SIGCONT')
      await child?.stop(5_000)
    },
  }
  await store.start()
  return store
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
