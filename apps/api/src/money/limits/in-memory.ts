// The limits of a service that is one process: windows and queues in its memory. Where other processes could come over
// the same database, it counts only while it holds the right to be the only one (api-process-lease.ts).

import type { Database } from '../../infrastructure/database.ts'
import { type ProcessLease, SOLE_PROCESS } from '../../infrastructure/processes.ts'
import { createKeyQueues } from './key-queue.ts'
import type { Limits } from './limits.ts'
import { createRateWindows } from './rate-windows.ts'

export interface MemoryLimitsOptions {
  /** A monotonic clock in milliseconds; tests pass their own. */
  readonly now?: (() => number) | undefined
  /** Default: this is the only process. */
  readonly processLease?: ProcessLease
  /** Gives the right back. */
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
