// The watches of a run over the feed, each with its rule in the auditor's own words.

import { FEED_BOX, type FeedHome, FLIPPED } from './homes.ts'

const WATCH_NAMES = [
  ...(['all', 'cheap', 'available', 'large', 'list', 'removals', 'flipped', 'resumed', 'poor'] as const),
] as const
export type WatchName = (typeof WATCH_NAMES)[number]

export interface FeedWatch {
  readonly name: WatchName
  /** Of POST /v1/watches. */
  readonly body: object
  /** Whether a search, or the list, has the home. */
  readonly matches: (home: FeedHome) => boolean
  /** `each`: it reports each change. `net`: it is paused now and then, and reports the difference. `none`: all is reversed. */
  readonly reports: 'each' | 'net' | 'none'
  /** Types that it reports. Default: all. */
  readonly events?: readonly string[]
}

export type RemoteWatchName = 'area' | 'available' | 'homes'

const LISTED = Array.from({ length: 60 }, (_, at) => String(at + 1))
const search = (more: object = {}) => ({ filters: { status: 'for_sale', bbox: FEED_BOX, ...more } })
const isForSale = ({ homeStatus }: FeedHome) => homeStatus === 'FOR_SALE' || homeStatus === 'PENDING'

export const FEED_WATCHES: readonly FeedWatch[] = [
  { name: 'all', body: search(), matches: isForSale, reports: 'each' },
  {
    name: 'cheap',
    body: search({ price: { max: 500_000 } }),
    reports: 'each',
    matches: (home) => isForSale(home) && home.price !== null && home.price <= 500_000,
  },
  {
    name: 'available',
    body: search({ pending: false }),
    reports: 'each',
    matches: ({ homeStatus }) => homeStatus === 'FOR_SALE',
  },
  {
    name: 'large',
    body: search({ beds: { min: 3 } }),
    reports: 'each',
    matches: (home) => isForSale(home) && home.bedrooms >= 3,
  },
  {
    name: 'list',
    body: { zpids: LISTED },
    reports: 'each',
    matches: ({ zpid, homeStatus }) => LISTED.includes(zpid) && homeStatus !== 'OFF_MARKET',
  },
  {
    name: 'removals',
    body: { ...search(), events: ['listing.removed'] },
    reports: 'each',
    matches: isForSale,
    events: ['listing.removed'],
  },
  {
    name: 'flipped',
    body: { zpids: FLIPPED },
    reports: 'none',
    matches: ({ zpid, homeStatus }) => FLIPPED.includes(zpid) && homeStatus !== 'OFF_MARKET',
  },
  { name: 'resumed', body: search(), matches: isForSale, reports: 'net' },
  { name: 'poor', body: search(), matches: isForSale, reports: 'net' },
]

/** Of watches over a remote data source, few enough not to be doubted when the source loses them. */
const REMOTE_LISTED = Array.from({ length: 6 }, (_, at) => String(at * 5 + 1))

/** Watches over a remote data source. They report the difference of two complete searches. */
export const REMOTE_WATCHES: readonly (Pick<FeedWatch, 'body' | 'matches'> & {
  readonly name: RemoteWatchName
})[] = [
  { name: 'area', body: search(), matches: isForSale },
  {
    name: 'available',
    body: search({ pending: false }),
    matches: ({ homeStatus }) => homeStatus === 'FOR_SALE',
  },
  {
    name: 'homes',
    body: { zpids: REMOTE_LISTED },
    matches: ({ zpid, homeStatus }) => REMOTE_LISTED.includes(zpid) && homeStatus !== 'OFF_MARKET',
  },
]
