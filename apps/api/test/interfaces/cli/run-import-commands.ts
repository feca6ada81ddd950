// Runs each command that decides about an import, so that it changes something.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../../src/infrastructure/database/database.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'

interface CommandResult {
  readonly code: number | null
  readonly stderr: string
}

/** @param run runs a command and expects success. @param attempt runs a command that may end with any code */
export async function runImportCommands(
  database: Database,
  run: (...args: readonly string[]) => Promise<unknown>,
  attempt: (...args: readonly string[]) => Promise<CommandResult>,
): Promise<void> {
  const folder = await makeTemporaryDirectory()
  const fileWith = async (homes: number) => {
    const file = join(folder, 'trail.ndjson')
    const rows = Array.from({ length: homes }, (_, at) => ({
      zpid: String(770_000 + at),
      homeStatus: 'FOR_SALE',
      price: 400_000 + at,
    }))
    await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    return file
  }
  // Half of the homes are gone, so the import is held.
  const hold = async (): Promise<string> => {
    const { code, stderr } = await attempt('listings', 'import', await fileWith(30), '--complete')
    const id = /[Ii]mport (\d+)/.exec(stderr)?.[1]
    if (code !== 3 || id === undefined) throw new Error(`the import was not held: ${stderr}`)
    return id
  }
  await run('listings', 'import', await fileWith(60))
  await run('listings', 'discard', await hold())
  await run('listings', 'release', await hold())
  const { rows } = await database.query<{ id: number }>(
    `select id from imports where kind = 'release' order by id desc limit 1`,
  )
  await run('listings', 'revert', String(rows[0]!.id))
}
