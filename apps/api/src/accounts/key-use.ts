// When keys were last used, to the minute. Noted in memory and written once a minute, so that a call costs no statement.

import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { every, type Repeated } from '../platform/every.ts'

const WRITE_EVERY_MS = 60_000

// Locked in one order, because other processes write the same keys.
const WRITE = `
  with used as (
    select id from api_keys
    where id = any ($1) and last_used_at is distinct from date_trunc('minute', now())
    order by id for no key update
  )
  update api_keys k set last_used_at = date_trunc('minute', now()) from used where k.id = used.id`

export interface KeyUse {
  note(keyId: string): void
  /** Writes every minute until it is stopped, and once more then. */
  keep(): Repeated
  /** Writes what was noted since the last time. */
  write(): Promise<void>
}

export function createKeyUse(database: Database, log: Logger): KeyUse {
  let used = new Set<string>()

  async function write(): Promise<void> {
    if (used.size === 0) return
    const written = used
    used = new Set()
    try {
      await database.query(WRITE, [[...written]])
    } catch (error) {
      for (const keyId of written) used.add(keyId)
      throw error
    }
  }

  return {
    note: (keyId) => void used.add(keyId),
    write,
    keep() {
      const complain = (error: unknown) => log.warn({ err: error }, 'cannot write when keys were used')
      const writing = every(WRITE_EVERY_MS, write, complain)
      return {
        async stop() {
          await writing.stop()
          await write().catch(complain)
        },
      }
    },
  }
}
