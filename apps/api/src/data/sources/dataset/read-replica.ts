// Searches of the data set on a streaming replica of the database, so that they use another server's CPU and memory. A result is never
// older than one from the primary: the version of the data set (data_set_version) rises in every transaction that changes listings. When a
// search begins, the primary reports the version. The replica answers from a snapshot that has this version, or the primary runs the
// search. Charges, lookups, and everything else stay on the primary.
// Why: decisions/data/replica-compares-versions.md

import type { Logger } from 'pino'
import {
  connectDatabase,
  type Database,
  DatabaseUnavailable,
  type Queryable,
  StartError,
  shortReason,
} from '../../../infrastructure/database.ts'
import {
  batchPerTurn,
  type Chore,
  type Observer,
  type Secret,
  startChores,
} from '../../../infrastructure/platform.ts'
import type { Provider } from '../provider.ts'
import { createDatasetProvider } from './dataset-provider.ts'
import { inLine } from './search-areas.ts'

export interface ReadReplica {
  readonly database: Database
  /** Whether the replica is skipped. A replica that does not answer is skipped until it answers again. */
  isAway: boolean
  close(): Promise<void>
}

/** The time limit for the replica to report its version. A slower replica is skipped. */
const ANSWER_MS = 1_000
const LOOK_AGAIN_MS = 1_000
const POOL_SIZE = 10

// pg_is_in_recovery is false after the replica was promoted: it follows no primary any more.
const REPLICA_VERSION = `
  select coalesce((select version from data_set_version), 0) as version, pg_is_in_recovery() as follows`
const PRIMARY_VERSION = 'select coalesce((select version from data_set_version), 0) as version'
const IDENTITY = `
  select (select system_identifier::text from pg_control_system()) as system, current_database() as name,
    pg_is_in_recovery() as follows`

/**
 * Opens the replica that DATABASE_READ_URL names. A replica that cannot be reached is tried again later.
 *
 * @throws {StartError} when it is no replica of this database
 */
export async function openReadReplica(
  url: Secret | undefined,
  primary: Database,
  log: Logger,
): Promise<ReadReplica | undefined> {
  if (url === undefined) return undefined
  const database = connectDatabase({
    target: { connectionString: url.reveal() },
    poolSize: POOL_SIZE,
    log,
  })
  const replica = { database, isAway: false, close: () => closing() }
  const watching = startChores(log, watchReplica(replica, log))
  async function closing(): Promise<void> {
    await watching.stop()
    await database.close()
  }
  try {
    const fault = await findFault(primary, database)
    if (fault !== undefined) throw new StartError(`DATABASE_READ_URL cannot be used: ${fault}.`)
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) {
      await closing()
      throw error
    }
    goAway(replica, log, error)
  }
  return replica
}

/** All connections to the replica may just be in use. */
class SilentReplica extends DatabaseUnavailable {}

interface ReplicaState {
  readonly system: string
  readonly name: string
  readonly follows: boolean
}

async function findFault(primary: Database, replica: Database): Promise<string | undefined> {
  const [ours, theirs] = await Promise.all(
    [primary, replica].map(async (database) => (await database.query<ReplicaState>(IDENTITY)).rows[0]!),
  )
  if (ours!.system !== theirs!.system || ours!.name !== theirs!.name) {
    return 'it is another database than DATABASE_URL, and it must be a streaming replica of it'
  }
  return theirs!.follows ? undefined : 'the server is not a replica: it is the primary, or was promoted'
}

/** Asks a replica that is skipped until it answers. */
function watchReplica(replica: ReadReplica, log: Logger): Chore {
  return {
    name: 'reach the read replica, which is still away',
    everyMs: LOOK_AGAIN_MS,
    failsAt: 'debug',
    async run() {
      if (!replica.isAway) return
      await replica.database.query('select 1')
      replica.isAway = false
      log.info('the read replica answers again')
    },
  }
}

function goAway(replica: ReadReplica, log: Logger, error: unknown): void {
  if (replica.isAway) return
  replica.isAway = true
  log.warn({ reason: shortReason(error) }, 'the read replica is away: the primary answers searches')
}

/** The provider, with searches on the replica if it is as new as the primary. */
export function searchOnReplica(
  provider: Provider,
  { primary, replica, log, observer }: SearchOnReplicaOptions,
): Provider {
  /** Reads the primary's version after the search began. One statement serves all searches of one turn of the event loop. */
  const readNewest = batchPerTurn<undefined, number>(async (group) => {
    const { rows } = await primary.query<{ version: number }>(PRIMARY_VERSION, [], {
      name: 'data_set_version',
    })
    return group.map(() => rows[0]!.version)
  })

  type SearchResult = Awaited<ReturnType<Provider['search']>>

  /** undefined: the replica is behind, or follows another server. */
  async function search(
    ...[query, page, asking]: Parameters<Provider['search']>
  ): Promise<SearchResult | undefined> {
    const newest = readNewest(undefined)
    // The promise is awaited below, if the replica gets that far.
    newest.catch(() => {})
    let timer: NodeJS.Timeout | undefined
    // After one second the primary runs the search. It must not run here as well when a connection becomes free: that would double the load
    // of a replica that is already overloaded.
    let isLate = false
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isLate = true
        reject(new SilentReplica('no answer within a second'))
      }, ANSWER_MS)
    })
    const work = async (tx: Queryable): Promise<SearchResult | undefined> => {
      asking.signal.throwIfAborted()
      if (isLate) return undefined
      const { rows } = await tx.query<{ version: number; follows: boolean }>(REPLICA_VERSION)
      clearTimeout(timer)
      const { version, follows } = rows[0]!
      if (isLate || !follows || version < (await newest)) return undefined
      asking.signal.throwIfAborted()
      return createDatasetProvider(tx).search(query, page, asking)
    }
    const found = replica.database.transaction(work, { readOnly: true, isolation: 'repeatable read' })
    found.catch(() => {})
    try {
      return await Promise.race([found, silence])
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    ...provider,
    async search(query, page, asking) {
      if (replica.isAway) observer.searchedOnReplica('away')
      else {
        try {
          const found = await inLine(query, () => search(query, page, asking), asking)
          observer.searchedOnReplica(found ? 'answered' : 'behind')
          if (found) return found
        } catch (error) {
          asking.signal.throwIfAborted()
          // A statement may fail on the replica alone: recovery may cancel it, and a new table may not be there yet.
          observer.searchedOnReplica('failed')
          const isBusy = error instanceof SilentReplica && replica.database.pool.waiting > 0
          if (error instanceof DatabaseUnavailable && !isBusy) goAway(replica, log, error)
          else log.warn({ err: error }, 'a search failed on the read replica: the primary answers it')
        }
      }
      return provider.search(query, page, asking)
    },
  }
}

export interface SearchOnReplicaOptions {
  readonly primary: Database
  readonly replica: ReadReplica
  readonly log: Logger
  readonly observer: Pick<Observer, 'searchedOnReplica'>
}
