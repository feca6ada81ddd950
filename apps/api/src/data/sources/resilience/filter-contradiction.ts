// Decides whether a row of a source contradicts the filters of its search. Only a value that the row has can contradict: sources may omit
// any field, and they may know more than the row shows. Boxes and statuses are judged elsewhere, because they also hold for rows that are
// no homes.

import type { Property } from '@lotline/contract'
import type { UncheckedFields } from '../../../domain/record.ts'
import {
  type AreaSearch,
  type DaysOnSite,
  FILTER_ENTRIES,
  type Filter,
  type FilterName,
  type FilterValues,
  type NumberRange,
  spelledWords,
} from '../../../domain/search.ts'

const DAY_MS = 86_400_000

/**
 * The tolerance between the source's clock and ours, and between a date and an instant: a home that was listed a little too early, or an
 * open house that has just ended, contradicts nothing.
 */
const TOLERANCE_MS = DAY_MS

/**
 * The first filter that a row contradicts, as a fault: `does not match the filter lotSize`. undefined: none. The own record of a building
 * represents its units, which it does not describe, so it contradicts no filter.
 */
export function contradictionOf(record: Property, search: AreaSearch, now: Date): string | undefined {
  const unchecked: UncheckedFields = record
  if (unchecked.isBuilding === true) return undefined
  for (const [name, filter] of FILTER_ENTRIES) {
    const value = search[name]
    if (value !== undefined && contradicts(unchecked, filter, value, now))
      return `does not match the filter ${name}`
  }
  return undefined
}

/** `value` is the filter's value in the search. */
function contradicts(
  record: UncheckedFields,
  filter: Filter,
  value: NonNullable<FilterValues[FilterName]>,
  now: Date,
): boolean {
  switch (filter.kind) {
    case 'range': {
      const { min = -Infinity, max = Infinity } = value as NumberRange
      const fact = filter.read(record)
      return fact !== null && (fact < min || fact > max)
    }
    case 'words': {
      const word = filter.says(record)
      return word !== null && !spelledWords(filter, value as readonly string[]).includes(word)
    }
    case 'flag':
    case 'word-flag': {
      const fact = filter.says(record)
      return fact !== null && fact !== value
    }
    case 'age': {
      const at = filter.read(record)
      return at !== null && Date.parse(at) < earliest(value as DaysOnSite, now).getTime() - TOLERANCE_MS
    }
    case 'until': {
      if (!filter.isSaid(record)) return false
      const until = filter.read(record)
      const untilMs = until === null ? -Infinity : Date.parse(until)
      return value ? untilMs < now.getTime() - TOLERANCE_MS : untilMs > now.getTime() + TOLERANCE_MS
    }
  }
}

function earliest(age: DaysOnSite, now: Date): Date {
  const at = new Date(now)
  const months = /^(\d+)m$/.exec(age)?.[1]
  if (months === undefined) {
    at.setUTCDate(at.getUTCDate() - Number(age))
    return at
  }
  const day = at.getUTCDate()
  at.setUTCMonth(at.getUTCMonth() - Number(months))
  // In a shorter month the 31st becomes the last day.
  if (at.getUTCDate() !== day) at.setUTCDate(0)
  return at
}
