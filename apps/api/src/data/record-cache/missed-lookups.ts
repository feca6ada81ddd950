// Remembers lookups that found nothing, for 10 minutes. There are two layers, as in the record cache: this process's memory, and the table
// that all processes share. A miss is valid for the version of the data set that it was made from. The version in memory is at most half a
// second old, so every process finds an imported home within a second.
// Why: decisions/data/cached-miss-is-free.md

import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../infrastructure/database.ts'
import { singleFlight, singleFlights } from '../../infrastructure/platform.ts'

/** How long a miss is remembered, in milliseconds. */
const MISS_MS = 10 * 60 * 1000
/** The maximum age of the version that misses in memory are compared with, in milliseconds. */
const VERSION_MS = 500
const MAX_MEMORY = 50_000

/** The state before the provider is asked. */
export interface Before {
  /** The version of the data set, read before the provider is asked. The provider's result is not older. */
  readonly version: number
  /** The provider's result within the last 10 minutes. Absent: the provider must be asked. */
  readonly miss?: { readonly answer: unknown }
}

export interface MissedLookups {
  find(query: readonly unknown[]): Promise<Before>
  /** Remembers that the provider had nothing for the query. `version` is the one that `find` returned. */
  keep(query: readonly unknown[], version: number, answer: unknown): Promise<void>
}

interface Miss {
  readonly version: number
  readonly answer: unknown
}

interface FoundRow {
  version: number
  answer: unknown
  /** null: there is no miss of this version. */
  age_ms: number | null
}

const FIND = `
  select v.version, m.answer, extract(epoch from now() - m.missed_at)::float8 * 1000 as age_ms
  from (select coalesce((select version from data_set_version), 0) as version) v
    left join missed_lookups m on m.source = $1 and m.query = $2 and m.version = v.version
      and m.missed_at > now() - interval '10 minutes'`

const VERSION = 'select coalesce((select version from data_set_version), 0) as version'

// A crash of the database may lose the miss. Then the provider is asked once more.
const KEEP = `
  insert into missed_lookups (source, query, version, answer)
    select $1, $2, $3, $4 from set_config('synchronous_commit', 'off', true)
  on conflict (source, query) do update
    set version = excluded.version, answer = excluded.answer, missed_at = now()`

/** @param source the provider's name */
export function createMissedLookups(database: Database, source: string): MissedLookups {
  // Created on first use, because it allocates its memory at once.
  let made: LRUCache<string, Miss> | undefined
  const memory = () => (made ??= new LRUCache({ max: MAX_MEMORY, ttl: MISS_MS }))
  const finding = singleFlights<string, Before>()
  let current: { readonly version: number; readonly readAt: number } | undefined

  const reading = singleFlight(async () => {
    const readAt = performance.now()
    const { rows } = await database.query<{ version: number }>(VERSION, [], { name: 'data_set_version' })
    current = { version: rows[0]!.version, readAt }
    return current.version
  })

  /** At most VERSION_MS old. */
  async function currentVersion(): Promise<number> {
    if (current && performance.now() - current.readAt < VERSION_MS) return current.version
    return reading.run()
  }

  async function findShared(hash: Buffer, key: string): Promise<Before> {
    const readAt = performance.now()
    const { rows } = await database.query<FoundRow>(FIND, [source, hash], { name: 'find_missed' })
    const { version, answer, age_ms: ageMs } = rows[0]!
    current = { version, readAt }
    if (ageMs === null) return { version }
    memory().set(key, { version, answer: answer ?? undefined }, { ttl: Math.max(1, MISS_MS - ageMs) })
    return { version, miss: { answer: answer ?? undefined } }
  }

  return {
    async find(query) {
      const hash = hashOf(query)
      const key = hash.toString('base64')
      const remembered = made?.get(key)
      if (remembered) {
        const version = await currentVersion()
        if (remembered.version === version) return { version, miss: remembered }
        made?.delete(key)
      }
      return finding.run(key, () => findShared(hash, key))
    },

    async keep(query, version, answer) {
      const hash = hashOf(query)
      const json = answer === undefined ? null : JSON.stringify(answer)
      await database.query(KEEP, [source, hash, version, json], { name: 'keep_missed' })
      memory().set(hash.toString('base64'), { version, answer })
    },
  }
}

function hashOf(query: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(query)).digest()
}
