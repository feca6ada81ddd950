import { type Comparison, note } from './comparison.ts'
import { type JsonObject, type JsonValue, membersOf, sameJson } from './json.ts'
import type { Place } from './place.ts'
import type { Schemas } from './schema/schemas.ts'

/**
 * Compares how a parameter or header is written on the wire: `style`, `explode` and `allowReserved` with the
 * defaults that OpenAPI gives them, or the content type of one described by `content`.
 * @param where the parameter's place (`query`, `path`, `header` or `cookie`)
 */
export function compareSerialization(
  comparison: Comparison,
  place: Place,
  where: string,
  base: JsonObject,
  head: JsonObject,
): void {
  const before = serializationOf(where, base)
  const after = serializationOf(where, head)
  if (sameJson(before, after)) return
  note(comparison, 'serialization-changed', place, {
    before,
    after,
    message: 'It is written in another way.',
  })
}

function serializationOf(where: string, node: JsonObject): JsonValue {
  const contentType = [...membersOf(node.content).keys()][0]
  if (contentType !== undefined) return { contentType }
  const style = node.style ?? (where === 'query' || where === 'cookie' ? 'form' : 'simple')
  return { style, explode: node.explode ?? style === 'form', allowReserved: node.allowReserved ?? false }
}

/** The schema of a parameter or header, wherever it stands. */
export function schemaOfParameter(node: JsonObject): Schemas {
  const content = [...membersOf(node.content).values()][0]
  const schema = content === undefined ? node.schema : membersOf(content).get('schema')
  return schema === undefined ? [] : [schema]
}
