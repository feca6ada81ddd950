// Decides whether a search finds a home, from its facts in the change log. The rule is the same as in the SQL of a search
// (search-statement.ts), without the database; watches/matches.test.ts compares the two.

import {
  type AreaSearch,
  type FactsByColumn,
  FILTER_ENTRIES,
  type Filter,
  type FilterName,
  type FilterValues,
  findsUnplaced,
  type NumberRange,
  searchRegion,
  spelledWords,
  TIMED_FILTERS,
} from '../../../domain/search.ts'
import type { ListingFacts } from './change-log.ts'
import { KINDS } from './search-statement.ts'

/**
 * @throws {RangeError} for a search whose result changes with time alone (`daysOnSite`, `openHouse`): no change of a listing reports that a
 * home leaves the result
 */
export function matcherOf(search: AreaSearch): (facts: ListingFacts) => boolean {
  const timed = TIMED_FILTERS.find((name) => search[name] !== undefined)
  if (timed !== undefined) throw new RangeError(`A search by ${timed} changes without a change of a listing.`)
  const kind = KINDS[search.status]
  const region = searchRegion(search)
  const isAnywhere = findsUnplaced(search)
  const tests = FILTER_ENTRIES.flatMap(([name, filter]) =>
    search[name] === undefined ? [] : [testOf(filter, search[name])],
  )
  return (facts) =>
    facts.kind === kind &&
    isOneOf(search.zips, facts.zip) &&
    isOneOf(search.cities, facts.city) &&
    tests.every((passes) => passes(facts)) &&
    // The area takes the longest, so it is compared last.
    (isAnywhere ||
      (facts.longitude !== null &&
        facts.latitude !== null &&
        region.contains(facts.longitude, facts.latitude)))
}

/** `value` is the filter's value in the search. */
function testOf(filter: Filter, value: FilterValues[FilterName]): (facts: ListingFacts) => boolean {
  const column = filter.column as keyof FactsByColumn
  switch (filter.kind) {
    case 'range':
      return ({ [column]: fact }) => isWithin(value as NumberRange, fact as number | null)
    case 'words': {
      const words = new Set<unknown>(spelledWords(filter, value as readonly string[]))
      return ({ [column]: fact }) => words.has(fact)
    }
    case 'flag':
      return ({ [column]: fact }) => fact === value
    case 'word-flag':
      return ({ [column]: fact }) => (fact === filter.word) === value
    case 'age':
    case 'until':
      throw new RangeError('Time alone changes the result of this filter.')
  }
}

/** A listing without the value does not match a bounded range. */
function isWithin({ min, max }: NumberRange, value: number | null): boolean {
  if (min === undefined && max === undefined) return true
  return value !== null && value >= (min ?? -Infinity) && value <= (max ?? Infinity)
}

function isOneOf(asked: readonly string[] | undefined, value: string | null): boolean {
  return asked === undefined || (value !== null && asked.includes(value))
}
