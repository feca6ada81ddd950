import { spawn } from 'node:child_process'

/** A generator or compiler that never ends must not hold up the test run. */
const TIMEOUT_MS = 300_000
const MAX_SHOWN = 6_000

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Default: five minutes. */
  readonly timeoutMs?: number
}

/** Runs a program to its end and returns stdout and stderr together. Throws with the last of them when it fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env, timeoutMs = TIMEOUT_MS }: RunOptions = {},
): Promise<string> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const end = await new Promise<number | string | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? signal))
  })
  if (end !== 0) {
    throw new Error(`${program} ${args.join(' ')} ended with ${end}:\n${output.slice(-MAX_SHOWN)}`)
  }
  return output
}

/** Throws when a line of the output matches, with those lines. */
export function refuseLines(tool: string, output: string, pattern: RegExp): void {
  const lines = output.split('\n').filter((line) => pattern.test(line))
  if (lines.length > 0) throw new Error(`${tool} printed ${lines.length} warnings:\n${lines.join('\n')}`)
}
