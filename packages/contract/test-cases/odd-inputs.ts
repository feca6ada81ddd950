// Valid calls with more in them than they need: what means the same as absent, and what the contract does not name. Made
// from the contract, so that a new operation, field or parameter is covered as it comes. The service and the mock run
// through both.

import { type OperationId, operationIds, operations } from '../src/generated/operations.ts'
import { bodyExamples, type Node, operationNode, parametersOf, resolve } from '../src/nodes.ts'
import { type ExampleCall, minimalCall } from './example-calls.ts'

export interface OddCall {
  readonly name: string
  readonly call: ExampleCall
  /** The call without what is odd about it. */
  readonly plain: ExampleCall
}

/** Every optional input of each operation, sent as clients send what was never set. */
export const emptyInputs: readonly OddCall[] = operationIds.flatMap((id) => {
  const plain = minimalCall(id)
  const queries = parametersOf(id)
    .filter((parameter) => parameter.in === 'query' && !parameter.required)
    .flatMap(({ name }) => ['', ',', ' '].map((value) => ({ name, value })))
    .map(({ name, value }) => ({
      name: `${id}: ${name}=${JSON.stringify(value)}`,
      call: { ...plain, query: { ...plain.query, [name]: value } },
      plain,
    }))
  const bodies = Object.entries(bodyExamples(id)).flatMap(([example, body]) =>
    optionalFields(bodySchema(id)).flatMap(({ path, isList }) =>
      (isList ? [null, []] : [null]).flatMap((empty) => {
        const changed = withField(body, path, empty)
        return changed === undefined
          ? []
          : [
              {
                name: `${id} ${example}: ${path.join('.')} is ${JSON.stringify(empty)}`,
                call: { ...plain, body: changed },
                plain: { ...plain, body },
              },
            ]
      }),
    ),
  )
  return [...queries, ...bodies]
})

/** An unknown name in each operation's query, and in each object of its body that takes unknown names. */
export const unknownInputs: readonly (OddCall & { readonly ignored: readonly string[] })[] =
  operationIds.flatMap((id) => {
    const plain = minimalCall(id)
    const query = { ...plain.query, utm_source: 'newsletter' }
    if (!operations[id].hasBody) {
      return [{ name: `${id}: utm_source`, call: { ...plain, query }, plain, ignored: ['utm_source'] }]
    }
    return Object.entries(bodyExamples(id)).map(([example, body]) => {
      const ignored = [
        'utm_source',
        'pirce',
        ...(isObject(body) && isObject(body.filters) ? ['filters.pirce'] : []),
      ]
      const changed = ignored.includes('filters.pirce')
        ? withField(withField(body, ['pirce'], 1), ['filters', 'pirce'], { max: 1 })
        : withField(body, ['pirce'], 1)
      return {
        name: `${id} ${example}: ${ignored.join(', ')}`,
        call: { ...plain, query, body: changed },
        plain: { ...plain, body },
        ignored: [...ignored].sort(),
      }
    })
  })

interface OptionalField {
  readonly path: readonly string[]
  readonly isList: boolean
}

/** Of a body, down to the fields of its objects. */
function optionalFields(schema: Node, path: readonly string[] = []): OptionalField[] {
  const { properties = {}, required = [] } = resolve(schema) as {
    properties?: Readonly<Record<string, Node>>
    required?: readonly string[]
  }
  return Object.entries(properties).flatMap(([name, field]) => {
    const here = [...path, name]
    const isList = [resolve(field).type].flat().includes('array')
    return [...(required.includes(name) ? [] : [{ path: here, isList }]), ...optionalFields(field, here)]
  })
}

/** A copy with the value at the path; undefined where the path leads through what is not there, or is needed itself. */
function withField(body: unknown, path: readonly string[], value: unknown): unknown {
  const copy = structuredClone(body)
  let at = copy
  for (const step of path.slice(0, -1)) {
    if (!isObject(at) || !isObject(at[step])) return undefined
    at = at[step]
  }
  const last = path.at(-1)!
  // What the example has is what it is about.
  if (!isObject(at) || Object.hasOwn(at, last)) return undefined
  at[last] = value
  return copy
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function bodySchema(id: OperationId): Node {
  const body = operationNode(id).requestBody
  if (body === undefined) return {}
  const { content } = resolve(body) as { content: Readonly<Record<string, { readonly schema: Node }>> }
  return content['application/json']!.schema
}
