import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const COMMAND = new URL('../../../../apps/api/src/interfaces/cli/main.ts', import.meta.url)

/** Runs the command to its end and returns the JSON that it printed. Throws, with what it said, when it fails. */
export async function runLotline(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<unknown> {
  const { PATH = '' } = process.env
  const run = promisify(execFile)(process.execPath, [COMMAND.pathname, ...args, '--json'], {
    env: { PATH, ...env },
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse((await run).stdout)
}
