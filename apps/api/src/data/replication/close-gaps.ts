// The second half of a sweep: fetches by key what the feed lists and no pass has brought, and asks by key for what is stored and not listed.

import { keysetPages } from '../../infrastructure/database.ts'
import { applyListings } from './apply-listings.ts'
import { addApplied, type FeedRun, NOTHING_APPLIED, type PageResult } from './apply-page.ts'
import { type KeyReader, MAX_KEYS } from './fetch-by-key.ts'
import { type FeedRecord, keyOf } from './reso-feed.ts'
import { renewLease, SourceFailure } from './source-store.ts'

const UNREAD_PAGE = `
  select source_key as key from source_unread_keys where source = $1 and source_key > $2 order by source_key limit ${MAX_KEYS}`
// The database keeps microseconds, and the feed may state more digits.
const EARLIEST_UNREAD = `
  select min(modified_at) - interval '1 ms' as earliest from source_unread_keys where source = $1`
const FORGET_READ = 'delete from source_unread_keys where source = $1 and source_key = any($2)'

export interface FetchedUnread {
  readonly fetched: PageResult
  /** The earliest change of the keys that are still unread, because the server cannot be asked by key. null: none is. */
  readonly earliest: string | null
}

/** Fetches the unread keys in groups. A key that the feed does not have by now is forgotten. */
export async function fetchUnread(run: FeedRun, reader: KeyReader): Promise<FetchedUnread> {
  const { database, lease } = run
  let fetched: PageResult = NOTHING_APPLIED
  for await (const keys of keyPages(run, UNREAD_PAGE, [])) {
    const records = await reader.read(keys)
    if (!records) {
      const { rows } = await database.query<{ earliest: Date | null }>(EARLIEST_UNREAD, [lease.name])
      return { fetched, earliest: rows[0]?.earliest?.toISOString() ?? null }
    }
    fetched = addApplied(fetched, await apply(run, records))
    await database.query(FORGET_READ, [lease.name, keys])
  }
  return { fetched, earliest: null }
}

const MISSING_KEYS_PAGE = `
  select source_key as key from source_records
  where source = $1 and source_key > $2 and sweep < $3 and state <> 'withdrawn' order by source_key limit ${MAX_KEYS}`
const ABSENT = `
  update source_records set absent_in_sweep = $3 where source = $1 and source_key = any($2) and sweep < $3`
const ALL_ABSENT = `
  update source_records set absent_in_sweep = $2 where source = $1 and sweep < $2 and state <> 'withdrawn'`
const COUNT_MISSING = `
  select count(*) as missing from source_records where source = $1 and sweep < $2 and state <> 'withdrawn'`

/**
 * Asks for the stored records that the sweep lacks, applies those that the feed has, and marks the others as absent.
 *
 * @throws {SourceFailure} when the server cannot be asked by key, and the operator has not allowed that many to vanish
 */
export async function askForMissing(run: FeedRun, reader: KeyReader, sweep: number): Promise<PageResult> {
  const { database, lease, allowRemovals } = run
  let fetched: PageResult = NOTHING_APPLIED
  for await (const keys of keyPages(run, MISSING_KEYS_PAGE, [sweep])) {
    const records = await reader.read(keys)
    if (!records) {
      const missing = await countMissing(run, sweep)
      if (missing > allowRemovals) throw cannotAsk(lease.name, missing)
      await database.query(ALL_ABSENT, [lease.name, sweep])
      return fetched
    }
    // Their rows have the number of the sweep from then on.
    fetched = addApplied(fetched, await apply(run, records))
    const present = new Set(records.map((record) => keyOf(record)))
    await database.query(ABSENT, [lease.name, keys.filter((key) => !present.has(key)), sweep])
  }
  return fetched
}

async function countMissing({ database, lease }: FeedRun, sweep: number): Promise<number> {
  const { rows } = await database.query<{ missing: number }>(COUNT_MISSING, [lease.name, sweep])
  return rows[0]!.missing
}

function cannotAsk(name: string, missing: number): SourceFailure {
  return new SourceFailure(
    `The feed does not list ${missing} records of the source "${name}", and its server does not answer questions by key, ` +
      'so its list may be incomplete. Nothing was withdrawn. If the list is complete, run: ' +
      `lotline sources sync ${name} --full --allow-removals ${missing}`,
  )
}

/** Pages of keys. A statement reads the page behind a key, so that a row that changes meanwhile moves no other. */
async function* keyPages(
  { database, lease }: FeedRun,
  sql: string,
  values: readonly unknown[],
): AsyncGenerator<readonly string[], void, undefined> {
  const read = async (last: string) =>
    (await database.query<{ key: string }>(sql, [lease.name, last, ...values])).rows
  for await (const rows of keysetPages('', ({ key }) => key, read)) yield rows.map(({ key }) => key)
}

async function apply(run: FeedRun, records: readonly FeedRecord[]): Promise<PageResult> {
  if (records.length > 0) {
    const applied = await applyListings(run, records, async () => {})
    if (run.entry.exceeded) throw run.entry.exceeded
    return applied
  }
  // Many questions in a row may find nothing.
  await run.database.transaction((tx) => renewLease(tx, run.lease))
  return NOTHING_APPLIED
}
