// Compares lists of fields by the values of another field, such as `{ circle: [center, radius], box: [west, east] }`: which
// fields an object of each kind uses. A kind without a list uses all.

import { atField, type Comparison, noteExtension, type Place } from './comparison.ts'
import type { Holder } from './holder.ts'
import { isObject, stringsOf } from './json.ts'
import type { Extension } from './policy.ts'

/** A kind or field that is new means nothing: no caller sent it. */
export function compareFieldsByValue(
  comparison: Comparison,
  place: Place,
  { keyword, rule, title, by }: Extension,
  base: Holder,
  head: Holder,
): void {
  const kinds = [base, head].flatMap((holder) => [...listsOf(holder, keyword).keys()])
  const known = base.valuesOf(by)
  for (const kind of new Set(kinds)) {
    if (known && !known.includes(kind)) continue
    const before = usedBy(base, keyword, kind)
    const after = usedBy(head, keyword, kind)
    for (const field of [...base.fields].filter((name) => name !== by && head.fields.has(name))) {
      if (before(field) === after(field)) continue
      const outcome = after(field) ? 'added' : 'removed'
      noteExtension(comparison, `${rule}-${outcome}`, atField(place, field), {
        before: before(field),
        after: after(field),
        message: `${title} (${keyword}) of ${kind} ${after(field) ? 'is listed too' : 'is no longer listed'}.`,
      })
    }
  }
}

function usedBy(holder: Holder, keyword: string, kind: string): (field: string) => boolean {
  const list = listsOf(holder, keyword).get(kind)
  return (field) => list === undefined || list.includes(field)
}

function listsOf(holder: Holder, keyword: string): ReadonlyMap<string, readonly string[]> {
  const value = holder.one(keyword)
  return new Map(isObject(value) ? Object.entries(value).map(([kind, list]) => [kind, stringsOf(list)]) : [])
}
