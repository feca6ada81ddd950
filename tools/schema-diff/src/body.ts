import { type Comparison, note } from './comparison.ts'
import { compareContent } from './content.ts'
import { follow } from './contract.ts'
import type { JsonObject } from './json.ts'
import type { Place } from './place.ts'

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
