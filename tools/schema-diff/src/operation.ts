import { compareRequestBody } from './body.ts'
import type { Comparison } from './comparison.ts'
import { compareDeprecation } from './deprecation.ts'
import { compareOperationIds } from './operation-id.ts'
import type { OperationInPath } from './operations.ts'
import { compareParameters } from './parameters.ts'
import { facing, into, type Place } from './place.ts'
import { comparePrices } from './price.ts'
import { compareResponses } from './responses.ts'
import { compareSecurity } from './security.ts'

/**
 * Compares all that an operation promises its callers.
 * @param renamed the path parameters' names in the base → their names in the head
 */
export function compareOperation(
  comparison: Comparison,
  place: Place,
  base: OperationInPath,
  head: OperationInPath,
  renamed: ReadonlyMap<string, string>,
): void {
  const request = facing(place, 'request')
  const response = facing(place, 'response')
  compareOperationIds(comparison, place, base.operation, head.operation)
  comparePrices(comparison, place, base.operation, head.operation)
  compareSecurity(comparison, place, base.operation, head.operation)
  compareDeprecation(comparison, place, base.operation, head.operation)
  compareParameters(comparison, request, base, head, renamed)
  compareRequestBody(comparison, into(request, 'request'), base.operation, head.operation)
  compareResponses(comparison, response, base.operation, head.operation)
}
