// Which sessions of the portal exist, in memory, to tell a guessed cookie from a real one without a query each. They are read when somebody
// guesses and not before. The directory holds the first 52 bits of each hash, 8 bytes a session, so a guess passes for a real one once in
// billions; the database then says what it is.

import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Database } from '../database/database.ts'
import { digestOf } from '../platform/random-token.ts'
import { SESSION_MINUTES } from './portal-sessions.ts'

export interface SessionDirectory {
  /**
   * False: there was no such session when this was called. A browser that has just signed in at another process comes here at once, so
   * what is not listed waits for the next reading, of which there are four a second, however many ask.
   */
  mayExist(sessionId: string): Promise<boolean>
  /** A session that the database does not have any more: `mayExist` is false from now on. */
  forget(sessionId: string): void
}

/** From the beginning of a reading of sessions to that of the next one. */
const SESSIONS_EVERY_MS = 250
/** Sessions are read as a whole again after this time: most of them have ended by then. */
const ALL_SESSIONS_EVERY_MS = 5 * 60_000
const PAGE = 10_000
/** Sessions that have ended and that somebody still sends: some 2 MB. */
const MAX_ENDED = 10_000
/** A session is visible when its transaction has ended, and is dated when that began. */
const OVERLAP = '1 minute'

const PREFIX = "('x' || substr(encode(id_hash, 'hex'), 1, 13))::bit(52)::bigint"
/** A page of all, behind `$1`. */
const ALL = `
  select ${PREFIX} as prefix, encode(id_hash, 'hex') as hash from portal_sessions
  where id_hash > decode($1, 'hex') order by id_hash limit ${PAGE}`
// By the index portal_sessions_by_end: each session ends as long after its beginning.
/** Those that have come since `$1`, and a little before. */
const RECENT = `
  select ${PREFIX} as prefix from portal_sessions
  where expires_at > $1::timestamptz + interval '${SESSION_MINUTES} minutes' - interval '${OVERLAP}'`

export function createSessionDirectory(database: Database): SessionDirectory {
  const list = createList(database)
  // A session that has ended is listed until all are read again, and longer if its row stays, as when its key was revoked.
  const ended = new LRUCache<string, true>({ max: MAX_ENDED })
  let current = Promise.resolve()
  /** The reading that begins next. Requests that come before it begins share it. */
  let next: Promise<void> | undefined

  async function readNext(): Promise<void> {
    // It may have begun before the session did.
    await current.catch(() => {})
    await sleep(Math.max(0, list.readAt + SESSIONS_EVERY_MS - performance.now()))
    next = undefined
    current = list.read()
    await current
  }

  return {
    async mayExist(sessionId) {
      const idHash = digestOf(sessionId).toString('hex')
      if (ended.has(idHash)) return false
      if (list.has(idHash)) return true
      next ??= readNext()
      await next
      return list.has(idHash)
    },
    forget(sessionId) {
      ended.set(digestOf(sessionId).toString('hex'), true)
    },
  }
}

/** The sessions as they were when they were last read. */
function createList(database: Database) {
  /** Sorted. */
  let older = new Float64Array()
  let newer: ReadonlySet<number> = new Set()
  /** On the database's clock. */
  let asOf: Date | undefined
  let allReadAt = Number.NEGATIVE_INFINITY
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  async function readAll(): Promise<void> {
    const { rows } = await database.query<{ now: Date }>('select now() as now')
    const found: number[] = []
    for (let after = ''; ; ) {
      const page = await database.query<{ prefix: number; hash: string }>(ALL, [after])
      for (const { prefix } of page.rows) found.push(prefix)
      if (page.rows.length < PAGE) break
      after = page.rows.at(-1)!.hash
    }
    older = Float64Array.from(found)
    asOf = rows[0]!.now
  }

  async function readNow(): Promise<void> {
    const from = performance.now()
    if (!asOf || from - allReadAt >= ALL_SESSIONS_EVERY_MS) {
      await readAll()
      allReadAt = from
    }
    const { rows } = await database.query<{ prefix: number }>(RECENT, [asOf])
    newer = new Set(rows.map(({ prefix }) => prefix))
    readAt = from
  }

  return {
    /** When the last reading began. */
    get readAt() {
      return readAt
    },
    /** A reading that is under way is shared. */
    read(): Promise<void> {
      reading ??= readNow().finally(() => {
        reading = undefined
      })
      return reading
    },
    /** `hash` in hexadecimal digits. */
    has(hash: string): boolean {
      const prefix = Number.parseInt(hash.slice(0, 13), 16)
      return newer.has(prefix) || includes(older, prefix)
    },
  }
}

function includes(sorted: Float64Array, wanted: number): boolean {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (sorted[middle]! < wanted) from = middle + 1
    else to = middle
  }
  return sorted[from] === wanted
}
