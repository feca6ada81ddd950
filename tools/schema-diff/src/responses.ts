import { type Comparison, note } from './comparison.ts'
import { compareContent } from './content.ts'
import { type Contract, follow } from './contract.ts'
import { compareErrorCodes } from './error-codes.ts'
import { compareHeaders } from './headers.ts'
import { type JsonObject, membersOf } from './json.ts'
import { match } from './match.ts'
import { into, type Place } from './place.ts'

/** Compares the statuses of an operation, and the error codes, headers and bodies of each. */
export function compareResponses(
  comparison: Comparison,
  place: Place,
  base: JsonObject,
  head: JsonObject,
): void {
  const statuses = match(responsesOf(comparison.base, base), responsesOf(comparison.head, head))
  for (const [status] of statuses.removed) {
    const message = 'The response is gone.'
    note(comparison, 'response-removed', into(place, status), { before: status, message })
  }
  for (const [status] of statuses.added) {
    const message = 'The response is new.'
    note(comparison, 'response-added', into(place, status), { after: status, message })
  }
  for (const [status, before, after] of statuses.kept) {
    compareErrorCodes(comparison, into(place, status), before, after)
    compareHeaders(comparison, into(place, status), before, after)
    compareContent(comparison, into(place, status), before.content, after.content)
  }
}

function responsesOf(contract: Contract, operation: JsonObject): ReadonlyMap<string, JsonObject> {
  return new Map(
    [...membersOf(operation.responses)].map(([status, node]) => [status, follow(contract, node) ?? {}]),
  )
}
