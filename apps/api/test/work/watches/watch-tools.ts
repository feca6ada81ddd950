// Watches over listings that a test imports, evaluated by the functions that the service itself uses.

import { type ImportOptions, importListings } from '../../../src/data/ingest/import-listings.ts'
import type { AreaSearch } from '../../../src/domain/search/area-search.ts'
import type { Database } from '../../../src/infrastructure/database/database.ts'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { evaluateStep } from '../../../src/work/watches/evaluate.ts'
import { type MinChange, WATCH_EVENTS, type WatchEventType } from '../../../src/work/watches/home-event.ts'
import { readWatchEvents } from '../../../src/work/watches/read-watches.ts'
import type { WatchPrice } from '../../../src/work/watches/report-changes.ts'
import { createWatch, type WatchTarget } from '../../../src/work/watches/watch-store.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'

export const PRICE: WatchPrice = {
  operation: 'createWatch',
  endpoint: 'watch',
  actor: 'search',
  price: 1,
}
const AREA = { west: -123, south: 47, east: -122, north: 48 }
export const FOR_SALE: AreaSearch = { status: 'for_sale', bbox: AREA }
const LIMITS = { watches: 50, matches: 10_000 }

export const home = (zpid: number, more: object = {}) => ({
  zpid: String(zpid),
  homeStatus: 'FOR_SALE',
  price: 500_000,
  latitude: 47.6,
  longitude: -122.3,
  ...more,
})
export const homes = (from: number, to: number, more: object = {}) =>
  Array.from({ length: to - from }, (_, at) => home(from + at, more))
export interface TestWatch {
  readonly accountId: string
  readonly id: string
  readonly count: number
}

export function watchTools(database: () => Database) {
  const importRecords = (records: readonly object[], options: ImportOptions = {}) =>
    importListings(database(), rowsOf(records as never[]), { source: 'mls', ...options })

  async function watch(
    watched: WatchTarget = { search: FOR_SALE },
    {
      credits = 100_000,
      events = WATCH_EVENTS,
      minChange = null,
    }: { credits?: number; events?: readonly WatchEventType[]; minChange?: MinChange | null } = {},
  ): Promise<TestWatch> {
    const { accountId, keyId } = await openAccount(database(), { plan: 'custom', credits })
    return watchFor(accountId, keyId, watched, events, minChange)
  }

  async function watchFor(
    accountId: string,
    keyId: string,
    watched: WatchTarget,
    events: readonly WatchEventType[] = WATCH_EVENTS,
    minChange: MinChange | null = null,
  ): Promise<TestWatch> {
    const created = await createWatch(
      database(),
      { accountId, keyId, name: 'Homes', watched, events, metadata: {}, minChange },
      LIMITS,
    )
    if (!created.created) throw new Error(created.because)
    return { accountId, id: created.id, count: created.count }
  }

  /** Evaluates until there is nothing left. Returns how many events that gave. */
  async function evaluate(on: Database = database()): Promise<number> {
    let events = 0
    for (let isMore = true; isMore; ) {
      const step = await evaluateStep(on, PRICE)
      events += step.events
      isMore = step.isMore
    }
    return events
  }

  async function eventsOf({ accountId, id }: TestWatch, after = 0) {
    const stored = await readWatchEvents(database(), { accountId, id, after, limit: 100_000 })
    return stored.map(({ body, ...event }) => ({ ...event, ...(JSON.parse(body) as object) }))
  }

  async function availableOf(accountId: string): Promise<number> {
    const { rows } = await database().query<{ available: number }>(
      'select balance - held as available from accounts where id = $1',
      [accountId],
    )
    return rows[0]!.available
  }

  async function usageOf(accountId: string): Promise<{ units: number; credits: number }> {
    const { rows } = await database().query<{ units: number; credits: number }>(
      `select coalesce(sum(units), 0)::float8 as units, coalesce(sum(credits_charged), 0)::float8 as credits
       from usage_rows where account_id = $1`,
      [accountId],
    )
    return rows[0]!
  }

  async function empty(): Promise<void> {
    await database().query(
      'truncate listings, listing_changes, removed_listings, watches, watch_homes, watch_events',
    )
    await database().query('update watch_progress set position = 0')
  }

  return { empty, importRecords, watch, watchFor, evaluate, eventsOf, availableOf, usageOf }
}
