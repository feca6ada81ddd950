import { compareSchemas } from './compare-schemas.ts'
import { atField, type Comparison, into, match, note, type Place } from './comparison.ts'
import { type Contract, follow } from './document.ts'
import { compareExtensions } from './extensions.ts'
import { holderOf } from './holder.ts'
import { type JsonObject, type JsonValue, membersOf, sameJson } from './json.ts'
import type { Schemas } from './schemas.ts'
import { fieldsOf, shapeOf } from './shape.ts'

/** Compares the request bodies of two operations: whether there is one, must be one, and what it holds. */
export function compareRequestBody(
  comparison: Comparison,
  place: Place,
  baseOperation: JsonObject,
  headOperation: JsonObject,
): void {
  const base = follow(comparison.base, baseOperation.requestBody)
  const head = follow(comparison.head, headOperation.requestBody)
  if (base && head) {
    compareRequired(comparison, place, base.required === true, head.required === true)
    compareContent(comparison, place, base.content, head.content)
  } else if (base) {
    note(comparison, 'body-removed', place, { before: 'body', message: 'The body is gone.' })
  } else if (head) {
    const isDemand = head.required === true && place.direction === 'request'
    const message = `The body is new${isDemand ? ' and required' : ''}.`
    note(comparison, isDemand ? 'required-body-added' : 'body-added', place, { after: 'body', message })
  }
}

function compareRequired(comparison: Comparison, place: Place, before: boolean, after: boolean): void {
  if (before === after) return
  if (after)
    note(comparison, 'body-became-required', place, { before, after, message: 'The body is required now.' })
  else
    note(comparison, 'body-became-optional', place, { before, after, message: 'The body is optional now.' })
}

/** Compares the content types of a body and the schema of each. */
export function compareContent(
  comparison: Comparison,
  place: Place,
  base: JsonValue | undefined,
  head: JsonValue | undefined,
): void {
  const types = match(contentByType(comparison.base, base), contentByType(comparison.head, head))
  for (const [type] of types.removed) {
    const message = 'The content type is gone.'
    note(comparison, 'content-type-removed', into(place, type), { before: type, message })
  }
  for (const [type] of types.added) {
    const message = 'The content type is new.'
    note(comparison, 'content-type-added', into(place, type), { after: type, message })
  }
  for (const [type, before, after] of types.kept) {
    const at = into(place, type)
    const holders = [holderOf(comparison.base, before), holderOf(comparison.head, after)] as const
    compareExtensions(comparison, at, 'content', ...holders)
    compareEncoding(comparison, at, before, after)
    compareSchemas(comparison, at, schemaOf(before), schemaOf(after))
  }
}

/** Compares how the fields of a form are written. A field that is new itself may be written in any way. */
function compareEncoding(comparison: Comparison, place: Place, base: JsonObject, head: JsonObject): void {
  const [before, after] = [membersOf(base.encoding), membersOf(head.encoding)]
  const known = fieldsOf(shapeOf(comparison.base, schemaOf(base), place.direction))
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    if (!before.has(name) && !known.has(name)) continue
    const finding = { before: writingOf(before.get(name)), after: writingOf(after.get(name)) }
    if (sameJson(finding.before, finding.after)) continue
    const message = 'The field is written in another way.'
    note(comparison, 'encoding-changed', atField(place, name), { ...finding, message })
  }
}

/** With the defaults of OpenAPI, as far as they do not depend on the type of the field. */
function writingOf(encoding: JsonValue | undefined): JsonValue {
  const members = membersOf(encoding)
  const hasStyle = ['style', 'explode', 'allowReserved'].some((key) => members.has(key))
  const style = members.get('style') ?? 'form'
  const types = String(members.get('contentType') ?? '').toLowerCase()
  return {
    contentType: types
      .split(',')
      .map((type) => type.trim())
      .sort(),
    ...(hasStyle && {
      style,
      explode: members.get('explode') ?? style === 'form',
      allowReserved: members.get('allowReserved') ?? false,
    }),
  }
}

function contentByType(contract: Contract, content: JsonValue | undefined): ReadonlyMap<string, JsonObject> {
  return new Map(
    [...membersOf(content)].map(([type, node]) => [
      type.toLowerCase().replaceAll(' ', ''),
      follow(contract, node) ?? {},
    ]),
  )
}

function schemaOf({ schema }: JsonObject): Schemas {
  return schema === undefined ? [] : [schema]
}
