import { open } from 'node:fs/promises'
import { Command } from 'commander'
import { BackupError, type BackupSummary } from '../database/backup/format.ts'
import { findContents, restoreBackup } from '../database/backup/restore-backup.ts'
import type { Database } from '../database/database.ts'
import { fileFailure, jsonOf, summaryLines } from './backup.ts'
import { confirm, YES } from './confirm.ts'
import { CommandFailure, print } from './print.ts'
import { withDatabase } from './with-database.ts'

export function restoreCommand(): Command {
  return new Command('restore')
    .description(
      'Replace the whole database by a backup: all of it, or nothing when anything is wrong with the file. A backup of an ' +
        'older Lotline is brought up to date, one of a newer Lotline is refused.',
    )
    .argument('<file>', 'the backup; - reads from stdin')
    .option(...YES)
    .addHelpText(
      'after',
      `
Before it replaces anything it asks, or needs --yes. Servers at work on the database show the old data until the restore is
complete, and then the new; restart them afterwards, so that nothing of the old is left in their memory.

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
