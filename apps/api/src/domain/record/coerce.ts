// Reads values of records whose types are not certain: a source may omit any field, set it to null, or change its type. Each function
// returns the value in the requested type, or null.

export type UncheckedFields = Readonly<Record<string, unknown>>

/** A text that is not blank. Numbers count as text. */
export function text(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'string') return null
  const trimmed = value.trim()
  return trimmed === '' ? null : trimmed
}

export function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** The id that every record has, as text. Throws for a record without one, which no source may return. */
export function zpidText(record: { readonly zpid?: unknown }): string {
  const zpid = text(record.zpid)
  if (zpid === null) throw new Error('The record has no zpid. Every record needs one.')
  return zpid
}

export function asWholeNumber(value: unknown): number | null {
  const found = number(value)
  return found === null ? null : Math.round(found)
}

export function asFlag(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null
}

export function object(value: unknown): UncheckedFields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as UncheckedFields)
    : null
}

/** The objects of a list. Other items are skipped. */
export function objects(value: unknown): readonly UncheckedFields[] {
  return Array.isArray(value) ? value.filter((item) => object(item) !== null) : []
}

const EARLIEST_MS = Date.UTC(1700, 0)
const LATEST_MS = Date.UTC(2200, 0)

/** Epoch milliseconds from a number, or from an ISO 8601 date or date-time. A date alone is its midnight in UTC. */
export function instantMs(value: unknown): number | null {
  const isIso = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}(?:$|[T ])/.test(value)
  const found = isIso ? Date.parse(value) : number(value)
  return found !== null && found >= EARLIEST_MS && found <= LATEST_MS ? found : null
}

/** The fields that have a value. */
export function present<T extends object>(fields: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  const kept: Record<string, unknown> = {}
  // The caller writes the fields out, so there are no inherited ones.
  for (const name in fields) {
    const value = fields[name]
    if (value !== null && value !== undefined) kept[name] = value
  }
  return kept as { [Name in keyof T]?: NonNullable<T[Name]> }
}

const ZPID = /^[0-9]{1,20}$/

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A zpid as text; undefined: the value is not a zpid. */
export function readZpid(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  return typeof text === 'string' && ZPID.test(text) ? text : undefined
}

/** The name of a field or column without case, spaces, and signs: `SALE PRICE ($)` is `saleprice`. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/\(.*?\)/g, '')
    .replace(/[^a-z0-9]/g, '')
}
