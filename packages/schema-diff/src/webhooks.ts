import { compareDeprecation } from './annotations.ts'
import { compareRequestBody } from './bodies.ts'
import { type Comparison, facing, into, match, note, type Place, placeOf } from './comparison.ts'
import { type Contract, follow, type OperationInPath } from './document.ts'
import { type JsonObject, membersOf } from './json.ts'
import { compareOperationExtensions, compareOperationIds, operationsOf } from './operations.ts'
import { compareParameters } from './parameters.ts'
import { compareResponses } from './responses.ts'

/** Compares the events of two contracts. We call and the customer answers, so that the directions are turned round. */
export function compareWebhooks(comparison: Comparison): void {
  const events = match(eventsOf(comparison.base), eventsOf(comparison.head))
  for (const [event] of events.removed) {
    note(comparison, 'webhook-removed', placeOf(`webhook ${event}`), {
      before: event,
      message: 'The event is no longer announced.',
    })
  }
  for (const [event] of events.added) {
    note(comparison, 'webhook-added', placeOf(`webhook ${event}`), {
      after: event,
      message: 'The event is new.',
    })
  }
  for (const [event, base, head] of events.kept) {
    compareEvent(comparison, placeOf(`webhook ${event}`), base, head)
  }
}

function compareEvent(comparison: Comparison, place: Place, base: JsonObject, head: JsonObject): void {
  const operations = match(operationsOf(comparison.base, base), operationsOf(comparison.head, head))
  for (const [method] of operations.removed) {
    note(comparison, 'method-removed', place, {
      before: method,
      message: 'The event is sent by another method.',
    })
  }
  for (const [method] of operations.added) {
    note(comparison, 'method-added', place, { after: method, message: 'The event is sent by a new method.' })
  }
  for (const [, baseOperation, headOperation] of operations.kept) {
    const before = { item: base, operation: baseOperation }
    compareDelivery(comparison, place, before, { item: head, operation: headOperation })
  }
}

function compareDelivery(
  comparison: Comparison,
  place: Place,
  base: OperationInPath,
  head: OperationInPath,
): void {
  const received = facing(place, 'response')
  const answered = facing(place, 'request')
  compareOperationIds(comparison, place, base.operation, head.operation)
  compareOperationExtensions(comparison, place, base.operation, head.operation)
  compareDeprecation(comparison, place, base.operation, head.operation)
  compareParameters(comparison, received, base, head)
  compareRequestBody(comparison, into(received, 'payload'), base.operation, head.operation)
  compareResponses(comparison, into(answered, 'answer'), base.operation, head.operation)
}

function eventsOf(contract: Contract): ReadonlyMap<string, JsonObject> {
  return new Map(
    [...membersOf(contract.root.webhooks)].map(([event, node]) => [event, follow(contract, node) ?? {}]),
  )
}
