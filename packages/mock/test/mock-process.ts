// The mock as its users have it: a process of its own, spoken to over HTTP.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const PACKAGE = new URL('../package.json', import.meta.url)

/** The file that `bin` of package.json names. */
export const COMMAND = fileURLToPath(
  new URL(
    (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { bin: Record<string, string> }).bin['lotline-mock'] ?? '',
    PACKAGE,
  ),
)

export interface RunningMock extends AsyncDisposable {
  readonly origin: string
  readonly key: string
  readonly process: ChildProcess
  /** What it has printed so far. */
  output(): string
}

/** The mock of the workspace on a free port. */
export function spawnMock(...args: readonly string[]): Promise<RunningMock> {
  return spawnCommand(process.execPath, COMMAND, ...args)
}

/** Any `lotline-mock`, run by any Node, on a free port. */
export async function spawnCommand(
  node: string,
  command: string,
  ...args: readonly string[]
): Promise<RunningMock> {
  const child = spawn(node, [command, '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (/\/v1\/properties\/48749425"\n/.test(output)) resolve()
      })
    }
    child.once('exit', (code) => reject(new Error(`The mock ended with ${code}: ${output}`)))
  })
  await ready
  const origin = /http:\/\/[\d.]+:\d+/.exec(output)?.[0]
  const key = /lot_\w+/.exec(output)?.[0]
  if (!origin || !key) throw new Error(`The mock does not say how to call it: ${output}`)
  return {
    origin,
    key,
    process: child,
    output: () => output,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
