// One run of the operator's command, as a process of its own beside the running server.

import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from './child.ts'
import { findRss } from './memory.ts'

const SCRIPT = new URL('../../../../apps/api/src/interfaces/cli/main.ts', import.meta.url)

export interface ImportRun {
  /** Rows of the files. */
  readonly read: number
  /** The duration of the whole command, including its start. */
  readonly seconds: number
  /** The most memory that it held, in bytes; 0 where the system does not tell. */
  readonly peakRss: number
}

export async function importFiles(dataDir: string, paths: readonly string[]): Promise<ImportRun> {
  return runImport(dataDir, ['listings', 'import', ...paths])
}

/** Runs a command that prints how many records it has read. */
export async function runImport(
  dataDir: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ImportRun> {
  const began = performance.now()
  const child = startChild(SCRIPT, { args: [...args, '--json'], env: { DATA_DIR: dataDir, ...env } })
  let text = ''
  child.process.stdout!.on('data', (part) => (text += part))
  let ended = false
  const closed = once(child.process, 'close').finally(() => (ended = true))
  let peakRss = 0
  while (!ended) {
    peakRss = Math.max(peakRss, (await findRss(child.pid)) ?? 0)
    await Promise.race([sleep(50), closed])
  }
  const seconds = (performance.now() - began) / 1_000
  const [code] = await closed
  if (code !== 0) throw new Error(`lotline ${args.join(' ')} ended with ${code}: ${child.errors().trim()}`)
  const { read } = JSON.parse(text) as { read: number }
  return { read, seconds, peakRss }
}
