// Real processes for tests, with a defined environment. Their output is read by line, and they always end with the test.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/**
 * Environment of processes that run TypeScript. Node caches compiled modules here, so that a start costs 0.6 CPU seconds instead
 * of 1. Only tests use this cache.
 */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compiled'),
}

const DATA_DIR = join(tmpdir(), `lotline-data-${randomUUID()}`)
process.once('exit', () => rmSync(DATA_DIR, { recursive: true, force: true }))

/** The environment of the service or the command. Over a database server, they keep their files in a folder of the test file. */
export function withDataDir(env: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return env.DATABASE_URL === undefined ? env : { DATA_DIR, ...env }
}

export interface TestProcess {
  readonly pid: number
  /** All lines of stdout and stderr so far. */
  readonly lines: readonly string[]
  /** Lines of stdout. */
  readonly out: readonly string[]
  /** Lines of stderr. */
  readonly err: readonly string[]
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  /** The first past or future line that matches. Rejects when the process ends without one. */
  line(pattern: RegExp): Promise<RegExpExecArray>
  kill(signal: NodeJS.Signals): void
}

export interface TestProcessOptions {
  /** The environment. Nothing else is inherited, except the cache of compiled modules. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** A program and arguments to prepend, such as setpriv. */
  readonly prefix?: readonly string[]
  /** Another copy of Node than the one that runs the tests. */
  readonly node?: string
}

/** Runs a TypeScript file on this Node until it ends, or the test does. */
export function startProcess(
  script: string,
  args: readonly string[] = [],
  options: TestProcessOptions = {},
): TestProcess {
  const node = options.node ?? process.execPath
  const [file = node, ...rest] = [...(options.prefix ?? []), node, script, ...args]
  const child = spawn(file, rest, {
    env: { ...COMPILE_CACHE, ...withDataDir(options.env) },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  })
  const lines: string[] = []
  const out: string[] = []
  const err: string[] = []
  for (const [stream, own] of [[child.stdout, out] as const, [child.stderr, err] as const]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      own.push(line)
    })
  }
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', reject).once('close', (code, signal) => resolve({ code, signal }))
  })
  let ended = false
  void exited.finally(() => (ended = true)).catch(() => {})
  onTestFinished(async () => {
    if (!ended) child.kill('SIGKILL')
    await exited
  })
  return {
    pid: child.pid!,
    lines,
    out,
    err,
    exited,
    async line(pattern) {
      for (let at = 0; ; ) {
        const isLast = ended
        for (; at < lines.length; at++) {
          const match = pattern.exec(lines[at]!)
          if (match !== null) return match
        }
        if (isLast) throw new Error(`The process ended without ${pattern}:\n${lines.join('\n')}`)
        await sleep(5)
      }
    },
    kill: (signal) => void child.kill(signal),
  }
}
