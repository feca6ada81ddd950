// The loops that synchronize sources when they are due. The code that reads feeds is loaded when the first source is due, so that a server
// without sources starts quickly and stays small.

import type { Logger } from 'pino'
import type { Database } from '../../infrastructure/database.ts'
import { type Interval, interval } from '../../infrastructure/platform.ts'
import type { SyncResult } from './run-source.ts'
import { isAnyDue } from './source-store.ts'

/** The interval at which a process looks for sources that are due. */
const LOOK_EVERY_MS = 5_000
/** The number of sources that one process synchronizes at a time: the first load of a large feed must not keep the others waiting. */
const AT_A_TIME = 3

/**
 * Synchronizes sources when they are due, in every process that runs jobs.
 *
 * @param dataDir DATA_DIR, which keeps a downloaded file until it is imported
 * @param lookEveryMs the interval at which it looks for them, in milliseconds
 */
export function startSyncing(
  database: Database,
  log: Logger,
  { dataDir, lookEveryMs = LOOK_EVERY_MS }: { readonly dataDir?: string; readonly lookEveryMs?: number },
): Interval {
  const leaving = new AbortController()
  async function syncNext(): Promise<boolean> {
    if (leaving.signal.aborted || !(await isAnyDue(database))) return false
    const { syncSource } = await import('./run-source.ts')
    const result = await syncSource(database, undefined, {
      signal: leaving.signal,
      ...(dataDir !== undefined && { dataDir }),
    })
    if (result) report(log, result)
    // A postponed source may be due again immediately.
    return result !== undefined && result.outcome !== 'postponed'
  }
  const loops = Array.from({ length: AT_A_TIME }, () =>
    interval(lookEveryMs, syncNext, (error) => log.warn({ err: error }, 'cannot synchronize sources')),
  )
  return {
    async stop() {
      leaving.abort(new Error('the process ends'))
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

function report(log: Logger, result: SyncResult): void {
  const { name: source } = result
  switch (result.outcome) {
    case 'synced': {
      const { read, inserted, updated, removed, withdrawn } = result.total
      log.info({ source, read, inserted, updated, removed, withdrawn }, 'source synchronized')
      break
    }
    case 'postponed':
      log.info({ source, until: result.until }, 'source continues later')
      break
    case 'failed':
      log.warn({ source, reason: result.reason, err: result.error }, 'source cannot be synchronized')
      break
    case 'busy':
      log.info({ source }, 'source was given to another process')
      break
  }
}
