// Processes of a run: started with a stated environment, their output kept in files, ended by their pid, and never left
// behind.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export interface ChildOptions {
  readonly args?: readonly string[]
  /** For Node itself. */
  readonly nodeArgs?: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Where stdout and stderr are appended to. */
  readonly output: string
}

export interface Child {
  readonly pid: number
  readonly ended: boolean
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  kill(signal: NodeJS.Signals): void
  /** Asks it to end, and kills it after `limitMs`. */
  stop(limitMs?: number): Promise<void>
}

/** Runs a program of our own on this Node. */
export function startChild(script: URL, { args = [], nodeArgs = [], env, output }: ChildOptions): Child {
  return startProgram(process.execPath, [...nodeArgs, script.pathname, ...args], { env, output })
}

export function startProgram(
  program: string,
  args: readonly string[],
  { env, output }: Pick<ChildOptions, 'env' | 'output'>,
): Child {
  const file = openSync(output, 'a')
  const { PATH = '', HOME = '', TMPDIR = '' } = process.env
  const child = spawn(program, args, {
    env: { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...env },
    stdio: ['ignore', file, file],
  })
  closeSync(file)
  running.add(child)
  let ended = false
  const exited = Promise.race([
    once(child, 'exit').then(([code, signal]) => ({ code, signal })),
    once(child, 'error').then(([error]) => Promise.reject(error)),
  ]).finally(() => {
    ended = true
    running.delete(child)
  })
  exited.catch(() => {})
  return {
    pid: child.pid ?? -1,
    get ended() {
      return ended
    },
    exited,
    kill: (signal) => void child.kill(signal),
    async stop(limitMs = 40_000) {
      if (ended) return
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), limitMs)
      await exited.finally(() => clearTimeout(late))
    },
  }
}
