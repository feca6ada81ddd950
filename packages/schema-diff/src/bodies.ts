import { compareSchemas } from './compare-schemas.ts'
import { type Comparison, into, match, note, type Place } from './comparison.ts'
import { type Contract, follow } from './document.ts'
import { type JsonObject, type JsonValue, membersOf } from './json.ts'
import type { Schemas } from './schemas.ts'

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
  const types = match(schemasByType(comparison.base, base), schemasByType(comparison.head, head))
  for (const [type] of types.removed) {
    const message = 'The content type is gone.'
    note(comparison, 'content-type-removed', into(place, type), { before: type, message })
  }
  for (const [type] of types.added) {
    const message = 'The content type is new.'
    note(comparison, 'content-type-added', into(place, type), { after: type, message })
  }
  for (const [type, before, after] of types.kept) compareSchemas(comparison, into(place, type), before, after)
}

function schemasByType(contract: Contract, content: JsonValue | undefined): ReadonlyMap<string, Schemas> {
  return new Map(
    [...membersOf(content)].map(([type, node]) => {
      const mediaType: JsonObject = follow(contract, node) ?? {}
      return [
        type.toLowerCase().replaceAll(' ', ''),
        mediaType.schema === undefined ? [] : [mediaType.schema],
      ]
    }),
  )
}
