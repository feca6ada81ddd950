// Restores a backup so that no safety is undone: what was revoked, suspended, removed, or withheld since is applied over the restored tables,
// in the transaction of the restore.

import { open } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { type RestrictedInRestore, restrictJournaledHomes } from '../../../data/rights.ts'
import { readConfig } from '../../../infrastructure/config.ts'
import {
  BackupError,
  type BackupSummary,
  copyJournal,
  type Database,
  type FoldedJournal,
  foldJournal,
  JOURNAL_FOLDER,
  type JournalEntry,
  type Queryable,
  readJournal,
  restoreBackup,
} from '../../../infrastructure/database.ts'
import { deleteLinks, revokeJournaledKeys, setJournaledStatuses } from '../../../money/accounts.ts'
import {
  findLost,
  type LostInRestore,
  type OperatorRole,
  type RestoredOperators,
  restoreOperators,
} from '../../../money/operator.ts'
import { fileFailure } from '../backup.ts'
import { CommandFailure } from '../print.ts'

/** The changes that the journal made to the restored data. */
export interface AppliedJournal {
  /** Ids of keys. */
  readonly revokedKeys: readonly string[]
  /** Accounts that had another status in the backup. */
  readonly statuses: readonly { readonly id: string; readonly status: 'active' | 'suspended' }[]
  readonly operators: RestoredOperators
  readonly homes: RestrictedInRestore
}

export interface RestoreReport {
  readonly summary: BackupSummary
  readonly applied: AppliedJournal
  /** null: the journal was not used. */
  readonly lost: LostInRestore | null
  /** Sentences for the operator. */
  readonly warnings: readonly string[]
}

export interface JournalOptions {
  /** Folders with a journal, beside the one in DATA_DIR. false: no journal is used. */
  readonly otherFolders: readonly string[] | false
  /** Whether homes stay that were removed since the backup, but not withheld. */
  readonly keepsRemoved: boolean
}

/** @throws {CommandFailure} if the backup or the journal cannot be used; nothing was changed then */
export async function restoreWithJournal(
  database: Database,
  file: string,
  { otherFolders, keepsRemoved }: JournalOptions,
): Promise<RestoreReport> {
  const isUsed = otherFolders !== false
  const { dataDir } = readConfig()
  const folders = isUsed ? [join(dataDir, JOURNAL_FOLDER), ...otherFolders.map((one) => resolve(one))] : []
  if (isUsed) await copyRest(database, dataDir)
  const { entries, damaged } = await readJournals(folders)
  let folded: FoldedJournal | undefined
  let applied: AppliedJournal | undefined
  let isFound = true
  const summary = await readBackupFile(file, (source) =>
    restoreBackup(database, source, {
      async beforeCommit(tx, era) {
        isFound = entries.some((entry) => era === undefined || entry.era === era)
        folded = foldJournal(entries, era)
        applied = await applyJournal(tx, folded, keepsRemoved)
      },
    }),
  )
  return {
    summary,
    applied: applied!,
    lost: isUsed ? await findLost(database, folded!) : null,
    warnings: isUsed ? warningsOf(folded!, { folders, damaged, isFound }) : [WITHOUT_JOURNAL],
  }
}

/** Copies what the database that is replaced has not copied yet. */
async function copyRest(database: Database, dataDir: string): Promise<void> {
  try {
    await copyJournal(database, dataDir)
  } catch (error) {
    const failure = fileFailure(join(dataDir, JOURNAL_FOLDER), error)
    if (!failure) throw error
    throw new CommandFailure(
      `${failure.message} The safety journal must be written before the database is replaced. With --no-journal, the restore goes without it.`,
    )
  }
}

async function readJournals(
  folders: readonly string[],
): Promise<{ readonly entries: readonly JournalEntry[]; readonly damaged: number }> {
  const read = await Promise.all([...new Set(folders)].map(readJournal))
  return {
    entries: read.flatMap(({ entries }) => entries),
    damaged: read.reduce((sum, { damaged }) => sum + damaged, 0),
  }
}

async function applyJournal(
  tx: Queryable,
  journal: FoldedJournal,
  keepsRemoved: boolean,
): Promise<AppliedJournal> {
  const revokedKeys = await revokeJournaledKeys(tx, journal.revokedKeys)
  const statuses = await setJournaledStatuses(tx, journal.accountStatuses)
  const operators = await restoreOperators(
    tx,
    journal.operatorRoles as ReadonlyMap<string, OperatorRole | null>,
    journal.consoleAccess,
  )
  await deleteLinks(tx)
  const homes = await restrictJournaledHomes(tx, journal.homes, { keepsRemoved })
  return { revokedKeys, statuses, operators, homes }
}

const WITHOUT_JOURNAL =
  'The safety journal was not applied: keys that were revoked since the backup work again, and removed homes are back.'

function warningsOf(
  { unknownKinds }: FoldedJournal,
  {
    folders,
    damaged,
    isFound,
  }: { readonly folders: readonly string[]; readonly damaged: number; readonly isFound: boolean },
): string[] {
  return [
    ...(isFound
      ? []
      : [
          `No safety journal of the database of this backup is in ${folders.join(' or ')}: keys that were revoked since the backup work again, and removed homes are back. If you have a copy of the folder, restore again with --journal.`,
        ]),
    ...(damaged > 0
      ? [`Skipped ${damaged} damaged lines of the safety journal: what they say was not applied.`]
      : []),
    ...[...unknownKinds].map(
      ([kind, count]) =>
        `Skipped ${count} entries of the safety journal with the unknown kind ${kind}: a newer version of Lotline wrote them.`,
    ),
  ]
}

/** Opens a backup file, or stdin for `-`. @throws {CommandFailure} if it cannot be used */
export async function readBackupFile<T>(file: string, use: (source: Readable) => Promise<T>): Promise<T> {
  try {
    if (file === '-') return await use(process.stdin)
    const handle = await open(file)
    return await use(handle.createReadStream())
  } catch (error) {
    if (error instanceof BackupError) throw new CommandFailure(error.message)
    throw fileFailure(file, error) ?? error
  }
}
