// Reads the values of one RESO Property in any style of a feed: enumerations as `ActiveUnderContract` or lookups as `Active Under
// Contract`, lists as arrays or as one text with commas, numbers and flags as such or as texts. Lookups that the dictionary does not know
// are kept unchanged and reported.

import { type Dictionary, type LookupValues, lookupKey } from './dictionary.ts'

/** A value that the dictionary does not list for its field. */
export interface UnknownLookup {
  readonly field: string
  /** The spelling of the feed. */
  readonly value: string
}

export interface PropertyReader {
  /** The names of its fields. */
  readonly names: readonly string[]
  /** The value as the feed has it. undefined: absent or null. */
  raw(field: string): unknown
  /** A text that is not blank. A single lookup is in its standard spelling. */
  text(field: string): string | undefined
  /** The values of a list of lookups, each in its standard spelling. Empty if the feed has none. */
  list(field: string): readonly string[]
  number(field: string): number | undefined
  /** undefined: absent, or neither yes nor no. */
  flag(field: string): boolean | undefined
  /** `YYYY-MM-DD`, of a date or of a timestamp in UTC. */
  day(field: string): string | undefined
  /** Epoch milliseconds of a timestamp, or of a date's midnight in UTC. */
  instant(field: string): number | undefined
  /** The objects of an expanded list. */
  objects(field: string): readonly JsonObject[]
  /** An expanded object. */
  object(field: string): JsonObject | undefined
  /** All unknown lookups so far, each once. */
  readonly unknownLookups: readonly UnknownLookup[]
}

export type JsonObject = Readonly<Record<string, unknown>>

/** Longer values are texts in a field that should have lookups, and are not counted. */
const MAX_LOOKUP_LENGTH = 100

export function readProperty(property: JsonObject, { lookups }: Dictionary): PropertyReader {
  const unknown = new Map<string, UnknownLookup>()

  // The dictionary has no field name that every object has, such as `constructor`, so inherited properties do not matter.
  function raw(field: string): unknown {
    return property[field] ?? undefined
  }

  /** The standard spelling, or the value itself. */
  function standardOf(field: string, value: string): string {
    const known = lookups.get(field)
    if (known === undefined) return value
    const found = lookUp(known, value)
    if (found === undefined && value.length <= MAX_LOOKUP_LENGTH)
      unknown.set(`${field}\n${value}`, { field, value })
    return found ?? value
  }

  function plainText(field: string): string | undefined {
    const value = raw(field)
    // Some feeds send a single lookup as a list of one.
    return readText(Array.isArray(value) && value.length === 1 ? value[0] : value)
  }

  function instant(field: string): number | undefined {
    const value = plainText(field)
    if (value === undefined || !/^\d{4}-\d{2}-\d{2}(?:$|[T ])/.test(value)) return undefined
    // A time without an offset counts as UTC, because the standard has only times with an offset.
    const ms = Date.parse(/[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/.test(value) ? `${value}Z` : value)
    return Number.isFinite(ms) ? ms : undefined
  }

  return {
    names: Object.keys(property),
    raw,
    text(field) {
      const value = plainText(field)
      return value === undefined ? undefined : standardOf(field, value)
    },
    list(field) {
      const value = raw(field)
      const parts = Array.isArray(value) ? value.flatMap((part) => readText(part) ?? []) : splitList(value)
      // A value may contain a comma, such as `Boat Slip, Dock`.
      const known = typeof value === 'string' ? lookups.get(field) : undefined
      const whole = known && lookUp(known, value as string)
      if (whole !== undefined) return [whole]
      return [...new Set(parts.map((part) => standardOf(field, part)))]
    },
    number: (field) => readNumber(raw(field)),
    flag: (field) => readFlag(raw(field)),
    day(field) {
      const ms = instant(field)
      return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 10)
    },
    instant,
    objects(field) {
      const value = raw(field)
      return Array.isArray(value) ? value.filter(isJsonObject) : []
    },
    object(field) {
      const value = raw(field)
      return isJsonObject(value) ? value : undefined
    },
    get unknownLookups() {
      return [...unknown.values()]
    },
  }
}

/** A cache of standard values by spelling, for each table of lookups. null: the spelling is unknown. */
const lookupSpellingCache = new WeakMap<LookupValues, Map<string, string | null>>()
/** A feed with more spellings sends texts instead of lookups. */
const MAX_SPELLINGS = 2_000

function lookUp(lookups: LookupValues, value: string): string | undefined {
  let known = lookupSpellingCache.get(lookups)
  if (known === undefined) {
    known = new Map()
    lookupSpellingCache.set(lookups, known)
  }
  let found = known.get(value)
  if (found === undefined) {
    found = lookups.get(lookupKey(value)) ?? null
    if (known.size < MAX_SPELLINGS && value.length <= MAX_LOOKUP_LENGTH) known.set(value, found)
  }
  return found ?? undefined
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text that is not blank. Numbers count as text. */
export function readText(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return text === '' ? undefined : text
}

export function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || !/^\s*-?\d{1,15}(?:\.\d{1,10})?\s*$/.test(value)) return undefined
  return Number(value)
}

export function readFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const text = String(value ?? '').trim()
  // Spreadsheet programs turn 1 into 1.0.
  if (/^(?:true|t|yes|y|1(?:\.0+)?)$/i.test(text)) return true
  return /^(?:false|f|no|n|0(?:\.0+)?)$/i.test(text) ? false : undefined
}

function splitList(value: unknown): readonly string[] {
  return (readText(value) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
