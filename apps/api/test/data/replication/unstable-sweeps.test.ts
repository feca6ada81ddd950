// Random sweeps over servers whose pages of keys overlap and leave gaps: none withdraws a home that the feed has, and each withdraws every
// home that it does not have.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { FeedRun } from '../../../src/data/replication/apply-page.ts'
import { PROFILES } from '../../../src/data/replication/profiles.ts'
import { listingReader } from '../../../src/data/replication/run-source.ts'
import { readAbilities } from '../../../src/data/replication/server-abilities.ts'
import { claimSource, type ResoSettings } from '../../../src/data/replication/source-store.ts'
import { sweepKeys } from '../../../src/data/replication/sweep-keys.ts'
import { openUpstream, type Upstream } from '../../../src/data/replication/upstream.ts'
import type { ServerOptions } from '../../setup/reso-server/start.ts'
import { feedListing, feedListings } from './feed-records.ts'
import { withFeed } from './with-feed.ts'

const isFull = process.env.LOTLINE_FULL === '1'
const SWEEPS = isFull ? 1_000 : 100
const HOMES = 60
vi.setConfig({ testTimeout: isFull ? 1_800_000 : 300_000 })

const { test, feed, connect, sync } = withFeed()
/** No limit paces the calls. */
const PROFILE = { ...PROFILES.generic, callsPerSecond: 1_000_000, windows: [] }
let upstream: Upstream | undefined

beforeEach(() => {
  upstream = openUpstream({
    database: test.database,
    url: feed.url,
    credential: { kind: 'none' },
    profile: PROFILE,
  })
})
afterEach(() => upstream!.close())

let state = 35
/** A whole number from 0 to below `below`, the same in each run of the test. */
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}
const pick = <T>(values: readonly T[]): T => values[random(values.length)]!

function habits(): ServerOptions {
  return {
    position: 'skip',
    maxPage: 5 + random(20),
    skipsWrongBy: random(8),
    byKey: [pick(['in', 'or', 'address'] as const)],
    ...pick([{}, { refusesKeyRanges: true }, { ignoresKeyRanges: true }]),
    ...(random(4) === 0 && { ignoresSkip: true }),
    ...(random(4) === 0 && { alternatesEmptyPages: true }),
  }
}

async function feedRun(): Promise<FeedRun> {
  await test.database.query(
    `update connected_sources set lease_token = null, lease_until = null, server_abilities = '{}'`,
  )
  const { source, lease } = (await claimSource(test.database, 'metro'))!
  const settings = source.settings as ResoSettings
  return {
    database: test.database,
    lease,
    upstream: upstream!,
    settings,
    profile: PROFILE,
    toListing: listingReader('metro', settings, PROFILE),
    signal: new AbortController().signal,
    full: false,
    sweepIsDue: true,
    maySweepForSurplus: true,
    abilities: await readAbilities(test.database, 'metro'),
    allowRemovals: 0,
    onPage: () => {},
    entry: { id: undefined, start: new Map(), mode: 'judged' },
  }
}

async function keysOfKind(isOffMarket: boolean): Promise<string[]> {
  const { rows } = await test.database.query<{ key: string }>(
    `select i.source_key as key from listings l join record_identities i on i.zpid = l.zpid and i.source = l.source
     where l.source = 'metro' and i.source_key <> l.zpid and (l.kind = 'off_market') = $1 order by 1`,
    [isOffMarket],
  )
  return rows.map(({ key }) => key)
}

it(`withdraws no live home in ${SWEEPS} random sweeps, and every home that is gone`, async () => {
  const live = new Set(feedListings(HOMES).map(({ ListingKey }) => ListingKey))
  await feed.put(feedListings(HOMES))
  await connect()
  await sync()
  for (let sweep = 1; sweep <= SWEEPS; sweep++) {
    await feed.seed(sweep)
    const server = habits()
    await feed.behave(server)
    const gone = [...live].filter(() => random(40) === 0).slice(0, live.size - 10)
    const back = feedListings(HOMES).filter(({ ListingKey }) => !live.has(ListingKey) && random(3) === 0)
    await feed.delete(gone)
    await feed.put(back)
    for (const key of gone) live.delete(key)
    for (const { ListingKey } of back) live.add(ListingKey)
    const known = new Set(await keysOfKind(false))
    // While the sweep is under way, one home is deleted, and a new one appears.
    const late = random(3) === 0 ? pick([...live]) : undefined
    const changes =
      late === undefined
        ? undefined
        : feed.delete([late]).then(() => feed.put([feedListing(HOMES + sweep), feedListing(0)]))
    const run = await feedRun()
    await sweepKeys(run, null, async () => {})
    await changes
    if (late !== undefined) live.delete(late)
    live.add(feedListing(0).ListingKey)
    if (late !== undefined) live.add(feedListing(HOMES + sweep).ListingKey)
    const withdrawn = (await keysOfKind(true)).filter((key) => live.has(key) && known.has(key))
    expect([sweep, server, withdrawn.filter((key) => key !== 'M000000')]).toEqual([sweep, server, []])
    const kept = (await keysOfKind(false)).filter((key) => !live.has(key) && key !== late)
    expect([sweep, server, kept]).toEqual([sweep, server, []])
    // So that the number of homes stays as it is.
    if (late !== undefined) {
      await feed.delete([feedListing(HOMES + sweep).ListingKey])
      live.delete(feedListing(HOMES + sweep).ListingKey)
    }
  }
})
