// The limits of imports: how much one import may change a source before a person has to decide. One table, which the guide shows.

/** `value` is a share of the homes of a source, unless the description says otherwise. */
interface Limit {
  readonly value: number
  readonly description: string
  readonly reason: string
}

export const LIMITS = {
  lost: {
    value: 0.2,
    description: 'homes that go off the market; up to 10 homes are permitted in any case',
    reason:
      'About 5% of a market changes in a day. An incomplete file or unknown status words take far more off the market.',
  },
  lostInAWeek: {
    value: 0.3,
    description: 'homes that went off the market in 7 days, less those that came',
    reason: 'Files that are cut off a little more each night stay below the limit of a single import.',
  },
  takenOver: {
    value: 0.2,
    description:
      'homes of another source that this source takes over; up to 10 homes are permitted in any case',
    reason: 'Two sources that number their homes from 1 would replace each other.',
  },
  changed: {
    value: 0.6,
    description: 'homes whose status, type, size, rooms, or position change',
    reason: 'These facts seldom change. Columns in another order change them all.',
  },
  emptied: {
    value: 0.2,
    description: 'homes that lose more than half of their main facts',
    reason: 'A file with a few columns replaces whole records.',
  },
  missing: {
    value: 0.3,
    description: 'rise of the share of homes without a position, price, address, photo, or size',
    reason: 'A column that lost its name leaves a fact empty in all rows.',
  },
  zeroPosition: {
    value: 0.05,
    description: 'rise of the share of homes at latitude 0, longitude 0',
    reason: 'No home is there. Programs write 0 for a position that they do not know.',
  },
  homeType: {
    value: 0.5,
    description: 'rise of the share of a home type',
    reason: 'A table of words that does not know the words of the file makes one type of all.',
  },
  medianPrice: {
    value: 2,
    description: 'factor by which the median price of a status rises or falls',
    reason: 'Seasons move it by up to 30%. Cents in place of dollars move it by 100.',
  },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof LIMITS
export type SourceLimits = Readonly<Record<LimitName, number>>

/** Shares of fewer homes say nothing. */
export const MIN_HOMES = 50
/** This many homes may be lost or taken over in any case. */
export const FREE_HOMES = 10
export const WINDOW_DAYS = 7
/** The median price of homes for sale in the first import of a source, in dollars. */
export const FIRST_MEDIAN = { least: 1_000, most: 20_000_000 } as const

export const DEFAULT_LIMITS = Object.fromEntries(
  Object.entries(LIMITS).map(([name, { value }]) => [name, value]),
) as SourceLimits

/** Reads limits such as `{"lost": 0.5}`. Returns them, or the reason why they cannot be used. */
export function parseLimits(json: unknown): Partial<SourceLimits> | string {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return 'limits are a JSON object'
  for (const [name, value] of Object.entries(json)) {
    if (!(name in LIMITS))
      return `there is no limit "${name}"; the limits are ${Object.keys(LIMITS).join(', ')}`
    if (typeof value !== 'number' || !(value >= 0)) return `the limit "${name}" is no number from 0 on`
    if (name === 'medianPrice' && value <= 1) return 'the limit "medianPrice" is a factor above 1'
  }
  return json as Partial<SourceLimits>
}
