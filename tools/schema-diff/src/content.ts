import { type Comparison, note } from './comparison.ts'
import { type Contract, follow } from './contract.ts'
import { type JsonObject, type JsonValue, membersOf } from './json.ts'
import { match } from './match.ts'
import { into, type Place } from './place.ts'
import { compareSchemas } from './schema/compare-schemas.ts'
import type { Schemas } from './schema/schemas.ts'

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
