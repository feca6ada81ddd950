// The real server as a process, with the options of Node that it is shipped with: started on a data directory of its own,
// waited for until it can answer, stopped by pid.

import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import root from '../../../../package.json' with { type: 'json' }
import { type Child, startProgram, stopChild } from './child.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
/** The arguments that `pnpm start` passes to Node: options and the script. */
const [, ...START] = root.scripts.start.split(' ')
const START_LIMIT_MS = 180_000

export interface Api {
  readonly port: number
  readonly origin: string
  readonly pid: number
  /** Milliseconds from the spawn to the first 200 of /readyz. */
  readonly readyMs: number
  stop(): Promise<void>
}

export async function startApi(dataDir: string, env: Record<string, string> = {}): Promise<Api> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const spawnedAt = performance.now()
  const child = startProgram(process.execPath, {
    args: START,
    cwd: ROOT,
    env: { DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn', ...env },
  })
  child.process.stdout!.resume()
  await untilReady(origin, child, spawnedAt)
  const readyMs = performance.now() - spawnedAt
  return { port, origin, readyMs, pid: child.pid, stop: () => stopChild(child) }
}

async function untilReady(origin: string, child: Child, since: number): Promise<void> {
  for (;;) {
    const ready = await fetch(`${origin}/readyz`).then(
      (response) => response.arrayBuffer().then(() => response.status === 200),
      () => false,
    )
    if (ready) return
    const { exitCode } = child.process
    if (exitCode !== null)
      throw new Error(`The server exited with code ${exitCode}: ${child.errors().trim().slice(-500)}`)
    if (performance.now() - since > START_LIMIT_MS) {
      await stopChild(child)
      throw new Error(`The server was not ready after ${START_LIMIT_MS / 1000} s.`)
    }
    await sleep(5)
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening))
  const { port } = probe.address() as { port: number }
  await new Promise((closed) => probe.close(closed))
  return port
}
