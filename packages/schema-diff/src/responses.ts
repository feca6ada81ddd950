import { compareDeprecation } from './annotations.ts'
import { compareContent } from './bodies.ts'
import { compareSchemas } from './compare-schemas.ts'
import { type Comparison, into, match, note, type Place } from './comparison.ts'
import { type Contract, follow } from './document.ts'
import { compareExtensions } from './extensions.ts'
import { holderOf } from './holder.ts'
import { elementsOf, type JsonObject, type JsonValue, membersOf } from './json.ts'
import { compareSerialization, schemaOfParameter } from './parameters.ts'

/** Compares the statuses of an operation, and the extensions, headers and bodies of each. */
export function compareResponses(
  comparison: Comparison,
  place: Place,
  base: JsonObject,
  head: JsonObject,
): void {
  const known = responsesOf(comparison.base, base)
  const statuses = match(known, responsesOf(comparison.head, head))
  for (const [status] of statuses.removed) {
    const message = 'The response is gone.'
    note(comparison, 'response-removed', into(place, status), { before: status, message })
  }
  for (const [status, after] of statuses.added) {
    const range = known.get(`${status[0]}XX`) ?? known.get('default')
    // Only a client that sends a condition (If-None-Match) gets a 304.
    const isSuccess =
      place.direction === 'response' &&
      /^[23]/.test(status) &&
      status !== '304' &&
      range === undefined &&
      !isAskedFor(comparison, after, base, head)
    const message = `The ${isSuccess ? 'status of a success' : 'response'} is new.`
    note(comparison, isSuccess ? 'success-response-added' : 'response-added', into(place, status), {
      after: status,
      message,
    })
    // A status in a range that was described already must keep what was said of the range.
    if (range !== undefined) compareResponse(comparison, into(place, status), range, after)
  }
  for (const [status, before, after] of statuses.kept) {
    compareResponse(comparison, into(place, status), before, after)
  }
}

/**
 * Whether only calls with a new optional parameter get the response, which names it in an extension that the policy compares
 * as a `condition`: no client that exists sends it.
 */
function isAskedFor(
  { base, head, policy }: Comparison,
  response: JsonObject,
  before: JsonObject,
  after: JsonObject,
): boolean {
  const find = (contract: Contract, operation: JsonObject, name: JsonValue) =>
    elementsOf(operation.parameters)
      .map((node) => follow(contract, node))
      .find((parameter) => parameter?.name === name)
  return policy.extensions.some(({ compare, keyword }) => {
    const name = compare === 'condition' ? response[keyword] : undefined
    const parameter = typeof name === 'string' ? find(head, after, name) : undefined
    return parameter !== undefined && parameter.required !== true && find(base, before, name!) === undefined
  })
}

function compareResponse(comparison: Comparison, place: Place, base: JsonObject, head: JsonObject): void {
  const [before, after] = [holderOf(comparison.base, base), holderOf(comparison.head, head)]
  compareExtensions(comparison, place, 'response', before, after)
  compareHeaders(comparison, place, base, head)
  const isDemand = place.direction === 'request' && membersOf(base.content).size === 0
  if (isDemand && membersOf(head.content).size > 0) {
    const message = 'The answer has a body now.'
    note(comparison, 'required-body-added', place, { after: 'body', message })
    return
  }
  compareContent(comparison, place, base.content, head.content)
}

function responsesOf(contract: Contract, operation: JsonObject): ReadonlyMap<string, JsonObject> {
  return new Map(
    [...membersOf(operation.responses)].map(([status, node]) => [status, follow(contract, node) ?? {}]),
  )
}

interface Header {
  readonly name: string
  readonly node: JsonObject
}

/** Compares the headers of two responses. Their names know no case. */
function compareHeaders(comparison: Comparison, place: Place, base: JsonObject, head: JsonObject): void {
  const headers = match(headersOf(comparison.base, base), headersOf(comparison.head, head))
  const at = ({ name }: Header) => into(place, `header ${name}`)
  for (const [, header] of headers.removed) {
    const message = 'The header is gone.'
    note(comparison, 'header-removed', at(header), { before: header.name, message })
  }
  for (const [, header] of headers.added) {
    note(comparison, 'header-added', at(header), { after: header.name, message: 'The header is new.' })
  }
  for (const [, before, after] of headers.kept) compareHeader(comparison, at(before), before.node, after.node)
}

function compareHeader(comparison: Comparison, place: Place, base: JsonObject, head: JsonObject): void {
  const before = base.required === true
  const after = head.required === true
  if (before !== after) {
    const message = after ? 'The header is always sent now.' : 'The header may be absent now.'
    note(comparison, after ? 'header-became-required' : 'header-became-optional', place, {
      before,
      after,
      message,
    })
  }
  compareDeprecation(comparison, place, base, head)
  const holders = [holderOf(comparison.base, base), holderOf(comparison.head, head)] as const
  compareExtensions(comparison, place, 'header', ...holders)
  compareSerialization(comparison, place, 'header', base, head)
  compareSchemas(comparison, place, schemaOfParameter(base), schemaOfParameter(head))
}

function headersOf(contract: Contract, response: JsonObject): ReadonlyMap<string, Header> {
  return new Map(
    [...membersOf(response.headers)].map(([name, node]) => [
      name.toLowerCase(),
      { name, node: follow(contract, node) ?? {} },
    ]),
  )
}
