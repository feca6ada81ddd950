// Opens the limits of a process: in the store of VALKEY_URL, or else in its memory, as the only process.

import type { Logger } from 'pino'
import type { Database } from '../../infrastructure/database.ts'
import { joinProcesses } from '../../infrastructure/processes.ts'
import { createMemoryLimits } from './in-memory.ts'
import type { Limits } from './limits.ts'

export interface OpenLimitsOptions {
  readonly database: Database
  readonly log: Logger
  /** undefined: calls are counted in memory. */
  readonly storeUrl: string | undefined
  /** Whether other processes could use the same database. The embedded one has its own lock. */
  readonly databaseIsShared: boolean
}

/** @throws {StartError} when other processes prevent it, or the store cannot be used */
export async function openLimits(options: OpenLimitsOptions): Promise<Limits> {
  const { database, log, storeUrl, databaseIsShared } = options
  if (storeUrl === undefined && !databaseIsShared) return createMemoryLimits(database)
  const countsIn = storeUrl === undefined ? 'memory' : 'store'
  const processLease = await joinProcesses({ database, log, countsIn })
  if (storeUrl === undefined) {
    return createMemoryLimits(database, { processLease, leave: processLease.leave })
  }
  try {
    // Imported only if there is a store, so that other processes do not load the client.
    const { openStoreLimits } = await import('./store/store-limits.ts')
    return await openStoreLimits({ url: storeUrl, database, log, processLease })
  } catch (error) {
    await processLease.leave()
    throw error
  }
}
