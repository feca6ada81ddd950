// Reads one line of words from left to right as house number, street, unit, and the rest: a city, if no comma precedes it. Each
// part is returned in its normal spelling. No list of places is used, so a street without a suffix cannot be distinguished from
// a city without a comma.

import {
  DIRECTION_CITIES,
  DIRECTIONS,
  ENDING_SUFFIXES,
  LATE_UNIT_DESIGNATORS,
  NAME_WORDS,
  NAMED_UNITS,
  NUMBER_WORDS,
  NUMBERED_SUFFIXES,
  PUBLIC_ROADS,
  SUFFIXES,
  UNIT_DESIGNATORS,
} from './street-words.ts'

export interface StreetLine {
  readonly number: string
  readonly street: string
  readonly unit?: string
  /** The words behind street and unit. */
  readonly rest: readonly string[]
}

const HOUSE_NUMBER_PATTERN = /^(?:\d[\dA-Z]*(?:[-./]\d*[A-Z]{0,2})*|[NSEW]\d+(?:[NSEW]\d+)?)$/
const ORDINAL_PATTERN = /^\d+(?:ST|ND|RD|TH)$/

/** Whether a line begins with a house number and has more words. */
export function beginsWithNumber(words: readonly string[]): boolean {
  return words.length > 1 && houseNumber(words) !== undefined
}

/** undefined: there is no house number, or no street after it. */
export function readStreetLine(words: readonly string[], cityMayFollow: boolean): StreetLine | undefined {
  const number = houseNumber(words)
  if (!number) return undefined
  const tail = words.slice(number.words)
  const end = endOfStreet(tail, cityMayFollow)
  const street = normalizeStreet(tail.slice(0, end))
  if (!/[A-Z]/.test(street)) return undefined
  const { unit, rest } = readUnit(tail.slice(end), cityMayFollow)
  return { number: number.text, street, rest, ...(unit === undefined ? {} : { unit }) }
}

/** Takes a unit from the front of `words`. If no city may follow, it takes all words. */
export function readUnit(
  words: readonly string[],
  cityMayFollow: boolean,
): { readonly unit?: string; readonly rest: readonly string[] } {
  const end = cityMayFollow ? endOfUnit(words) : words.length
  const unit = normalizeUnit(words.slice(0, end))
  return { rest: words.slice(end), ...(unit === '' ? {} : { unit }) }
}

/**
 * Whether a whole line is a unit: `APT 4`, `# 4`, `18DE`, `PH-B`, `B`. With `beforeCity` another line is the city, so more forms count:
 * `LL-A`, `RES`, `TER A`.
 */
export function isUnitLine(words: readonly string[], beforeCity: boolean): boolean {
  const [first = '', second] = words
  if (first === '#' || UNIT_DESIGNATORS.has(first) || NAMED_UNITS.has(first)) return true
  if (LATE_UNIT_DESIGNATORS.has(first) && second !== undefined && isUnitValue(second)) return true
  if (/\d|^PH(?:-?[A-Z]{1,2})?$/.test(first) || words.every((word) => /^[A-Z]{1,2}$/.test(word))) return true
  if (!beforeCity) return false
  const last = words.at(-1) ?? ''
  return (
    words.every((word) => /^[A-Z]{1,3}$/.test(word)) || (words.length < 4 && /^[A-Z]$|-[A-Z]$|\d/.test(last))
  )
}

function houseNumber(
  words: readonly string[],
): { readonly text: string; readonly words: number } | undefined {
  const [first = '', second = ''] = words
  const text = NUMBER_WORDS.get(first) ?? first
  if (!HOUSE_NUMBER_PATTERN.test(text) || ORDINAL_PATTERN.test(text)) return undefined
  const number = text.replace(/^0+(?=\d)/, '')
  return /^\d\/\d$/.test(second) ? { text: `${number} ${second}`, words: 2 } : { text: number, words: 1 }
}

function endOfStreet(words: readonly string[], cityMayFollow: boolean): number {
  const named = endOfName(words)
  for (let at = 1, suffixSeen = named > 0; at < words.length; at++) {
    if (beginsUnit(words, at, suffixSeen)) return at
    if (at < named || !endsStreet(words, at)) continue
    suffixSeen = true
    const end = endOfSuffixes(words, at, cityMayFollow)
    const next = words[end]
    if (next === undefined || isBareUnit(words, end)) return end
    if (cityMayFollow && !beginsUnit(words, end, true)) return end
  }
  return cityMayFollow && named > 0 ? named : words.length
}

/** The number of words of a street whose name has no suffix after it: BROADWAY, AVENUE B, HIGHWAY 98, US 80. 0: no such street. */
function endOfName([first = '', second = '']: readonly string[]): number {
  if (first === 'BROADWAY') return 1
  const suffix = SUFFIXES.get(first) ?? first
  if (suffix === 'AVE' && /^[A-Z]$/.test(second)) return 2
  return /\d/.test(second) && (NUMBERED_SUFFIXES.has(suffix) || suffix === 'RD' || suffix === 'US') ? 2 : 0
}

/** The index of the first word after the suffix at `at`, further suffixes, and a direction. */
function endOfSuffixes(words: readonly string[], at: number, cityMayFollow: boolean): number {
  let end = at + 1
  while (end < words.length && endsStreet(words, end)) end++
  if (isNumbered(words, end)) end++
  const next = words[end] ?? ''
  const direction = DIRECTIONS.get(next)
  if (direction === undefined || beginsUnit(words, end, true)) return end
  if (cityMayFollow && DIRECTION_CITIES.has(`${next} ${words[end + 1] ?? ''}`)) return end
  const second = DIRECTIONS.get(words[end + 1] ?? '')
  return second !== undefined && /^[NS][EW]$/.test(direction + second) ? end + 2 : end + 1
}

function endsStreet(words: readonly string[], at: number): boolean {
  const suffix = SUFFIXES.get(words[at] ?? '')
  if (at === 0 || suffix === undefined) return false
  if (!ENDING_SUFFIXES.has(suffix)) return isNumbered(words, at + 1)
  if (suffix !== 'ST' || words[at] === 'STREET') return true
  // "N St Marks Pl": after a direction or another suffix, ST means Saint, unless the street ends there.
  const before = words[at - 1] ?? ''
  const mayBeSaint = at === 1 ? DIRECTIONS.has(before) : ENDING_SUFFIXES.has(SUFFIXES.get(before) ?? '')
  const after = words[at + 1]
  return !mayBeSaint || after === undefined || DIRECTIONS.has(after) || beginsUnit(words, at + 1, true)
}

/** Whether the word is the number of the highway or road before it. */
function isNumbered(words: readonly string[], at: number): boolean {
  const suffix = SUFFIXES.get(words[at - 1] ?? '') ?? ''
  const isPublic = suffix === 'RD' && (at === 1 || PUBLIC_ROADS.has(words[at - 2] ?? ''))
  return (isPublic || NUMBERED_SUFFIXES.has(suffix)) && /\d/.test(words[at] ?? '')
}

function beginsUnit(words: readonly string[], at: number, suffixSeen: boolean): boolean {
  const word = words[at] ?? ''
  const next = words[at + 1]
  if (word === '#') return true
  if (UNIT_DESIGNATORS.has(word)) return next === undefined || isUnitValue(next)
  if (!suffixSeen) return false
  if (NAMED_UNITS.has(word)) return next === undefined || isUnitValue(next)
  if (LATE_UNIT_DESIGNATORS.has(word)) return next !== undefined && /\d|^[A-Z]$/.test(next)
  return false
}

/** `4B` in "Main St 4B" and `C` in "Main St C". */
function isBareUnit(words: readonly string[], at: number): boolean {
  const word = words[at] ?? ''
  return /\d|^[A-Z]$/.test(word) && !DIRECTIONS.has(word) && !isNumbered(words, at)
}

function isUnitValue(word: string): boolean {
  if (word === '#' || /\d/.test(word) || UNIT_DESIGNATORS.has(word) || NAMED_UNITS.has(word)) return true
  return /^[A-Z]{1,2}$/.test(word) && !SUFFIXES.has(word)
}

/** The number of words of a unit that a city may follow. Its value continues with digits and single letters, which no city has. */
function endOfUnit(words: readonly string[]): number {
  let end = 0
  for (const [at, word] of words.entries()) {
    const designates = word === '#' || UNIT_DESIGNATORS.has(word) || LATE_UNIT_DESIGNATORS.has(word)
    const before = words[at - 1] ?? ''
    const isValue =
      before === '#' || UNIT_DESIGNATORS.has(before) ? before === '#' || isUnitValue(word) : false
    if (!designates && !isValue && !NAMED_UNITS.has(word) && !/\d|^[A-Z]$|^PH-?[A-Z]$/.test(word)) break
    end = at + 1
  }
  return end
}

/** Apartment 04-B, APT 4B and #4 B are one unit: `4B`. Hyphens stay between digits, where they tell 1-12 from 11-2. */
function normalizeUnit(words: readonly string[]): string {
  if (words.length === 0) return ''
  const named = words.filter((word) => word !== '#' && !UNIT_DESIGNATORS.has(word))
  const values = named.filter((word) => !LATE_UNIT_DESIGNATORS.has(word))
  const parts = (values.length > 0 ? values : named)
    .map((word) => NAMED_UNITS.get(word) ?? word)
    .flatMap((word) => word.split('-'))
    .map((part) => part.replace(/(?<!\d)0+(?=\d)/g, ''))
    .filter((part) => part !== '')
  return parts
    .reduce((unit, part) => (/\d$/.test(unit) && /^\d/.test(part) ? `${unit}-${part}` : unit + part), '')
    .replace(/^(\d+)(?:ST|ND|RD|TH)$/, '$1')
}

function normalizeStreet(words: readonly string[]): string {
  const merged = mergeDirections(words)
  const last = merged.length - 1
  return merged
    .map((word, at) => {
      const direction = DIRECTIONS.get(word)
      if (direction !== undefined && at === 0 && hasStreetName(merged.slice(1))) return direction
      if (direction !== undefined && at === last && at > 0) return direction
      if (DIRECTIONS.has(word)) return word
      return SUFFIXES.get(word) ?? NAME_WORDS.get(word) ?? word
    })
    .join(' ')
}

/** "S W 8th St" and "16th St N W": two letters, one direction. */
function mergeDirections(words: readonly string[]): readonly string[] {
  const front = combineDirections(words[0], words[1])
  const start = front !== undefined && hasStreetName(words.slice(2)) ? [front, ...words.slice(2)] : words
  const back = start.length > 3 ? combineDirections(start.at(-2), start.at(-1)) : undefined
  return back === undefined ? start : [...start.slice(0, -2), back]
}

function combineDirections(first: string | undefined, second: string | undefined): string | undefined {
  const one = DIRECTIONS.get(first ?? '')
  const two = DIRECTIONS.get(second ?? '')
  return (one === 'N' || one === 'S') && (two === 'E' || two === 'W') ? one + two : undefined
}

/** Whether a word other than a suffix is left: in "North St" the direction is the name. */
function hasStreetName(words: readonly string[]): boolean {
  return words.length > 1 || (words.length === 1 && !SUFFIXES.has(words[0] ?? ''))
}
