import { randomBytes } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Command } from 'commander'
import type { BackupSummary } from '../database/backup/format.ts'
import { writeBackup } from '../database/backup/write-backup.ts'
import type { Database } from '../database/database.ts'
import { syncDirectory } from '../database/embedded/cluster.ts'
import { confirm, YES } from './confirm.ts'
import { CommandFailure, print, table, text } from './print.ts'
import { withDatabase } from './with-database.ts'

export function backupCommand(): Command {
  return new Command('backup')
    .description(
      'Write the whole database into one file: one consistent snapshot, compressed, with checksums. It may run beside ' +
        'a server at work, and is restored into an embedded database or a server alike.',
    )
    .argument('<file>', 'where to; - writes to stdout')
    .option(...YES)
    .addHelpText(
      'after',
      `
Whoever has the file has all accounts, and webhook secrets in their encrypted form; keys are in it as hashes only. It can
be read by its owner alone. SECRETS_KEY is not in it: keep that separately.

Examples:
  lotline backup lotline-$(date +%F).backup
  lotline backup - | ssh backups.example.com 'cat > lotline.backup'
  DATABASE_URL=postgresql://… lotline restore lotline.backup     (the way from embedded to server)`,
    )
    .action(async (file: string, options: { yes?: boolean }, command: Command) => {
      if (file === '-') {
        if (process.stdout.isTTY) {
          throw new CommandFailure('A backup is no text for a terminal: name a file, or lead it into one.', 2)
        }
        const summary = await withDatabase((database) => writeBackup(database, process.stdout))
        process.stderr.write(`${summaryLines(summary).join('\n')}\n`)
        return
      }
      if (await exists(file)) await confirm(`${file} will be overwritten. That cannot be undone.`, options)
      const summary = await withDatabase((database) => writeFile(database, file))
      print(command, { file, ...jsonOf(summary) }, [...summaryLines(summary), '', `Backed up to ${file}.`])
    })
}

/** The file is there whole, under its name, or not at all. */
async function writeFile(database: Database, file: string): Promise<BackupSummary> {
  const part = `${file}.${randomBytes(3).toString('hex')}.part`
  try {
    const handle = await open(part, 'wx', 0o600)
    const summary = await writeBackup(database, handle.createWriteStream({ flush: true }))
    await rename(part, file)
    await syncDirectory(dirname(file))
    return summary
  } catch (error) {
    await rm(part, { force: true })
    throw fileFailure(file, error) ?? error
  }
}

async function exists(file: string): Promise<boolean> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw fileFailure(file, error) ?? error
  })
  if (found?.isDirectory()) throw new CommandFailure(`${file} is a directory. Name a file in it.`, 2)
  return found !== undefined
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EISDIR: 'it is a directory',
  ENOTDIR: 'part of its path is a file',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EROFS: 'it is on a read-only file system',
}

/** A failure of the file that was named; undefined when it was something else that failed. */
export function fileFailure(file: string, error: unknown): CommandFailure | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException
  const reason = syscall && code ? (REASONS[code] ?? code) : undefined
  return reason === undefined || syscall === 'connect'
    ? undefined
    : new CommandFailure(`${file} cannot be used: ${reason}.`)
}

/** A backup for people. */
export function summaryLines({ tables, rows, schema, createdAt }: BackupSummary): string[] {
  return [
    ...table(
      ['TABLE', 'ROWS', 'SHA-256'],
      tables.map((one) => [one.table, one.rows, `${one.sha256.slice(0, 16)}…`]),
    ),
    '',
    `${rows} rows in ${tables.length} tables, schema ${schema}, of ${text(createdAt)}.`,
  ]
}

/** A backup for programs. */
export function jsonOf({ createdAt, ...summary }: BackupSummary) {
  return { created_at: createdAt, ...summary }
}
