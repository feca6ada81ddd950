// Why: decisions/process/restore-is-not-in-the-trail.md
// Why: decisions/infrastructure/safety-journal.md

import { Command } from 'commander'
import { checkBackup, findContents, JOURNAL_FOLDER } from '../../infrastructure/database.ts'
import { jsonOf, summaryLines } from './backup.ts'
import { confirm, YES } from './confirm.ts'
import { print } from './print.ts'
import { appliedJson, appliedLines, lostJson, lostLines } from './restore/report.ts'
import { readBackupFile, restoreWithJournal } from './restore/run-restore.ts'
import { withDatabase } from './with-database.ts'

interface RestoreCommandOptions {
  yes?: boolean
  check?: boolean
  journal: readonly string[] | false
  keepRemovedHomes?: boolean
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description(
      'Replace the whole database with a backup. If anything is wrong with the file, nothing changes. A backup from an ' +
        'older version of Lotline is migrated; one from a newer version is refused.',
    )
    .argument('<file>', 'backup file; - reads from stdin')
    .option(...YES)
    .option(
      '--check',
      'only check the file: read it to its end and compare its checksums and its schema. Needs no database',
    )
    .option(
      '--journal <folder>',
      `another ${JOURNAL_FOLDER} folder, beside the one in DATA_DIR. Can be repeated`,
      (folder: string, before: readonly string[]) => [...before, folder],
      [] as readonly string[],
    )
    .option(
      '--no-journal',
      'do not apply the safety journal: keys that were revoked since the backup work again',
    )
    .option('--keep-removed-homes', 'keep homes that were removed since the backup, unless they are withheld')
    .addHelpText(
      'after',
      `
The command asks before it replaces data, unless you give --yes. Running servers show the old data until the restore is
complete. Restart them afterwards, because they keep some of the old data in memory.

What was revoked, suspended, removed, or withheld after the backup is read from the safety journal in DATA_DIR and applied
again, before the restored data can be used. Then the command lists what is lost since the backup. If you restore on another
machine, name a copy of the folder with --journal.

Examples:
  lotline restore lotline.backup
  lotline restore --check lotline.backup
  DATABASE_URL=postgresql://… lotline restore lotline.backup
  DATA_DIR=restored lotline restore lotline.backup --journal /var/lib/lotline/${JOURNAL_FOLDER}
  DATA_DIR=/var/lib/lotline lotline restore lotline.backup --yes`,
    )
    .action(async (file: string, options: RestoreCommandOptions, command: Command) => {
      if (options.check) return check(file, command)
      const restored = await withDatabase(async (database) => {
        const contents = await findContents(database)
        if (contents.length > 0) {
          const what = contents.map(({ table, rows }) => `${rows} ${table}`).join(', ')
          await confirm(
            `The database is not empty: ${what}. All of it will be replaced. That cannot be undone.`,
            options,
          )
        }
        return restoreWithJournal(database, file, {
          otherFolders: options.journal,
          keepsRemoved: options.keepRemovedHomes === true,
        })
      })
      const { summary, applied, lost, warnings } = restored
      for (const warning of warnings) process.stderr.write(`lotline: ${warning}\n`)
      print(
        command,
        {
          ...jsonOf(summary),
          journal: lost && { applied: appliedJson(applied), lost: lostJson(lost) },
          warnings,
        },
        [
          ...summaryLines(summary),
          '',
          ...(lost ? [...appliedLines(applied), '', ...lostLines(lost), ''] : []),
          `Restored ${file}.`,
        ],
      )
    })
}

async function check(file: string, command: Command): Promise<void> {
  const summary = await readBackupFile(file, (source) => checkBackup(source))
  print(command, { file, ...jsonOf(summary) }, [
    ...summaryLines(summary),
    '',
    `${file} is complete and undamaged, and this version of Lotline can restore it. Nothing was written.`,
  ])
}
