// Watches over a remote data source: their events follow from the homes that the source had in each complete search, whatever
// failed or was killed in between. The rules are the auditor's own; @lotline/api/watch-oracle compares two data sets.

import { createOracle, type DataSet, type ExpectedEvent } from '@lotline/api/watch-oracle'
import type { FeedHome } from '../../feed/homes.ts'
import { REMOTE_WATCHES } from '../../feed/watches.ts'
import type { Check } from '../check.ts'
import { canonical, comparable, isSame } from './watches.ts'

type RemoteWatch = (typeof REMOTE_WATCHES)[number]

/** A search that misses more homes than both of these is not believed until the next one. */
const DOUBTED_HOMES = 10
const DOUBTED_SHARE = 0.2

/**
 * What a watch believes after each complete search: a home that was missed once is still there as it was, and after a search that
 * misses many at once, everything is.
 */
function beliefsOf(searches: readonly (readonly FeedHome[])[], { matches }: RemoteWatch): DataSet[] {
  const beliefs: DataSet[] = []
  let missed = new Set<string>()
  let records = new Map<string, FeedHome>()
  let found = new Set<string>()
  for (const [at, homes] of searches.entries()) {
    const present = new Map(homes.filter(matches).map((home) => [home.zpid, home]))
    const missing = [...found].filter((zpid) => !present.has(zpid))
    const newly = missing.filter((zpid) => !missed.has(zpid))
    const isDoubted = newly.length > DOUBTED_HOMES && newly.length > DOUBTED_SHARE * found.size
    if (at === 0) {
      records = new Map(present)
      found = new Set(present.keys())
    } else if (!isDoubted) {
      const seen = new Map(homes.map((home) => [home.zpid, home]))
      const gone = missing.filter((zpid) => missed.has(zpid))
      records = new Map([...records, ...present])
      for (const zpid of gone) {
        const withdrawn: FeedHome = { ...records.get(zpid)!, homeStatus: 'OFF_MARKET', price: null }
        records.set(zpid, seen.get(zpid) ?? withdrawn)
      }
      found = new Set([...present.keys(), ...newly])
    }
    missed = new Set(isDoubted ? missing : newly)
    beliefs.push({ records: new Map(records) as unknown as DataSet['records'], found: new Set(found) })
  }
  return beliefs
}

/** A source that does not say when a home was listed: it entered the filters. */
function withoutListing({ type, reason, ...event }: ExpectedEvent): ExpectedEvent {
  return {
    ...event,
    type,
    ...(type === 'listing.new' ? { reason: 'entered_filters' } : reason && { reason }),
  }
}

/** Removed only after two searches, nothing after one that failed, each event numbered and charged once. */
export const eventsAreCompleteSearches: Check = ({ feed: { records, remote } }, tell) => {
  const searches = records.remoteSearch.map(({ homes }) => homes)
  const { ids } = records.remoteCreated[0]!
  let looked = 0
  for (const watch of REMOTE_WATCHES) {
    const { name } = watch
    const seen = records.remoteEvents.filter((page) => page.name === name).flatMap(({ events }) => events)
    const [baseline, ...beliefs] = beliefsOf(searches, watch)
    const { filters } = watch.body as { filters?: { pending?: boolean } }
    const expect = createOracle(baseline!, filters?.pending !== false)
    const due = beliefs.flatMap((belief) => expect(belief)).map(withoutListing)
    looked += due.length
    for (let at = 0; at < Math.max(due.length, seen.length); at++) {
      const read = seen[at]
      const event = read && comparable(read)
      if (isSame(due[at], event) && read?.seq === at + 1) continue
      tell(
        `watch ${name}, event ${at + 1}: due ${canonical(due[at] ?? null)}, has ${canonical(event ?? null)}`,
      )
      break
    }
    const believed = beliefs.at(-1)!
    const known = remote.homes.filter((home) => home.watch_id === ids[name])
    for (const { zpid } of known) if (!believed.found.has(zpid)) tell(`watch ${name} has home ${zpid}`)
    if (known.length !== believed.found.size)
      tell(`watch ${name} has ${known.length} homes, due ${believed.found.size}`)
  }
  const rows = remote.usage.filter(({ endpoint }) => endpoint === 'watch')
  const charged = rows.filter(({ units, credits_charged }) => units === 1 && credits_charged === 1)
  if (rows.length !== remote.events.length || charged.length !== rows.length)
    tell(`${remote.events.length} events have ${rows.length} usage rows, ${charged.length} of 1 credit`)
  return looked
}
