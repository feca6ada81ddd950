// The service and the command as their users have them: processes of their own, started with a stated environment.

import { join } from 'node:path'
import { startProcess, type TestProcess } from '../../setup/child-process.ts'

const SOURCE = join(import.meta.dirname, '../../../src')
const MAIN = join(SOURCE, 'process/main.ts')
/** The file that `pnpm lotline` runs. */
export const COMMAND = join(SOURCE, 'interfaces/cli/main.ts')

export interface ServerProcess extends TestProcess {
  readonly url: string
}

/** A process of the service, listening or not. Its port is any free one unless `env` says otherwise. */
export function spawnServer(env: Readonly<Record<string, string>>): TestProcess {
  return startProcess(MAIN, [], { env: { PORT: '0', ...env } })
}

/** A running service. */
export async function startServer(env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const server = spawnServer(env)
  const [, url] = await server.line(/serves (http:\S+)/)
  return Object.assign(server, { url: url! })
}

/** Runs the command to its end. `err` lacks the line that names the database. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const command = startProcess(COMMAND, args, { env })
  const { code } = await command.exited
  const err = command.err.filter((line) => !/^lotline: (?:using|created) the /.test(line))
  return { code, out: command.out.join('\n'), err: err.join('\n') }
}

/** Lines of stderr that are no log lines: those for a person. */
export function wordsOf({ err }: Pick<TestProcess, 'err'>): string[] {
  return err.filter((line) => !line.startsWith('{'))
}
