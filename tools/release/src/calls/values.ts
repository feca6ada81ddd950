// Values for an input: what its schema shows and lists, values at and beyond its bounds, and values of other types.

import { type Node, resolve } from '@lotline/contract/nodes'

/** Longer texts and lists are left out: they would make up most of the recording. */
const MAX_LENGTH = 600

/** The schemas that describe a value: the node itself, and what it is composed of. */
export function partsOf(node: unknown): Node[] {
  const own = resolve(node)
  const inner = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => (own[key] ?? []) as unknown[])
  return [own, ...inner.flatMap(partsOf)]
}

export function valuesOf(node: unknown): unknown[] {
  const parts = partsOf(node)
  const listed = parts.flatMap((part) => listedBy(part))
  const bounded = parts.flatMap((part) => [...textsOf(part), ...numbersOf(part), ...listsOf(part)])
  return unique([...listed, ...bounded, ...OTHERS])
}

const OTHERS = [null, '', ' ', 'text', 'text\0', 0, 1, -1, 1.5, 1e15, true, false, [], ['text'], {}, [null]]

function listedBy(part: Node): unknown[] {
  const { examples = [], example, default: fallback, const: only } = part
  const values = ['enum', 'x-extensible-enum'].flatMap((key) => (part[key] ?? []) as unknown[])
  const shouted = values.filter((value) => typeof value === 'string').map((value) => value.toUpperCase())
  const shown = [example, fallback, only].filter((value) => value !== undefined)
  return [...shown, ...(examples as unknown[]), ...values, ...shouted.slice(0, 1)]
}

function textsOf({ minLength, maxLength, format, pattern }: Node): string[] {
  const lengths = around([minLength, maxLength]).filter((length) => length > 0)
  const bounded = ['a', '7'].flatMap((character) => lengths.map((length) => character.repeat(length)))
  return [
    ...bounded,
    ...(format === 'date-time' ? ['2026-01-31T00:00:00Z', '2026-02-31T00:00:00Z', '2026-01-31'] : []),
    ...(format === 'date' ? ['2026-01-31', '2026-02-31'] : []),
    ...(format === 'uri' ? ['https://example.com/a', 'ftp://example.com', '/a'] : []),
    ...(format === 'uuid' ? ['5e0d8c1a-7f43-4d0b-9a52-3c1f6b7e2d90', '5e0d8c1a'] : []),
    ...(pattern === undefined
      ? []
      : ['98109', '98109,98115', 'Seattle, WA', 'a,b', '-1', '1.5', '0x10', '1e1']),
  ]
}

function numbersOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Node): number[] {
  const bounds = [minimum, maximum, exclusiveMinimum, exclusiveMaximum]
  return [
    ...bounds
      .filter((bound) => typeof bound === 'number')
      .flatMap((bound) => [bound - 1, bound, bound + 0.5, bound + 1]),
  ]
}

/** Lists of so many equal items, of which the first that the items show is taken. */
function listsOf({ items, minItems, maxItems }: Node): unknown[][] {
  if (items === undefined) return []
  const [item, second] = valuesOf(items)
  const lengths = around([minItems, maxItems]).filter((length) => length > 0)
  const lists = unique([1, 2, ...lengths]).map((length) => Array.from({ length: Number(length) }, () => item))
  return [...lists, [item, second]]
}

function around(bounds: readonly unknown[]): number[] {
  return bounds
    .filter((bound) => typeof bound === 'number')
    .filter((bound) => bound <= MAX_LENGTH)
    .flatMap((bound) => [bound - 1, bound, bound + 1])
}

export function unique<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}
