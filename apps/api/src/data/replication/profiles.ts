// The requirements and limits of the servers of RESO feeds: one row for each vendor. Check a row against the vendor's documentation. Limits
// are the vendor's own; call-limiter.ts stays 20% below them.

/** A limit of the vendor: the maximum of calls, or bytes, in any period of this length. */
export interface VendorRate {
  readonly seconds: number
  readonly calls: number
  /** Bytes of the compressed bodies. */
  readonly bytes?: number
}

/** Resources that are read separately: their key, and the fields that are requested. */
export const RELATED = {
  OpenHouse: {
    key: 'OpenHouseKey',
    fields: ['ListingKey', 'OpenHouseStartTime', 'OpenHouseEndTime', 'OpenHouseStatus', 'OpenHouseType'],
  },
  Office: { key: 'OfficeKey', fields: ['OfficeName', 'OfficePhone'] },
  Member: {
    key: 'MemberKey',
    fields: ['MemberFullName', 'MemberEmail', 'MemberPreferredPhone', 'MemberStateLicense'],
  },
} as const

export type RelatedName = keyof typeof RELATED

export const RELATED_NAMES = Object.keys(RELATED) as readonly RelatedName[]

export interface Profile {
  /** The vendor's name, for people. */
  readonly vendor: string
  /** The path of the resource of listings, below the base URL. */
  readonly property: string
  /** The path for the sweep of the keys, which reads every key in its order. */
  readonly keys: string
  /** Resources that come with each listing (`$expand`). */
  readonly expand: readonly string[]
  /** Resources that are read separately, because they do not come with the listings. */
  readonly related: readonly RelatedName[]
  /** Records of a page, and keys of a page of the sweep. */
  readonly pageSize: number
  readonly keysPageSize: number
  /**
   * Whether the server sorts by (ModificationTimestamp, key) on request. If it does not, an interrupted pass whose next page is gone begins
   * again.
   */
  readonly sorts: boolean
  /**
   * Whether the server may read `$top` as the standard does, as the number of all requested records. It then names no next page after a
   * full one, and Lotline requests the rest itself.
   */
  readonly topMayLimit: boolean
  /** `reported`: the feed keeps deleted records and marks them. `swept`: they vanish, and a sweep of the keys finds them. */
  readonly deletions: 'reported' | 'swept'
  /**
   * Seconds between two sweeps. A deleted home is gone after one of them, and must be within 12 hours. A sweep of 300,000 keys is 3 to 300
   * calls, which is less than a tenth of an hour's limit.
   */
  readonly sweepEverySeconds: number
  /** Whether each query must name one originating system (`--originating-system`). */
  readonly needsOriginatingSystem: boolean
  /** The path that issues tokens, relative to the server. undefined: the operator names it with --token-url. */
  readonly tokenPath?: string
  readonly tokenScope: string
  /** Calls per second, and longer windows. */
  readonly callsPerSecond: number
  readonly windows: readonly VendorRate[]
  /**
   * The pause after a 429 without Retry-After. `hour`: no call until the next hour, since more calls would suspend the token for longer.
   * `backoff`: a minute, doubled with each refusal.
   */
  readonly after429: 'hour' | 'backoff'
  /** The vendor's terms allow links to its photos and tours. */
  readonly mediaLinks: boolean
  /** Each listing states its permitted uses in `MlgCanUse`. */
  readonly statesUses: boolean
  /** A listing may only be shown with the name of its listing office. */
  readonly requiresOffice: boolean
}

const HOUR = 3_600
const DAY = 86_400
const GB = 1_000_000_000

/** A server that follows the standard (RESO Web API Core 2.1). */
const GENERIC: Profile = {
  vendor: 'a server that follows the RESO Web API',
  property: 'Property',
  keys: 'Property',
  expand: ['Media', 'OpenHouse'],
  related: [],
  pageSize: 500,
  keysPageSize: 5_000,
  sorts: true,
  topMayLimit: true,
  deletions: 'swept',
  sweepEverySeconds: 6 * HOUR,
  needsOriginatingSystem: false,
  tokenScope: 'api',
  callsPerSecond: 10,
  windows: [{ seconds: HOUR, calls: 18_000 }],
  after429: 'backoff',
  mediaLinks: true,
  statesUses: false,
  requiresOffice: true,
}

export const PROFILES = {
  generic: GENERIC,
  // Cotality's documentation: at most 1,000 records, and 300,000 if only keys are selected. It states its limits in the headers of each
  // response.
  trestle: {
    ...GENERIC,
    vendor: 'Trestle (Cotality)',
    pageSize: 1_000,
    keysPageSize: 100_000,
    topMayLimit: false,
    tokenPath: '/trestle/oidc/connect/token',
    callsPerSecond: 3,
    windows: [{ seconds: HOUR, calls: 7_200 }],
  },
  // The replication endpoint has no limit of 10,000 records, sorts by itself, and names the next page in the Link header.
  bridge: {
    ...GENERIC,
    vendor: 'Bridge Interactive',
    property: 'Property/replication',
    keys: 'Property/replication',
    // Media are part of its listings.
    expand: [],
    related: ['OpenHouse'],
    pageSize: 2_000,
    keysPageSize: 2_000,
    sorts: false,
    topMayLimit: false,
    callsPerSecond: 4,
    windows: [{ seconds: HOUR, calls: 5_000 }],
  },
  // docs.mlsgrid.com: 2 calls a second, 7,200 an hour, 40,000 a day, 4 GB an hour; 1,000 records with $expand. A 429 suspends
  // the token. MlgCanView=false reports a deletion, for seven days.
  mlsgrid: {
    ...GENERIC,
    vendor: 'MLS Grid',
    expand: ['Media'],
    related: ['OpenHouse'],
    pageSize: 1_000,
    sorts: false,
    topMayLimit: false,
    deletions: 'reported',
    needsOriginatingSystem: true,
    callsPerSecond: 2,
    windows: [
      { seconds: HOUR, calls: 7_200, bytes: 4 * GB },
      { seconds: DAY, calls: 40_000 },
    ],
    after429: 'hour',
    // Links to its media work once, and only with the token.
    mediaLinks: false,
    statesUses: true,
  },
  // The replication host of Spark allows 1,000 records a page.
  spark: {
    ...GENERIC,
    vendor: 'Spark (FBS)',
    expand: ['Media'],
    related: ['OpenHouse'],
    pageSize: 1_000,
    keysPageSize: 1_000,
    topMayLimit: false,
    callsPerSecond: 4,
    windows: [{ seconds: HOUR, calls: 4_000 }],
  },
} as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof PROFILES

export const PROFILE_NAMES = Object.keys(PROFILES) as readonly ProfileName[]

/** Differences of a server from its profile, as the operator states them. */
export interface ProfileChanges {
  readonly profile: ProfileName
  readonly expand?: readonly string[]
  readonly related?: readonly RelatedName[]
}

/** The row of the table, with the operator's changes. */
export function profileOf({ profile, expand, related }: ProfileChanges): Profile {
  return { ...PROFILES[profile], ...(expand && { expand }), ...(related && { related }) }
}
