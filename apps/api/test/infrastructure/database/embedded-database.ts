// Helpers for tests of the embedded database: open it in this process or in another one, and inspect PostgreSQL.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import {
  type Database,
  DatabaseUnavailable,
  openDatabase,
} from '../../../src/infrastructure/database/database.ts'
import { findPostmasterFile } from '../../../src/infrastructure/database/embedded/postmaster-file.ts'
import { startProcess, type TestProcess } from '../../setup/child-process.ts'
import type { OpenAndWait } from './open-and-wait.ts'

export const SCRIPT = join(import.meta.dirname, 'open-and-wait.ts')

/** Opens it in this process, without the schema, and closes it with the test. */
export async function open(
  dataDir: string,
  as: 'server' | 'command' = 'server',
): Promise<Database & { log: string[] }> {
  const log: string[] = []
  const note = (message: string) => void log.push(message)
  const database = await openDatabase({
    config: { dataDir, databaseUrl: undefined },
    as,
    log: { debug: note, info: note, warn: note },
    migrate: false,
  })
  onTestFinished(() => database.close())
  return { ...database, log }
}

export function openInProcess(
  options: OpenAndWait,
  { script = SCRIPT, ...how }: { script?: string; node?: string; prefix?: readonly string[] } = {},
): TestProcess {
  return startProcess(script, [JSON.stringify(options)], how)
}

export async function postmasterOf(dataDir: string): Promise<number> {
  return (await findPostmasterFile(join(dataDir, 'postgres', 'cluster')))?.pid ?? 0
}

export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  limitMs = 15_000,
): Promise<void> {
  for (const end = performance.now() + limitMs; performance.now() < end; await sleep(10)) {
    if (await condition()) return
  }
  throw new Error(`It did not happen within ${limitMs} ms: ${what}`)
}

export async function answers(database: Database): Promise<boolean> {
  return database.query('select 1').then(
    () => true,
    (error) => {
      expect(error).toBeInstanceOf(DatabaseUnavailable)
      return false
    },
  )
}
