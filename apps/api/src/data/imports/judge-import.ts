// Judges the difference that an import makes: which limits it exceeds. A pure function of profiles, so that years of a market can be simulated.

import {
  DEFAULT_LIMITS,
  FIRST_MEDIAN,
  FREE_HOMES,
  type LimitName,
  MIN_HOMES,
  type SourceLimits,
} from './limits.ts'
import { MISSING, type MissingFact, type ProfileGroup, type SourceDifference } from './source-profile.ts'

/** A limit that an import exceeds. */
export interface LimitExcess {
  readonly source: string
  readonly limit: LimitName
  /** A sentence for the operator, without its period. */
  readonly text: string
}

export interface JudgeOptions {
  readonly limits?: SourceLimits
  /** This many homes may be lost in any case. */
  readonly allowRemovals?: number
  /** Homes that earlier imports of the last 7 days have lost, less those that came, the latest first. */
  readonly earlierLosses?: readonly number[]
}

const FACT_NAMES: Readonly<Record<MissingFact, string>> = {
  no_position: 'position',
  no_address: 'address',
  no_photos: 'photo',
  no_beds: 'number of bedrooms',
  no_baths: 'number of bathrooms',
  no_sqft: 'living area',
}

const KIND_NAMES: Readonly<Record<string, string>> = {
  for_sale: 'homes for sale',
  for_rent: 'homes for rent',
  recently_sold: 'sold homes',
}

/** All limits that the difference exceeds, in the order of the table of limits. Empty: the import may be applied. */
export function judgeDifference(
  { source, before, after, effects }: SourceDifference,
  { limits = DEFAULT_LIMITS, allowRemovals = 0, earlierLosses = [] }: JudgeOptions = {},
): LimitExcess[] {
  const findings: LimitExcess[] = []
  const find = (limit: LimitName, text: string) => findings.push({ source, limit, text })
  const was = sumOf(before, 'homes')
  const is = sumOf(after, 'homes')
  const onMarket = sumOf(before.filter(isOnMarket), 'homes')
  const exceeds = (homes: number, all: number, limit: LimitName) =>
    homes > FREE_HOMES && homes > limits[limit] * all

  if (effects.lost > allowRemovals && exceeds(effects.lost, onMarket, 'lost'))
    find(
      'lost',
      `${effects.lost} of the ${onMarket} homes of the source "${source}" would go off the market (${percent(effects.lost, onMarket)}; --allow-removals ${effects.lost} permits it)`,
    )
  const week = worstWeek(effects.lost - effects.gained, onMarket, earlierLosses)
  if (
    effects.lost > allowRemovals &&
    earlierLosses.length > 0 &&
    week.of >= MIN_HOMES &&
    exceeds(week.lost, week.of, 'lostInAWeek')
  )
    find(
      'lostInAWeek',
      `the imports of 7 days would take ${week.lost} of ${week.of} homes of the source "${source}" off the market (${percent(week.lost, week.of)})`,
    )
  if (exceeds(effects.takenOver, was, 'takenOver'))
    find(
      'takenOver',
      `${effects.takenOver} of the ${was} homes of the source "${source}" would be taken over by another source`,
    )
  // Homes that another source takes over leave the profile, so the shares of those that stay say nothing new.
  if (was === 0) findings.push(...judgeFirst(source, after, limits))
  if (was < MIN_HOMES || is < MIN_HOMES) return findings

  if (effects.changed > limits.changed * was)
    find(
      'changed',
      `main facts of ${effects.changed} of the ${was} homes of the source "${source}" would change`,
    )
  if (effects.emptied > limits.emptied * was)
    find(
      'emptied',
      `${effects.emptied} of the ${was} homes of the source "${source}" would lose more than half of their facts`,
    )
  const share = (groups: readonly ProfileGroup[], name: keyof ProfileGroup) =>
    sumOf(groups, name) / Math.max(1, sumOf(groups, 'homes'))
  for (const name of MISSING) {
    if (share(after, name) - share(before, name) <= limits.missing) continue
    find(
      'missing',
      `${sumOf(after, name)} of ${is} homes of the source "${source}" would have no ${FACT_NAMES[name]}`,
    )
  }
  const [priced, unpriced] = [before, after].map((groups) => withoutPrice(groups)) as [number, number]
  if (unpriced / is - priced / was > limits.missing)
    find('missing', `${unpriced} of ${is} homes of the source "${source}" would have no price`)
  if (share(after, 'zero_position') - share(before, 'zero_position') > limits.zeroPosition)
    find('zeroPosition', zeroPositions(source, after))
  for (const [type, homes] of byType(after)) {
    const rise = homes / is - (byType(before).get(type) ?? 0) / was
    if (rise > limits.homeType)
      find(
        'homeType',
        `${homes} of ${is} homes of the source "${source}" would have the type ${type || 'unknown'}`,
      )
  }
  for (const [kind, name] of Object.entries(KIND_NAMES)) {
    const [old, now] = [medianOf(before, kind), medianOf(after, kind)]
    if (old === undefined || now === undefined) continue
    const factor = now / old
    if (factor > limits.medianPrice || factor < 1 / limits.medianPrice)
      find(
        'medianPrice',
        `the median price of ${name} of the source "${source}" would go from about $${rounded(old)} to about $${rounded(now)}`,
      )
  }
  return findings
}

/** The first import of a source is compared with what no source has. */
function judgeFirst(source: string, after: readonly ProfileGroup[], limits: SourceLimits): LimitExcess[] {
  const homes = sumOf(after, 'homes')
  if (homes < MIN_HOMES) return []
  const findings: LimitExcess[] = []
  if (sumOf(after, 'zero_position') > limits.zeroPosition * homes)
    findings.push({ source, limit: 'zeroPosition', text: zeroPositions(source, after) })
  const median = medianOf(after, 'for_sale')
  if (median !== undefined && (median < FIRST_MEDIAN.least || median > FIRST_MEDIAN.most))
    findings.push({
      source,
      limit: 'medianPrice',
      text: `the median price of homes for sale of the new source "${source}" would be about $${rounded(median)}`,
    })
  return findings
}

function zeroPositions(source: string, groups: readonly ProfileGroup[]): string {
  const [zero, homes] = [sumOf(groups, 'zero_position'), sumOf(groups, 'homes')]
  return `${zero} of ${homes} homes of the source "${source}" would be at latitude 0, longitude 0`
}

/** The greatest loss over this import and some of those before it, and the homes on the market before these. */
function worstWeek(
  loss: number,
  onMarket: number,
  earlier: readonly number[],
): { readonly lost: number; readonly of: number } {
  let worst = { lost: loss, of: onMarket }
  let [lost, of] = [loss, onMarket]
  for (const one of earlier) {
    lost += one
    of += one
    if (of > 0 && lost / of > worst.lost / Math.max(1, worst.of)) worst = { lost, of }
  }
  return worst
}

function isOnMarket({ kind }: ProfileGroup): boolean {
  return kind !== 'off_market'
}

function sumOf(groups: readonly ProfileGroup[], name: keyof ProfileGroup): number {
  return groups.reduce((sum, group) => sum + (group[name] as number), 0)
}

function withoutPrice(groups: readonly ProfileGroup[]): number {
  return sumOf(
    groups.filter(({ price_step }) => price_step === -1),
    'homes',
  )
}

function byType(groups: readonly ProfileGroup[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const { home_type, homes } of groups) sums.set(home_type, (sums.get(home_type) ?? 0) + homes)
  return sums
}

/** The median price of a status in dollars, within 5%. undefined: it has too few prices. */
function medianOf(groups: readonly ProfileGroup[], kind: string): number | undefined {
  const priced = groups
    .filter((group) => group.kind === kind && group.price_step !== -1)
    .sort((one, other) => one.price_step - other.price_step)
  const all = sumOf(priced, 'homes')
  if (all < MIN_HOMES) return undefined
  let passed = 0
  for (const { price_step, homes } of priced) {
    passed += homes
    if (passed * 2 >= all) return 2 ** (price_step / 8)
  }
  return undefined
}

function percent(part: number, all: number): string {
  return `${Math.round((part / Math.max(1, all)) * 100)}%`
}

function rounded(price: number): string {
  return Number(price.toPrecision(2)).toLocaleString('en-US')
}
