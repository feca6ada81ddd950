// Which keys exist, in memory, to tell a guessed key from a real one without a query. It is read when somebody
// guesses keys and not before. It holds the first 52 bits of each key's hash, 8 bytes a key, so a guess passes for a
// real key once in billions; the database then says what it is.

import type { Database } from '../database/database.ts'

export interface KeyDirectory {
  /** False: no such key was ever issued, up to a second ago. `keyHash` is what `hashOf` returns. */
  mayExist(keyHash: string): Promise<boolean>
  /** The same without waiting. True: no such key was ever issued, up to a second ago. False: it may exist, or the directory is too old to tell. */
  isAbsent(keyHash: string): boolean
}

const READ_EVERY_MS = 1_000
/** `isAbsent` has it read again from this age on, so that under an attack it is never too old to tell. */
const REFRESH_AFTER_MS = 400
const PAGE = 10_000
/** A key is visible when its transaction has ended, and is dated when that began. */
const OVERLAP = '1 minute'

const PREFIX = `('x' || substr(encode(hash, 'hex'), 1, 13))::bit(52)::bigint`
const ALL = `
  select ${PREFIX} as prefix, encode(hash, 'hex') as hash from api_keys
  where hash > decode($1, 'hex') order by hash limit ${PAGE}`
// By the indexes api_keys_by_age and api_keys_by_token_age: a refresh replaces the text of a connector's key.
const NEW = `
  select ${PREFIX} as prefix from api_keys
  where created_at > $1::timestamptz - interval '${OVERLAP}'
  union all
  select ${PREFIX} as prefix from api_keys
  where token_issued_at > $1::timestamptz - interval '${OVERLAP}'`

export function createKeyDirectory(database: Database): KeyDirectory {
  /** Sorted. */
  let older = new Float64Array()
  let newer: ReadonlySet<number> = new Set()
  /** On the database's clock. */
  let asOf: Date | undefined
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

  async function read(): Promise<void> {
    const from = performance.now()
    if (!asOf) await readAll()
    const { rows } = await database.query<{ prefix: number }>(NEW, [asOf])
    newer = new Set(rows.map(({ prefix }) => prefix))
    readAt = from
  }

  function readOnce(): Promise<void> {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }

  function isListed(keyHash: string): boolean {
    const prefix = Number.parseInt(keyHash.slice(0, 13), 16)
    return newer.has(prefix) || includes(older, prefix)
  }

  return {
    async mayExist(keyHash) {
      if (performance.now() - readAt >= READ_EVERY_MS) await readOnce()
      return isListed(keyHash)
    },
    isAbsent(keyHash) {
      const age = performance.now() - readAt
      // A call that finds it too old waits for the reading, and fails if it fails.
      if (age >= REFRESH_AFTER_MS && asOf) readOnce().catch(() => {})
      return age < READ_EVERY_MS && !isListed(keyHash)
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
