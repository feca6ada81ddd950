// A resource that is sent back. What a GET returns is a valid body of the PATCH on the same path, so a PATCH accepts the fields
// that the resource has and that cannot be changed. A client that wants to change one of them must learn that it did not: such a
// field is named in `meta.ignored` where its value is not that of the resource. Times and numbers are not compared, because the
// service moves them by itself between the two calls. A field that a later version adds to the resource follows by itself.

import { isDeepStrictEqual } from 'node:util'
import type { OperationId } from '../generated/operations.ts'
import { operations } from '../generated/operations.ts'
import { type Node, operationNode, resolve } from '../nodes.ts'

interface ReadOnlyField {
  readonly name: string
  /** The service changes it by itself. */
  readonly moves: boolean
}

const readOnlyFieldCache = new Map<OperationId, readonly ReadOnlyField[]>()

/** The fields of the resource that a PATCH returns and does not take. Of other operations: none. */
export function readOnlyFields(operationId: OperationId): readonly ReadOnlyField[] {
  if (operations[operationId].method !== 'PATCH') return []
  const found = readOnlyFieldCache.get(operationId) ?? findReadOnlyFields(operationId)
  readOnlyFieldCache.set(operationId, found)
  return found
}

function findReadOnlyFields(operationId: OperationId): readonly ReadOnlyField[] {
  const { requestBody, responses } = operationNode(operationId) as { requestBody: Node; responses: Node }
  const taken = schemaFields(schemaIn(requestBody))
  const answer = schemaFields(schemaIn((responses as Readonly<Record<string, Node>>)['200']))
  return [...schemaFields(answer.get('data'))].flatMap(([name, schema]) => {
    if (taken.has(name)) return []
    const { type, format } = resolve(schema)
    const types = [type].flat()
    const moves = format === 'date-time' || types.includes('integer') || types.includes('number')
    return [{ name, moves }]
  })
}

/** The names of the fields in a body that cannot be changed and whose values are not those of the resource. */
export function findChangedReadOnlyField(
  operationId: OperationId,
  body: unknown,
  resource: unknown,
): string[] {
  const sent = body as Readonly<Record<string, unknown>>
  const has = resource as Readonly<Record<string, unknown>>
  return readOnlyFields(operationId)
    .filter(
      ({ name, moves }) => !moves && Object.hasOwn(sent, name) && !isDeepStrictEqual(sent[name], has[name]),
    )
    .map(({ name }) => name)
}

function schemaIn(node: unknown): Node | undefined {
  const { content } = resolve(node) as {
    content?: Readonly<Record<string, { readonly schema: Node } | undefined>>
  }
  return content?.['application/json']?.schema
}

function schemaFields(node: Node | undefined): Map<string, Node> {
  if (!node) return new Map()
  const { allOf = [], properties = {} } = resolve(node) as {
    allOf?: readonly Node[]
    properties?: Readonly<Record<string, Node>>
  }
  return new Map([...allOf.flatMap((part) => [...schemaFields(part)]), ...Object.entries(properties)])
}
