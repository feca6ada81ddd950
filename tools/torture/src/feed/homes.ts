// The homes of the feed: a small data set that changes all the time. What is true of it is known from the files alone.

import type { Random } from '../random.ts'

/** A record of a file, as it is imported. */
export interface FeedHome {
  readonly zpid: string
  readonly homeStatus: 'FOR_SALE' | 'PENDING' | 'SOLD' | 'FOR_RENT' | 'OFF_MARKET'
  /** US dollars. null: the file does not say it this time. */
  readonly price: number | null
  readonly bedrooms: number
  readonly latitude: number
  readonly longitude: number
}

export const FEED_BOX = { west: -122.5, south: 47.5, east: -122.2, north: 47.8 }
const HOMES = 120
/** Homes of the first file whose changes are all reversed while their watch is paused. */
export const FLIPPED = Array.from({ length: 5 }, (_, at) => String(at + 1))
const STATUSES = ['FOR_SALE', 'FOR_SALE', 'FOR_SALE', 'PENDING', 'SOLD', 'FOR_RENT', 'OFF_MARKET'] as const

export function makeHome(zpid: string, random: Random): FeedHome {
  return {
    zpid,
    homeStatus: random.pick(STATUSES),
    price: random.chance(0.1) ? null : random.int(2, 9) * 100_000,
    bedrooms: random.int(1, 5),
    latitude: 47.5 + random.int(1, 299) / 1_000,
    longitude: -122.5 + random.int(1, 299) / 1_000,
  }
}

/** The first file. */
export function firstHomes(random: Random): FeedHome[] {
  const zpids = Array.from({ length: HOMES }, (_, at) => String(at + 1))
  return zpids.map((zpid) =>
    FLIPPED.includes(zpid)
      ? { ...makeHome(zpid, random), homeStatus: 'FOR_SALE', price: 400_000 }
      : makeHome(zpid, random),
  )
}

/** The next file: some homes with other facts, some as they are, a new one, and one that was removed before. */
export function nextHomes(homes: ReadonlyMap<string, FeedHome>, random: Random): FeedHome[] {
  const changed = [...homes.values()]
    .filter(({ zpid }) => !FLIPPED.includes(zpid) && random.chance(0.12))
    .map((home): FeedHome => {
      const next = makeHome(home.zpid, random)
      if (random.chance(0.2)) return home
      // Homes do not move. Most changes are of the price alone, as in a real feed.
      const { latitude, longitude } = home
      return random.chance(0.6)
        ? { ...home, price: next.price }
        : { ...next, latitude, longitude, ...(random.chance(0.5) && { bedrooms: home.bedrooms }) }
    })
  const missing = Array.from({ length: HOMES + 60 }, (_, at) => String(at + 1)).filter(
    (zpid) => !homes.has(zpid),
  )
  return [...changed, ...(missing.length > 0 ? [makeHome(random.pick(missing), random)] : [])]
}

/** Zpids of homes that the operator removes. */
export function removable(homes: ReadonlyMap<string, FeedHome>, random: Random): string[] {
  const zpids = [...homes.keys()].filter((zpid) => !FLIPPED.includes(zpid))
  return [...new Set([random.pick(zpids), random.pick(zpids)])]
}
