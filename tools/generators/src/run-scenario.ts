import { runProgram } from './run-program.ts'
import type { RunningService } from './running-service.ts'

/** Runs the scenario program of a generator with the settings that all of them read. Returns the steps that it printed. */
export async function runScenarioProgram(
  name: string,
  service: RunningService,
  [program, ...args]: readonly [string, ...string[]],
  cwd: string,
): Promise<string[]> {
  const { key, emptyKey, limitedKey } = await service.openAccounts()
  const output = await runProgram(program, args, {
    cwd,
    env: {
      LOTLINE_BASE_URL: service.url,
      LOTLINE_API_KEY: key,
      LOTLINE_EMPTY_KEY: emptyKey,
      LOTLINE_LIMITED_KEY: limitedKey,
      LOTLINE_RECEIVER_URL: `${service.receiverUrl}/${name}`,
    },
  })
  return [...output.matchAll(/^ok (\S+)$/gm)].map(([, step]) => step!)
}

/** The number that an example program prints as `read <n>`. */
export function countRead(output: string): number {
  return Number(/^read (\d+)$/m.exec(output)?.[1] ?? 0)
}
