/** Any JSON value, as read from a contract. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [key: string]: JsonValue
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** The members of an object as a map, so that a member named `constructor` is nothing special; empty for all else. */
export function membersOf(value: JsonValue | undefined): ReadonlyMap<string, JsonValue> {
  return new Map(isObject(value) ? Object.entries(value) : [])
}

/** The strings of an array; empty for all else. */
export function stringsOf(value: JsonValue | undefined): readonly string[] {
  return isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** The elements of an array; empty for all else. */
export function elementsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isArray(value) ? value : []
}

/** One text for one value: the order of an object's keys does not matter. */
export function canonicalJson(value: JsonValue): string {
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value).sort()
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`).join(',')}}`
}

export function sameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return canonicalJson(a) === canonicalJson(b)
}
