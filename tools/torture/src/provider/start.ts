// The provider's process, as the harness handles it.

import { startChild } from '../set/child.ts'
import { freePort } from '../set/free-port.ts'
import { until } from '../set/until.ts'

const SCRIPT = new URL('./main.ts', import.meta.url)

export interface Provider {
  readonly port: number
  /** Answers 503 to everything; the next call of it ends that. */
  toggleOutage(): void
  /** From now on it makes no mistakes. */
  calm(): void
  stop(): Promise<void>
}

export interface ProviderOptions {
  readonly listings: string
  /** Where it writes down what it is asked. */
  readonly log: string
  readonly output: string
  readonly token: string
  readonly seed: string
  /** How many of its answers go wrong, from 0 to 1. */
  readonly trouble: number
  /** How long it looks for a slow home, about, in milliseconds. */
  readonly slowMs: number
}

export async function startProvider(options: ProviderOptions): Promise<Provider> {
  const port = await freePort()
  const { listings, log, output, token, seed, trouble, slowMs } = options
  const child = startChild(SCRIPT, {
    args: [
      '--file',
      listings,
      '--log',
      log,
      '--port',
      String(port),
      '--token',
      token,
      '--seed',
      seed,
      '--trouble',
      String(trouble),
      '--slow',
      String(slowMs),
    ],
    env: {},
    output,
  })
  // This answer, too, may be one that goes wrong: then it is asked again.
  const listens = () =>
    fetch(`http://127.0.0.1:${port}/`)
      .then(async (answer) => !!(await answer.text()))
      .catch(() => false)
  if (!(await until(listens, 60_000))) {
    await child.stop(5_000)
    throw new Error(`The test provider did not start. See ${output}.`)
  }
  return {
    port,
    toggleOutage: () => child.kill('SIGUSR2'),
    calm: () => child.kill('SIGUSR1'),
    stop: () => child.stop(5_000),
  }
}
