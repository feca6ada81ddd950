// Processes of the bench: mostly a script on this Node, which gets its orders as one JSON text on stdin. They are ended by their
// pid and never outlive the bench.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export interface ChildOptions {
  readonly args?: readonly string[]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Written to stdin as JSON, which is then closed. */
  readonly input?: unknown
}

export interface Child {
  readonly process: ChildProcess
  readonly pid: number
  /** All of stderr so far. */
  errors(): string
}

export function startChild(script: URL, { args = [], ...options }: ChildOptions = {}): Child {
  return startProgram(process.execPath, { ...options, args: [script.pathname, ...args] })
}

export function startProgram(program: string, { args = [], cwd, env = {}, input }: ChildOptions): Child {
  const { PATH = '', HOME = '', TMPDIR = '' } = process.env
  const child = spawn(program, args, {
    ...(cwd !== undefined && { cwd }),
    env: { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  child.once('error', () => running.delete(child))
  let errors = ''
  child.stderr.on('data', (part) => (errors = (errors + part).slice(-4_000)))
  child.stdin.on('error', () => {})
  child.stdin.end(input === undefined ? '' : JSON.stringify(input))
  return { process: child, pid: child.pid!, errors: () => errors }
}

/** Runs the script to its end and reads the JSON that it prints. */
export async function runChild<T>(script: URL, options: ChildOptions = {}): Promise<T> {
  const child = startChild(script, options)
  let text = ''
  child.process.stdout!.on('data', (part) => (text += part))
  const [code] = await once(child.process, 'close')
  if (code !== 0)
    throw new Error(`${basename(script.pathname)} ended with ${code}: ${reasonIn(child.errors())}`)
  return JSON.parse(text) as T
}

/** The line of an uncaught error that says what was wrong. */
function reasonIn(errors: string): string {
  return /^\w*Error\b.*$/m.exec(errors)?.[0] ?? errors.trim()
}

/** Resolves with the first line that the script prints. */
export async function firstLine(child: Child): Promise<string> {
  let text = ''
  for await (const part of child.process.stdout!.iterator({ destroyOnReturn: false })) {
    text += part
    const end = text.indexOf('\n')
    if (end >= 0) {
      child.process.stdout!.resume()
      return text.slice(0, end)
    }
  }
  throw new Error(`The process ended before it was ready: ${child.errors().trim()}`)
}

/** Asks the process to end, and after 20 s no longer asks. */
export function stopChild(child: Child): Promise<void> {
  return stopProcess(child.process)
}

export async function stopAllChildren(): Promise<void> {
  await Promise.all([...running].map(stopProcess))
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await ended
  clearTimeout(late)
}
