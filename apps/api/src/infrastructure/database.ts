// PostgreSQL: opening it (embedded or a server), queries and transactions, the clock, locks, backups, and signed cursors.

export { ADVISORY_LOCKS } from './database/advisory-locks.ts'
export { checkConnection } from './database/answers.ts'
export { checkBackup } from './database/backup/check-backup.ts'
export {
  BackupError,
  type BackupSummary,
  type BackupTrailer,
  type FileKind,
  type TableEnd,
  toTrailer,
} from './database/backup/format.ts'
export { readBackup } from './database/backup/read-backup.ts'
export { findContents, restoreBackup } from './database/backup/restore-backup.ts'
export { type BackupTable, findTables, quoteName } from './database/backup/tables.ts'
export { backupLine, readMigrations, tableLines, writeBackup } from './database/backup/write-backup.ts'
export { type Budget, takeBudget, WINDOW_SECONDS } from './database/budgets.ts'
export { createDatabaseClock, type DatabaseClock } from './database/clock.ts'
export {
  type BytesParameter,
  connectDatabase,
  type Database,
  DatabaseUnavailable,
  isTimeout,
  joinTransaction,
  type OpenedDatabase,
  openDatabase,
  type Queryable,
  StartError,
  type TransactionOptions,
} from './database/database.ts'
export { isDatabaseDiskFull } from './database/disk-space.ts'
export { syncDirectory } from './database/embedded/cluster.ts'
export { copyJournal, copyJournalChore } from './database/journal/copy-journal.ts'
export {
  type FoldedJournal,
  foldJournal,
  type JournaledCredits,
  type JournaledHome,
  type JournaledOrder,
} from './database/journal/fold-journal.ts'
export { JOURNAL_FOLDER, type JournalEntry, readJournal } from './database/journal/journal-files.ts'
export { type ConsoleAccessState, writeToJournal } from './database/journal/write-journal.ts'
export { bookPartitionsChore } from './database/partitions.ts'
export { keysetPages, readInPieces } from './database/pool/read-all.ts'
export { DISK_FULL_ADVICE, isDiskFull, shortReason } from './database/pool/unavailable.ts'
export { errorCode } from './database/queryable.ts'
export { type CursorValues, createSignedCursors, type SignedCursors } from './database/signed-cursors.ts'
