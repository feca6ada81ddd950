// The `lotline` command as an operator runs it: a process of its own.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { COMPILE_CACHE } from '../setup/child-process.ts'

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts')

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  /** Without the line that names the database. */
  readonly stderr: string
  /** The line that names the database; empty when the command did not open it. */
  readonly named: string
  /** stdout, which must be JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what its command prints
  readonly json: any
}

export type Lotline = (...args: readonly string[]) => Promise<Ran>

/** Runs commands with this environment and no other, except where Node keeps compiled modules. stdin is no terminal, and `input` if any. */
export function lotlineWith(env: Readonly<Record<string, string>>, input?: Buffer): Lotline {
  return async (...args) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: { ...COMPILE_CACHE, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    child.stdin.on('error', () => {}).end(input)
    const [stdout, errors, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve)),
    ])
    const named = /^lotline: (?:using|created) the .*\n/m.exec(errors)?.[0] ?? ''
    return {
      code,
      stdout,
      stderr: errors.replace(named, ''),
      named,
      get json() {
        return JSON.parse(stdout)
      },
    }
  }
}

/** The same, where anything but success is a failure of the test. Answers what `--json` printed. */
// biome-ignore lint/suspicious/noExplicitAny: each test knows what its command prints
export async function jsonOf(lotline: Lotline, ...args: readonly string[]): Promise<any> {
  const ran = await lotline(...args, '--json')
  if (ran.code !== 0) throw new Error(`lotline ${args.join(' ')} ended with ${ran.code}: ${ran.stderr}`)
  return ran.json
}
