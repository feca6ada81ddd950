// The database for the rest of the program: statements, transactions, and notifications over PostgreSQL. Only this file decides
// whether PostgreSQL is embedded or a server.

// Why: decisions/infrastructure/no-query-builder.md

import pg from 'pg'
import type { Config } from '../config/config.ts'
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { migrate } from './migrate.ts'
import { CONNECT_TIMEOUT_MS, type ConnectionPool, createConnectionPool } from './pool/connections.ts'
import { type NotificationListener, startListening } from './pool/listening.ts'
import { DatabaseUnavailable, DISK_FULL_ADVICE, isDiskFull, shortReason } from './pool/unavailable.ts'
import { type Database, type DatabaseLog, StartError } from './queryable.ts'

export { joinTransaction } from './joined.ts'
export { DatabaseUnavailable, isTimeout } from './pool/unavailable.ts'
export type {
  BytesParameter,
  Database,
  DatabaseLog,
  PoolState,
  Queryable,
  QueryOptions,
  QueryResult,
  TransactionOptions,
} from './queryable.ts'
export { StartError } from './queryable.ts'

export interface OpenOptions {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl'> & Partial<Pick<Config, 'databaseOwnerUrl'>>
  /** A command can share a DATA_DIR with a running server; two servers cannot. */
  readonly as: 'server' | 'command'
  readonly log?: DatabaseLog
  /** Maximum number of connections. Default: 10 for a server, 4 for a command. */
  readonly poolSize?: number
  /** Whether to bring the schema up to date. Default: true. */
  readonly migrate?: boolean
  /** Called once when the database can be used, before `openDatabase` resolves. */
  readonly onOpen?: (opened: OpenedDatabase) => void
}

/** A readable description of the database. */
export interface OpenedDatabase {
  /** A name for sentences, such as `the embedded database in /var/lib/lotline`. Never contains a user or a password. */
  readonly name: string
  /** Whether it was empty, so that this process created the tables. */
  readonly isNew: boolean
}

const SILENT_LOG: DatabaseLog = { debug() {}, info() {}, warn() {} }
const MIN_POSTGRES_VERSION = 15
const FIRST_MIGRATION = '0001_accounts.sql'

/**
 * Opens the database: the server that DATABASE_URL names, or the embedded one under DATA_DIR, started when it does not
 * run yet; and brings its schema up to date.
 *
 * @throws {StartError} in one line that says what to do.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { config, as, log = SILENT_LOG } = options
  const { poolSize = as === 'server' ? 10 : 4 } = options
  const ownerUrl = config.databaseOwnerUrl?.reveal()
  // Commands of an operator, such as a restore or an archive, need the owner's rights.
  const url = as === 'command' && ownerUrl !== undefined ? ownerUrl : config.databaseUrl?.reveal()
  const name = url === undefined ? 'The embedded database' : `The database at ${describeLocation(url)}`
  const embedded =
    url === undefined ? await startEmbeddedPostgres({ dataDir: config.dataDir, as, log }) : undefined
  const target = embedded === undefined ? { connectionString: url! } : { ...embedded.connection, ssl: false }
  const database = connectDatabase({ target, poolSize, log, afterClose: async () => embedded?.stop() })
  let isNew = false
  try {
    await checkServer(database, name)
    if (options.migrate !== false) {
      const applied = await (ownerUrl === undefined || ownerUrl === url
        ? migrate(database)
        : migrateAsOwner(ownerUrl, database))
      for (const migration of applied) log.info(`Migrated the database: ${migration}.`)
      isNew = applied[0] === FIRST_MIGRATION
    }
    const place =
      url === undefined ? `embedded database in ${config.dataDir}` : `database at ${describeLocation(url)}`
    options.onOpen?.({ name: `the ${place}`, isNew })
    return database
  } catch (error) {
    await database.close()
    if (isDiskFull(error)) throw new StartError(`${name} cannot be used: ${DISK_FULL_ADVICE}`)
    if (error instanceof DatabaseUnavailable || error instanceof pg.DatabaseError) {
      throw new StartError(`${name} cannot be used: ${shortReason(error.cause ?? error)}.`)
    }
    throw error
  }
}

/** Migrates with the owner's rights, and gives the role of the service its own. */
async function migrateAsOwner(ownerUrl: string, service: Database): Promise<string[]> {
  const owner = connectDatabase({ target: { connectionString: ownerUrl }, poolSize: 1 })
  try {
    await checkServer(owner, `The database at ${describeLocation(ownerUrl)}`)
    const applied = await migrate(owner)
    const { rows } = await service.query<{ role: string }>('select current_user as role')
    await owner.query('select grant_service_rights($1)', [rows[0]!.role])
    return applied
  } finally {
    await owner.close()
  }
}

/** Uses a running PostgreSQL. Connects on first use. */
export function connectDatabase(options: {
  readonly target: pg.ClientConfig
  readonly poolSize: number
  readonly log?: DatabaseLog
  readonly afterClose?: () => Promise<void>
}): Database {
  const { target, poolSize, log = SILENT_LOG, afterClose } = options
  const connections: ConnectionPool = createConnectionPool({ target, poolSize, log })
  const listening: NotificationListener = startListening(target, log)
  let closed: Promise<void> | undefined
  async function close(): Promise<void> {
    await Promise.all([connections.close(), listening.close()])
    await afterClose?.()
  }
  return {
    get pool() {
      return connections.pool
    },
    query: connections.query,
    readBytes: connections.readBytes,
    transaction: connections.transaction,
    listen: listening.listen,
    close: () => (closed ??= close()),
  }
}

async function checkServer(database: Database, name: string): Promise<void> {
  const { version, encoding } = await waitForFirstAnswer(database, name)
  if (version < MIN_POSTGRES_VERSION * 10_000) {
    throw new StartError(
      `${name} runs PostgreSQL ${Math.floor(version / 10_000)}, and ${MIN_POSTGRES_VERSION} or newer is needed.`,
    )
  }
  if (encoding !== 'UTF8') {
    throw new StartError(
      `${name} has the encoding ${encoding}, and UTF8 is needed: create it with encoding 'UTF8'.`,
    )
  }
}

async function waitForFirstAnswer(
  database: Database,
  name: string,
): Promise<{ version: number; encoding: string }> {
  try {
    const { rows } = await database.query<{ version: number; encoding: string }>(
      "select current_setting('server_version_num')::integer as version, current_setting('server_encoding') as encoding",
    )
    return rows[0]!
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    if (isDiskFull(error)) throw new StartError(`${name} cannot be used: ${DISK_FULL_ADVICE}`)
    const cause = error.cause as { code?: string; message?: string }
    const late = /timeout/.test(String(cause.message)) ? ` within ${CONNECT_TIMEOUT_MS / 1000} s` : ''
    throw new StartError(
      `${name} cannot be reached${late}: ${shortReason(cause)}. Check DATABASE_URL and that it runs.`,
    )
  }
}

/** Host, port and name of the database in a URL, without user and password. */
function describeLocation(url: string): string {
  try {
    const { host, pathname, searchParams } = new URL(url)
    return `${decodeURIComponent(host) || searchParams.get('host') || 'localhost'}${pathname}`
  } catch {
    return 'DATABASE_URL'
  }
}
