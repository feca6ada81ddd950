import { compareDeprecation } from './annotations.ts'
import { compareSchemas } from './compare-schemas.ts'
import { type Comparison, into, match, note, type Place } from './comparison.ts'
import { type Contract, follow, type OperationInPath } from './document.ts'
import { elementsOf, type JsonObject, type JsonValue, membersOf, sameJson } from './json.ts'
import type { Schemas } from './schemas.ts'

/** Header parameters of these names mean nothing in OpenAPI: content types and security say it. */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization'])

interface ParameterEntry {
  readonly name: string
  readonly where: string
  readonly required: boolean
  readonly node: JsonObject
}

/**
 * Compares the parameters of an operation. One is known by its place and name, as on the wire: under another
 * name it is another parameter; the same name in another place has moved.
 * @param renamed the path parameters' names in the base → their names in the head
 */
export function compareParameters(
  comparison: Comparison,
  place: Place,
  base: OperationInPath,
  head: OperationInPath,
  renamed: ReadonlyMap<string, string> = new Map(),
): void {
  const parameters = match(
    parametersOf(comparison.base, base, renamed),
    parametersOf(comparison.head, head, new Map()),
  )
  const arrivals = new Map(parameters.added.map(([, parameter]) => [parameter.name, parameter]))
  const moved = new Set<ParameterEntry>()
  for (const [, parameter] of parameters.removed) {
    const arrival = arrivals.get(parameter.name)
    if (arrival) {
      moved.add(arrival)
      note(comparison, 'parameter-moved', at(place, parameter), {
        before: parameter.where,
        after: arrival.where,
        message: `The parameter moved from the ${parameter.where} to the ${arrival.where}.`,
      })
      compareParameter(comparison, at(place, parameter), parameter, arrival)
    } else {
      const message = `The ${parameter.where} parameter is gone.`
      note(comparison, 'parameter-removed', at(place, parameter), { before: parameter.name, message })
    }
  }
  for (const [, parameter] of parameters.added) {
    if (!moved.has(parameter)) noteNew(comparison, at(place, parameter), parameter)
  }
  for (const [, before, after] of parameters.kept) {
    compareSerialization(comparison, at(place, before), before.where, before.node, after.node)
    compareParameter(comparison, at(place, before), before, after)
  }
}

function noteNew(comparison: Comparison, place: Place, parameter: ParameterEntry): void {
  const isDemand = parameter.required && place.direction === 'request'
  note(comparison, isDemand ? 'required-parameter-added' : 'parameter-added', place, {
    after: parameter.name,
    message: `The ${parameter.where} parameter is new${isDemand ? ' and required' : ''}.`,
  })
}

function compareParameter(
  comparison: Comparison,
  place: Place,
  base: ParameterEntry,
  head: ParameterEntry,
): void {
  if (base.required !== head.required) {
    note(comparison, head.required ? 'parameter-became-required' : 'parameter-became-optional', place, {
      before: base.required,
      after: head.required,
      message: `The ${base.where} parameter is ${head.required ? 'required' : 'optional'} now.`,
    })
  }
  compareEmptyValue(comparison, place, base, head)
  compareDeprecation(comparison, place, base.node, head.node)
  compareSchemas(comparison, place, schemaOfParameter(base.node), schemaOfParameter(head.node))
}

/** Clients send a name without a value for what was never set. Only in the query does OpenAPI say whether they may. */
function compareEmptyValue(
  comparison: Comparison,
  place: Place,
  base: ParameterEntry,
  head: ParameterEntry,
): void {
  const [before, after] = [base, head].map(
    ({ where, node }) => where === 'query' && node.allowEmptyValue === true,
  ) as [boolean, boolean]
  if (before === after) return
  note(comparison, after ? 'empty-value-accepted' : 'empty-value-refused', place, {
    before,
    after,
    message: `The ${head.where} parameter ${after ? 'may be' : 'can no longer be'} sent without a value.`,
  })
}

/** The parameters in force for an operation, its own before those of its path, keyed by place and name. */
function parametersOf(
  contract: Contract,
  { item, operation }: OperationInPath,
  renamed: ReadonlyMap<string, string>,
): ReadonlyMap<string, ParameterEntry> {
  const parameters = new Map<string, ParameterEntry>()
  for (const listed of [...elementsOf(item.parameters), ...elementsOf(operation.parameters)]) {
    const node = follow(contract, listed) ?? {}
    const name = String(node.name)
    const where = String(node.in)
    if (where === 'header' && ignoredHeaders.has(name.toLowerCase())) continue
    const keyName =
      where === 'header' ? name.toLowerCase() : where === 'path' ? (renamed.get(name) ?? name) : name
    parameters.set(`${where} ${keyName}`, { name, where, required: node.required === true, node })
  }
  return parameters
}

function at(place: Place, parameter: ParameterEntry): Place {
  return into(place, `${parameter.where} ${parameter.name}`)
}

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
