import { type Comparison, note } from './comparison.ts'
import { type Contract, follow } from './contract.ts'
import { type JsonObject, membersOf, stringsOf } from './json.ts'
import { operationsOf } from './operations.ts'
import { into, type Place } from './place.ts'

/** Compares the error codes that an operation gives with one status (`x-error-codes`). */
export function compareErrorCodes(
  comparison: Comparison,
  place: Place,
  base: JsonObject,
  head: JsonObject,
): void {
  const before = stringsOf(base['x-error-codes'])
  const after = stringsOf(head['x-error-codes'])
  for (const code of before.filter((known) => !after.includes(known))) {
    const message = 'The status no longer gives this error code.'
    note(comparison, 'error-code-removed', into(place, `code ${code}`), { before: code, message })
  }
  for (const code of after.filter((listed) => !before.includes(listed))) {
    const message = 'The status may give this error code too.'
    note(comparison, 'error-code-added', into(place, `code ${code}`), { after: code, message })
  }
}

/** Every error code that any operation of a contract lists for any status. */
export function errorCatalogueOf(contract: Contract): ReadonlySet<string> {
  const codes = new Set<string>()
  for (const item of membersOf(contract.root.paths).values()) {
    for (const operation of operationsOf(contract, follow(contract, item) ?? {}).values()) {
      for (const response of membersOf(operation.responses).values()) {
        for (const code of stringsOf(follow(contract, response)?.['x-error-codes'])) codes.add(code)
      }
    }
  }
  return codes
}
