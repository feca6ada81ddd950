// The traffic of a service that is one process: windows and queues in its memory. Where other processes could come over
// the same database, it counts only while it holds the right to be the only one (presence.ts).

import type { Database } from '../database/database.ts'
import { createKeyQueues } from './key-queue.ts'
import { createRateWindows } from './rate-windows.ts'
import { ALONE, type Standing, type Traffic } from './traffic.ts'

export interface MemoryTrafficOptions {
  /** A monotonic clock in milliseconds; tests pass their own. */
  readonly now?: (() => number) | undefined
  /** Default: nobody else can come. */
  readonly standing?: Standing
  /** Gives the right back. */
  readonly leave?: () => Promise<void>
}

export function createMemoryTraffic(
  database: Database,
  { now, standing = ALONE, leave }: MemoryTrafficOptions = {},
): Traffic {
  return {
    windows: createRateWindows(database, now, standing),
    queues: createKeyQueues(standing),
    get available() {
      return standing.held
    },
    close: async () => leave?.(),
  }
}
