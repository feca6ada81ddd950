// Assigns zpids to rows of sources that have ids of their own: a row without `zpid` names its record by `sourceKey`, and the table
// record_identities maps (source, sourceKey) to a zpid. A new key gets a new zpid and keeps it: the next import finds it again, and no
// other home ever gets it.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { isObject } from '../../domain/record.ts'
import type { Queryable } from '../../infrastructure/database.ts'
import { identifyRecords } from '../sources/record-identities.ts'
import { contentOf, type SourceRow, type SourceRows } from './source-row.ts'

/** Maximum characters of a source key. */
const MAX_SOURCE_KEY_LENGTH = 200

// Rows of one query. With more rows, the process and the database would wait for each other in turn.
const ROWS_AT_A_TIME = 50
// Between two pauses, results of the database are received and queries are sent.
const ROWS_BETWEEN_PAUSES = 10

// Only one import runs at a time, but each statement sees only what existed when it began. A key that another connection has just
// identified is found when the statement is repeated.
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
 * The rows in their order, each with a zpid if it has a usable `zpid` or `sourceKey`. They are yielded one by one, several at a time, or as
 * many as one query has identified. While the database identifies some rows, the next ones are read.
 */
export async function* identifyRows(
  tx: Queryable,
  rows: SourceRows,
  sourceOf: (row: SourceRow) => string,
): AsyncGenerator<readonly SourceRow[]> {
  let waiting: SourceRow[] = []
  /** Rows that were sent to the database and not yielded yet. */
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
      // Rows with a zpid pass immediately, unless an earlier row waits.
      if (!asked && waiting.length === 0 && given.every((row) => keyOf(row) === undefined)) {
        yield given
        continue
      }
      waiting = waiting.concat(given)
      if (waiting.length % ROWS_BETWEEN_PAUSES === 0) await nextTurn()
      while (waiting.length >= ROWS_AT_A_TIME) {
        const before = asked
        ask(ROWS_AT_A_TIME)
        // The query is sent in this pause.
        await nextTurn()
        if (before !== undefined) yield await before
      }
    }
    yield* rest()
  } catch (error) {
    // The restrictions of rows that wait are applied even if the import fails.
    try {
      yield* rest()
    } catch {
      // The first error counts.
    }
    throw error
  } finally {
    // The caller may continue or end the transaction.
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

/** Neither part can contain a line break. */
function identityOf(source: string, key: string): string {
  return `${source}\n${key}`
}

/** The key of a row without zpid, or its fault. undefined: the row is not identified by a key. */
function keyOf(row: SourceRow): string | { readonly fault: string } | undefined {
  const content = contentOf(row)
  if (!isObject(content)) return undefined
  const { zpid, sourceKey } = content
  if ((zpid !== undefined && zpid !== null) || sourceKey === undefined || sourceKey === null) return undefined
  // A greater number has lost its last digits when it was parsed.
  const key = Number.isSafeInteger(sourceKey) ? String(sourceKey) : sourceKey
  if (typeof key === 'string' && isUsable(key.trim())) return key.trim()
  return {
    fault: `has no usable sourceKey (a string of 1 to ${MAX_SOURCE_KEY_LENGTH} characters without control characters)`,
  }
}

function isUsable(key: string): boolean {
  return key !== '' && key.length <= MAX_SOURCE_KEY_LENGTH && key.isWellFormed() && !/\p{Cc}/u.test(key)
}
