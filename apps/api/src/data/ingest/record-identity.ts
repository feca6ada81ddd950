// Which home a row is, where the source has ids of its own and no zpids: a row without `zpid` names its record by
// `sourceKey`, and the table record_identities knows the zpid of (source, sourceKey). A key that is new gets a zpid, which
// it keeps for ever: it is found again by the next import, and never given to another home.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { isObject } from '../../domain/record.ts'
import type { Queryable } from '../../infrastructure/database.ts'
import { identifyRecords } from '../sources/record-identities.ts'
import { contentOf, type SourceRow, type SourceRows } from './source-row.ts'

/** Characters of a source key. */
const MAX_SOURCE_KEY_LENGTH = 200

// Rows of one query. With more of them the database would wait while they are made, and then the process for the database.
const ROWS_AT_A_TIME = 50
// Between two of them answers of the database are taken, and what waits is sent.
const ROWS_BETWEEN_PAUSES = 10

// Only one import runs at a time, but each statement sees only what was there when it began: a key that another
// connection has just identified is found when the statement is repeated.
const FIND_OR_ASSIGN = `
  with given as (
    select distinct source, key from unnest($1::text[], $2::text[]) as given (source, key)
  ), known as (
    select i.source, i.source_key, i.zpid from given join record_identities i on i.source = given.source and i.source_key = key
  ), assigned as (
    ${identifyRecords(`select source, key, assign_zpid() from given
      where not exists (select from known where known.source = given.source and known.source_key = given.key)`)}
    returning source, source_key, zpid
  )
  select source, source_key as key, zpid from known union all select source, source_key, zpid from assigned`

interface IdentityRow {
  readonly source: string
  readonly key: string
  readonly zpid: string
}

/**
 * The rows in their order, each with a zpid if it has a usable `zpid` or `sourceKey`. They are given as they come, one or
 * several at a time, or as many as one query has identified. While the database looks for the zpids of some, the next are
 * read, which for a feed means made.
 */
export async function* identifyRows(
  tx: Queryable,
  rows: SourceRows,
  sourceOf: (row: SourceRow) => string,
): AsyncGenerator<readonly SourceRow[]> {
  let waiting: SourceRow[] = []
  /** Those that were asked about and not given yet. */
  let asked: Promise<readonly SourceRow[]> | undefined

  function ask(count: number): void {
    asked = identify(tx, waiting.slice(0, count), sourceOf)
    // Awaited later: until then a failure must not count as unhandled.
    asked.catch(() => {})
    waiting = waiting.slice(count)
  }

  async function* rest(): AsyncGenerator<readonly SourceRow[]> {
    const before = asked
    asked = undefined
    if (before !== undefined) yield await before
    if (waiting.length > 0) yield await identify(tx, waiting, sourceOf)
  }

  try {
    for await (const some of rows) {
      const given: readonly SourceRow[] = 'line' in some ? [some] : some
      // Rows that name a zpid pass at once, unless an earlier row waits.
      if (!asked && waiting.length === 0 && given.every((row) => keyOf(row) === undefined)) {
        yield given
        continue
      }
      waiting = waiting.concat(given)
      if (waiting.length % ROWS_BETWEEN_PAUSES === 0) await nextTurn()
      while (waiting.length >= ROWS_AT_A_TIME) {
        const before = asked
        ask(ROWS_AT_A_TIME)
        // Before that nothing is sent.
        await nextTurn()
        if (before !== undefined) yield await before
      }
    }
    yield* rest()
  } catch (error) {
    // What rows that wait forbid to show is followed also if the import fails.
    try {
      yield* rest()
    } catch {
      // The first error counts.
    }
    throw error
  } finally {
    // The caller may go on with the transaction, or end it.
    await Promise.allSettled([asked])
  }
}

async function identify(
  tx: Queryable,
  rows: readonly SourceRow[],
  sourceOf: (row: SourceRow) => string,
): Promise<readonly SourceRow[]> {
  const keyed = rows.flatMap((row) => {
    const key = keyOf(row)
    return key === undefined || typeof key === 'object' ? [] : [{ source: sourceOf(row), key }]
  })
  const zpids = await findZpids(tx, keyed)
  return rows.map((row) => {
    const key = keyOf(row)
    if (key === undefined) return row
    const { sourceKey: _key, ...rest } = contentOf(row) as Record<string, unknown>
    if ('fault' in row) {
      if (typeof key === 'object') return row
      return { ...row, partial: { ...rest, zpid: zpids.get(identityOf(sourceOf(row), key)) } }
    }
    const { record: _record, ...place } = row
    if (typeof key === 'object') return { ...place, ...key }
    return { ...place, record: { ...rest, zpid: zpids.get(identityOf(sourceOf(row), key)) } }
  })
}

async function findZpids(
  tx: Queryable,
  keyed: readonly { readonly source: string; readonly key: string }[],
): Promise<ReadonlyMap<string, string>> {
  const zpids = new Map<string, string>()
  for (let missing = keyed; missing.length > 0; ) {
    const { rows } = await tx.query<IdentityRow>(FIND_OR_ASSIGN, [
      missing.map(({ source }) => source),
      missing.map(({ key }) => key),
    ])
    for (const { source, key, zpid } of rows) zpids.set(identityOf(source, key), zpid)
    missing = missing.filter(({ source, key }) => !zpids.has(identityOf(source, key)))
  }
  return zpids
}

/** Neither part can have a line break. */
function identityOf(source: string, key: string): string {
  return `${source}\n${key}`
}

/** The key of a row that has no zpid, or what is wrong with it; undefined: the row is not identified by a key. */
function keyOf(row: SourceRow): string | { readonly fault: string } | undefined {
  const content = contentOf(row)
  if (!isObject(content)) return undefined
  const { zpid, sourceKey } = content
  if ((zpid !== undefined && zpid !== null) || sourceKey === undefined || sourceKey === null) return undefined
  // A greater number has lost its last digits when it was read.
  const key = Number.isSafeInteger(sourceKey) ? String(sourceKey) : sourceKey
  if (typeof key === 'string' && isUsable(key.trim())) return key.trim()
  return {
    fault: `has no usable sourceKey (a string of 1 to ${MAX_SOURCE_KEY_LENGTH} characters without control characters)`,
  }
}

function isUsable(key: string): boolean {
  return key !== '' && key.length <= MAX_SOURCE_KEY_LENGTH && key.isWellFormed() && !/\p{Cc}/u.test(key)
}
