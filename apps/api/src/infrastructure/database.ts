// PostgreSQL: opening it (embedded or a server), queries and transactions, the clock, locks, backups, and signed cursors.

export { ADVISORY_LOCKS } from './database/advisory-locks.ts'
export { checkConnection } from './database/answers.ts'
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
export { syncDirectory } from './database/embedded/cluster.ts'
export { bookPartitionsChore } from './database/partitions.ts'
export { keysetPages, readInPieces } from './database/pool/read-all.ts'
export { shortReason } from './database/pool/unavailable.ts'
export { errorCode } from './database/queryable.ts'
export { type CursorValues, createSignedCursors, type SignedCursors } from './database/signed-cursors.ts'
