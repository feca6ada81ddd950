import { type Comparison, note } from './comparison.ts'
import { type JsonObject, sameJson } from './json.ts'
import type { Place } from './place.ts'

/** The operationId is the name of a method in every generated client. */
export function compareOperationIds(
  comparison: Comparison,
  place: Place,
  base: JsonObject,
  head: JsonObject,
): void {
  if (sameJson(base.operationId, head.operationId)) return
  note(comparison, 'operation-id-changed', place, {
    before: base.operationId,
    after: head.operationId,
    message: 'The operationId is another one.',
  })
}
