import { type Comparison, note } from './comparison.ts'
import { type Contract, follow } from './contract.ts'
import { compareDeprecation } from './deprecation.ts'
import { type JsonObject, membersOf } from './json.ts'
import { match } from './match.ts'
import { into, type Place } from './place.ts'
import { compareSchemas } from './schema/compare-schemas.ts'
import { compareSerialization, schemaOfParameter } from './serialization.ts'

interface Header {
  readonly name: string
  readonly node: JsonObject
}

/** Compares the headers of two responses. Their names know no case. */
export function compareHeaders(
  comparison: Comparison,
  place: Place,
  base: JsonObject,
  head: JsonObject,
): void {
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
