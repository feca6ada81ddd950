// The store that several API processes share: Valkey or Redis, whichever is on the path, without a memory on disk.

import { spawnSync } from 'node:child_process'
import { freePort } from './api.ts'
import { startProgram, stopChild } from './child.ts'
import { untilAccepts } from './until-accepts.ts'

const PROGRAMS = ['valkey-server', 'redis-server']

export interface Store {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** @throws {Error} when no such program is on the path. */
export async function startStore(): Promise<Store> {
  const program = PROGRAMS.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0)
  if (program === undefined) throw new Error(`it needs ${PROGRAMS.join(' or ')} on the path`)
  const port = await freePort()
  const child = startProgram(program, {
    args: [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      '/tmp',
    ],
  })
  child.process.stdout!.resume()
  await untilAccepts(port)
  return { url: `redis://127.0.0.1:${port}`, pid: child.pid, stop: () => stopChild(child) }
}
