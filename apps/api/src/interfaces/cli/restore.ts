// Why: decisions/process/restore-is-not-in-the-trail.md

import { open } from 'node:fs/promises'
import { Command } from 'commander'
import {
  BackupError,
  type BackupSummary,
  type Database,
  findContents,
  restoreBackup,
} from '../../infrastructure/database.ts'
import { fileFailure, jsonOf, summaryLines } from './backup.ts'
import { confirm, YES } from './confirm.ts'
import { CommandFailure, print } from './print.ts'
import { withDatabase } from './with-database.ts'

export function restoreCommand(): Command {
  return new Command('restore')
    .description(
      'Replace the whole database with a backup. If anything is wrong with the file, nothing changes. A backup from an ' +
        'older version of Lotline is migrated; one from a newer version is refused.',
    )
    .argument('<file>', 'backup file; - reads from stdin')
    .option(...YES)
    .addHelpText(
      'after',
      `
The command asks before it replaces data, unless you give --yes. Running servers show the old data until the restore is
complete. Restart them afterwards, because they keep some of the old data in memory.

Examples:
  lotline restore lotline.backup
  DATABASE_URL=postgresql://… lotline restore lotline.backup
  DATA_DIR=/var/lib/lotline lotline restore lotline.backup --yes`,
    )
    .action(async (file: string, options: { yes?: boolean }, command: Command) => {
      const summary = await withDatabase(async (database) => {
        const contents = await findContents(database)
        if (contents.length > 0) {
          const what = contents.map(({ table, rows }) => `${rows} ${table}`).join(', ')
          await confirm(
            `The database is not empty: ${what}. All of it will be replaced. That cannot be undone.`,
            options,
          )
        }
        return restore(database, file)
      })
      print(command, jsonOf(summary), [...summaryLines(summary), '', `Restored ${file}.`])
    })
}

async function restore(database: Database, file: string): Promise<BackupSummary> {
  try {
    if (file === '-') return await restoreBackup(database, process.stdin)
    const handle = await open(file)
    return await restoreBackup(database, handle.createReadStream())
  } catch (error) {
    if (error instanceof BackupError) throw new CommandFailure(error.message)
    throw fileFailure(file, error) ?? error
  }
}
