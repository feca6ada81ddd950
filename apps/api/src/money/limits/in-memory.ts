// Limits for a service with a single process: windows and queues in its memory. If other processes could share the database, it
// counts calls only while it holds the lease that excludes them (api-process-lease.ts).

import type { Database } from '../../infrastructure/database.ts'
import { type ProcessLease, SOLE_PROCESS } from '../../infrastructure/processes.ts'
import { createKeyQueues } from './key-queue.ts'
import type { Limits } from './limits.ts'
import { createRateWindows } from './rate-windows.ts'

export interface MemoryLimitsOptions {
  /** A monotonic clock in milliseconds; tests pass their own. */
  readonly now?: (() => number) | undefined
  /** Default: the lease of a sole process. */
  readonly processLease?: ProcessLease
  /** Releases the lease. */
  readonly leave?: () => Promise<void>
}

export function createMemoryLimits(
  database: Database,
  { now, processLease = SOLE_PROCESS, leave }: MemoryLimitsOptions = {},
): Limits {
  return {
    windows: createRateWindows(database, now, processLease),
    queues: createKeyQueues(processLease),
    get available() {
      return processLease.held
    },
    close: async () => leave?.(),
  }
}
