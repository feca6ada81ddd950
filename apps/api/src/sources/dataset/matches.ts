// Whether a home is found by a search, judged from its facts as the change log has them. It is the same rule as the
// statement of a search (search-statement.ts), without the database; test/watches/matches.test.ts holds both together.

import { type AreaSearch, findsUnplaced, type Range, SOURCE_HOME_TYPES } from '../../search/area-search.ts'
import { regionOfSearch } from '../../search/region.ts'
import type { ListingFacts } from './change-log.ts'
import { KINDS } from './search-statement.ts'

/**
 * @throws {RangeError} for a search whose result changes with time (`daysOnSite`, `openHouse`): no change of a listing says
 * when a home leaves the result.
 */
export function matcherOf(search: AreaSearch): (facts: ListingFacts) => boolean {
  if (search.daysOnSite !== undefined || search.openHouse !== undefined)
    throw new RangeError('A search by days on site or open houses changes without a change of a listing.')
  const kind = KINDS[search.status]
  const region = regionOfSearch(search)
  const homeTypes =
    search.homeTypes && new Set<string | null>(search.homeTypes.map((type) => SOURCE_HOME_TYPES[type]))
  const saleTypes = search.saleTypes && new Set<string>(search.saleTypes)
  const isAnywhere = findsUnplaced(search)
  return (facts) =>
    facts.kind === kind &&
    isOneOf(search.zips, facts.zip) &&
    isOneOf(search.cities, facts.city) &&
    isWithin(search.price, facts.price) &&
    isWithin(search.beds, facts.beds) &&
    isWithin(search.baths, facts.baths) &&
    isWithin(search.sqft, facts.sqft) &&
    isWithin(search.yearBuilt, facts.year_built) &&
    isWithin(search.lotSize, facts.lot_size) &&
    isWithin(search.hoa, facts.hoa) &&
    (homeTypes === undefined || homeTypes.has(facts.home_type)) &&
    (saleTypes === undefined || saleTypes.has(facts.sale_type)) &&
    isAsked(search.hasPool, facts.has_pool) &&
    isAsked(search.hasGarage, facts.has_garage) &&
    isAsked(search.isWaterfront, facts.is_waterfront) &&
    isAsked(search.pending, facts.is_pending) &&
    isAsked(search.comingSoon, facts.sale_type === 'coming_soon') &&
    isAsked(search.seniorCommunity, facts.is_senior) &&
    // The area takes longest, so it is compared last.
    (isAnywhere ||
      (facts.longitude !== null &&
        facts.latitude !== null &&
        region.contains(facts.longitude, facts.latitude)))
}

/** A listing without the value does not match a bounded range. */
function isWithin(range: Range | undefined, value: number | null): boolean {
  if (range === undefined || (range.min === undefined && range.max === undefined)) return true
  return value !== null && value >= (range.min ?? -Infinity) && value <= (range.max ?? Infinity)
}

function isOneOf(asked: readonly string[] | undefined, value: string | null): boolean {
  return asked === undefined || (value !== null && asked.includes(value))
}

function isAsked(asked: boolean | undefined, is: boolean): boolean {
  return asked === undefined || asked === is
}
