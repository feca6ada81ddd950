// Finds specification extensions that a policy does not know. A document that has one is refused: it may mean something to
// callers, and a change of it would go unnoticed.

import { type Contract, UsageError } from './document.ts'
import { isArray, isObject, type JsonObject, type JsonValue } from './json.ts'
import type { ExtensionPlace, Policy } from './policy.ts'

/** What a node of a document is, as far as extensions are concerned. */
type NodeKind =
  | 'document'
  | 'components'
  | 'path'
  | 'operation'
  | 'parameter'
  | 'header'
  | 'body'
  | 'mediaType'
  | 'responses'
  | 'response'
  | 'schema'
  | 'securityScheme'
  | 'other'

/** What stands below a key: a node, a list of nodes, or nodes by names that may be anything, also `x-…`. */
type ChildNodes = readonly ['one' | 'list' | 'map', NodeKind]

const HTTP_METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const SCHEMA_KEYS: Readonly<Record<'one' | 'list' | 'map', readonly string[]>> = {
  one: [
    'items',
    'additionalProperties',
    'unevaluatedProperties',
    'unevaluatedItems',
    'propertyNames',
    'not',
    'if',
    'then',
    'else',
    'contains',
    'contentSchema',
  ],
  list: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
  map: ['properties', 'patternProperties', 'dependentSchemas', '$defs'],
}

const WITH_SCHEMA: Readonly<Record<string, ChildNodes>> = {
  schema: ['one', 'schema'],
  content: ['map', 'mediaType'],
  examples: ['map', 'other'],
}

const LAYOUT: Readonly<Record<NodeKind, Readonly<Record<string, ChildNodes>>>> = {
  document: {
    info: ['one', 'other'],
    servers: ['list', 'other'],
    tags: ['list', 'other'],
    externalDocs: ['one', 'other'],
    paths: ['map', 'path'],
    webhooks: ['map', 'path'],
    components: ['one', 'components'],
  },
  components: {
    schemas: ['map', 'schema'],
    responses: ['map', 'response'],
    parameters: ['map', 'parameter'],
    headers: ['map', 'header'],
    requestBodies: ['map', 'body'],
    pathItems: ['map', 'path'],
    securitySchemes: ['map', 'securityScheme'],
    examples: ['map', 'other'],
    links: ['map', 'other'],
  },
  path: {
    parameters: ['list', 'parameter'],
    servers: ['list', 'other'],
    ...Object.fromEntries(HTTP_METHODS.map((method) => [method, ['one', 'operation'] as const])),
  },
  operation: {
    parameters: ['list', 'parameter'],
    requestBody: ['one', 'body'],
    responses: ['one', 'responses'],
    servers: ['list', 'other'],
  },
  parameter: WITH_SCHEMA,
  header: WITH_SCHEMA,
  body: { content: ['map', 'mediaType'] },
  mediaType: { schema: ['one', 'schema'], encoding: ['map', 'response'], examples: ['map', 'other'] },
  responses: {},
  response: {
    headers: ['map', 'header'],
    content: ['map', 'mediaType'],
    links: ['map', 'other'],
  },
  schema: {
    ...Object.fromEntries(
      Object.entries(SCHEMA_KEYS).flatMap(([how, keys]) =>
        keys.map((key) => [key, [how, 'schema'] as ChildNodes] as const),
      ),
    ),
    discriminator: ['one', 'other'],
    xml: ['one', 'other'],
    externalDocs: ['one', 'other'],
  },
  securityScheme: { flows: ['map', 'other'] },
  other: {},
}

/** Where each place of an extension is written. */
const KINDS: Readonly<Record<ExtensionPlace, NodeKind>> = {
  operation: 'operation',
  response: 'response',
  content: 'mediaType',
  header: 'header',
  input: 'schema',
  output: 'schema',
}

/**
 * @throws UsageError that names the first extension in the document that the policy does not name, or that stands where the
 *   policy compares nothing
 */
export function refuseUnknownExtensions(contract: Contract, policy: Policy): void {
  if (!policy.refusesUnknown) return
  const known = new Map<string, Set<NodeKind>>()
  const add = (keyword: string, kind: NodeKind) =>
    known.set(keyword, (known.get(keyword) ?? new Set<NodeKind>()).add(kind))
  for (const { keyword, on } of policy.extensions) for (const place of on) add(keyword, KINDS[place])
  for (const keyword of policy.openEnums) add(keyword, 'schema')

  const visit = (node: JsonValue | undefined, kind: NodeKind, path: readonly string[]): void => {
    if (!isObject(node)) return
    for (const [key, value] of Object.entries(node)) {
      if (key.startsWith('x-')) judge(key, kind, path)
      else visitBelow(value, belowOf(kind, key), [...path, key])
    }
  }
  const visitBelow = (value: JsonValue, below: ChildNodes | undefined, path: readonly string[]): void => {
    if (below === undefined) return
    const [how, kind] = below
    if (how === 'one') visit(value, kind, path)
    else if (how === 'map') {
      for (const [name, node] of entriesOf(value)) visit(node, kind, [...path, name])
    } else if (isArray(value)) {
      for (const [index, node] of value.entries()) visit(node, kind, [...path, String(index)])
    }
  }
  const judge = (keyword: string, kind: NodeKind, path: readonly string[]): void => {
    if (policy.ignored.has(keyword) || known.get(keyword)?.has(kind)) return
    const place = `${contract.name} has ${keyword} at ${path.join(' → ')}`
    if (known.has(keyword)) {
      const kinds = [...known.get(keyword)!].join(' or ')
      throw new UsageError(`${place}, where it is not compared. The policy lists it only for each ${kinds}.`)
    }
    throw new UsageError(
      `${place}, and the policy does not name it. Add it to \`extensions\` of the policy file: say how it is ` +
        'compared, or with `compare: ignored` and a `reason` why no caller depends on it.',
    )
  }
  visit(contract.root, 'document', [])
}

function belowOf(kind: NodeKind, key: string): ChildNodes | undefined {
  if (kind === 'responses') return ['one', 'response']
  const layout = LAYOUT[kind]
  return Object.hasOwn(layout, key) ? layout[key] : undefined
}

function entriesOf(value: JsonValue): readonly (readonly [string, JsonValue])[] {
  return isObject(value) ? Object.entries(value as JsonObject) : []
}
