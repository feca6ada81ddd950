import { randomBytes } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Command } from 'commander'
import {
  type BackupSummary,
  type Database,
  syncDirectory,
  writeBackup,
} from '../../infrastructure/database.ts'
import { confirm, YES } from './confirm.ts'
import { CommandFailure, print, table, text } from './print.ts'
import { withDatabase } from './with-database.ts'

export function backupCommand(): Command {
  return new Command('backup')
    .description(
      'Back up the whole database to one file: a consistent snapshot, compressed, with checksums. A server can be ' +
        'running. The file can be restored into an embedded database or into a PostgreSQL server.',
    )
    .argument('<file>', 'file to write; - writes to stdout')
    .option(...YES)
    .addHelpText(
      'after',
      `
The file contains all accounts, the webhook secrets in encrypted form, and the API keys as hashes. Only its owner can read
it. It does not contain SECRETS_KEY: keep that separately.

Examples:
  lotline backup lotline-$(date +%F).backup
  lotline backup - | ssh backups.example.com 'cat > lotline.backup'
  DATABASE_URL=postgresql://… lotline restore lotline.backup     (moves from the embedded database to a server)`,
    )
    .action(async (file: string, options: { yes?: boolean }, command: Command) => {
      if (file === '-') {
        if (process.stdout.isTTY) {
          throw new CommandFailure(
            'Refusing to write a binary backup to a terminal. Name a file or redirect the output.',
            2,
          )
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

/** The file appears completely under its name, or not at all. */
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
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a directory',
  ENOTDIR: 'part of its path is a file',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EROFS: 'it is on a read-only file system',
}

/** The error, if the named file caused it; undefined for any other cause. */
export function fileFailure(file: string, error: unknown): CommandFailure | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException
  const reason = syscall && code ? (REASONS[code] ?? code) : undefined
  return reason === undefined || syscall === 'connect'
    ? undefined
    : new CommandFailure(`${file} cannot be used: ${reason}.`)
}

/** A backup as text. */
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

/** A backup as JSON. */
export function jsonOf({ createdAt, ...summary }: BackupSummary) {
  return { created_at: createdAt, ...summary }
}
