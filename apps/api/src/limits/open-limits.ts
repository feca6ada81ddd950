// Which traffic a process has: in the store that VALKEY_URL names, else in its memory, and then as the only process.

import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { joinProcesses } from '../processes/api-process-lease.ts'
import { createMemoryTraffic } from './in-memory.ts'
import type { Traffic } from './limits.ts'

export interface OpenTrafficOptions {
  readonly database: Database
  readonly log: Logger
  /** undefined: calls are counted in memory. */
  readonly storeUrl: string | undefined
  /** Whether others could come over the same database. The embedded one has a lock of its own. */
  readonly databaseIsShared: boolean
}

/** @throws {StartError} when other processes are in the way, or the store cannot be used. */
export async function openTraffic(options: OpenTrafficOptions): Promise<Traffic> {
  const { database, log, storeUrl, databaseIsShared } = options
  if (storeUrl === undefined && !databaseIsShared) return createMemoryTraffic(database)
  const countsIn = storeUrl === undefined ? 'memory' : 'store'
  const presence = await joinProcesses({ database, log, countsIn })
  if (storeUrl === undefined) {
    return createMemoryTraffic(database, { standing: presence, leave: presence.leave })
  }
  try {
    // Imported only where there is a store: nobody else pays for the client.
    const { openStoreTraffic } = await import('./store/store-limits.ts')
    return await openStoreTraffic({ url: storeUrl, database, log, presence })
  } catch (error) {
    await presence.leave()
    throw error
  }
}
