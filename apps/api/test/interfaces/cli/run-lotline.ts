// Runs the `lotline` command as an operator does. `lotlineWith` runs the command lines of a test file in a few reused processes
// (command-process.ts); `lotlineProcess` starts a process for each, as a shell does.

import { type ChildProcess, fork, spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { COMPILE_CACHE, withDataDir } from '../../setup/child-process.ts'
import type { CommandLine, CommandOutput } from './command-process.ts'

const MAIN = join(import.meta.dirname, '../../../src/interfaces/cli/main.ts')
const COMMANDS = join(import.meta.dirname, 'command-process.ts')

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

/** Runs commands with exactly this environment and without stdin. Concurrent command lines run concurrently. */
export function lotlineWith(env: Readonly<Record<string, string>>): Lotline {
  return async (...args) => {
    const child = idle.pop() ?? startCommandProcess()
    child.ref()
    child.channel?.ref()
    const { code, stdout, stderr } = await answerOf(child, { args, env: withDataDir(env) })
    child.unref()
    child.channel?.unref()
    idle.push(child)
    return ranOf(code, stdout, stderr)
  }
}

/** Runs each command line in a new process with the command's own `main.ts`. stdin is not a terminal. */
export function lotlineProcess(env: Readonly<Record<string, string>>, input?: Buffer): Lotline {
  return async (...args) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: { ...COMPILE_CACHE, ...withDataDir(env) },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    child.stdin.on('error', () => {}).end(input)
    const [stdout, stderr, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve)),
    ])
    return ranOf(code, stdout, stderr)
  }
}

/** Started and without a command. They end with this process, when the channel to them is closed. */
const idle: ChildProcess[] = []

function startCommandProcess(): ChildProcess {
  return fork(COMMANDS, {
    env: COMPILE_CACHE,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

function answerOf(child: ChildProcess, line: CommandLine): Promise<CommandOutput> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) =>
      reject(new Error(`The process ended with ${code} during \`lotline ${line.args.join(' ')}\`.`))
    child.once('exit', onExit)
    child.once('message', (printed: CommandOutput) => {
      child.off('exit', onExit)
      resolve(printed)
    })
    child.send(line)
  })
}

function ranOf(code: number | null, stdout: string, errors: string): Ran {
  const named = /^lotline: (?:using|created) the .*\n/m.exec(errors)?.[0] ?? ''
  return {
    code,
    stdout,
    stderr: errors.replace(named, ''),
    named,
    get json() {
      if (code !== 0 && stdout === '') throw new Error(`It ended with ${code} and printed no JSON: ${errors}`)
      return JSON.parse(stdout)
    },
  }
}

/** Fails the test unless the command succeeds. Returns the output of `--json`. */
// biome-ignore lint/suspicious/noExplicitAny: each test knows what its command prints
export async function jsonOf(lotline: Lotline, ...args: readonly string[]): Promise<any> {
  const ran = await lotline(...args, '--json')
  if (ran.code !== 0) throw new Error(`lotline ${args.join(' ')} ended with ${ran.code}: ${ran.stderr}`)
  return ran.json
}
