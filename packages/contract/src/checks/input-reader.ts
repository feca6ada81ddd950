// Reads the input of a call and collects the parts that have no effect.
//
// An optional field that is null, an optional list without entries, and an optional query parameter without a value mean the
// same as an absent one: clients in several languages send them for values that were never set. The contract permits each of
// them: the type of the field includes null, the list has no `minItems`, the parameter has `allowEmptyValue`. In a PATCH, null
// is a value of its own, and the handler knows what it clears. A list that must have entries is refused without any: a key
// with `allowed_operations: []` would otherwise have all operations. Input without effect is collected, so that the response can name it: fields that the contract
// does not know, and fields that it knows and this call does not use. The service and the mock both read input through this
// before they validate it. Ignored parts of search URLs and unknown names in `fields` are found later.

import type { OperationId } from '../generated/operations.ts'
import { operations } from '../generated/operations.ts'
import { listParameters, type Node, operationNode, type Parameter, resolve, wholeSchema } from '../nodes.ts'
import { isSearchJob } from '../search-mode.ts'
import { readOnlyFields } from './sent-back.ts'

/** The maximum number of names in one response. Further names are omitted. */
export const MAX_IGNORED = 20
/** The maximum length of one name, in characters. Longer names are truncated. */
export const MAX_IGNORED_LENGTH = 80

export interface ReadableInput {
  /** Names with their values: texts, or lists of texts where a name was given several times. */
  readonly query: unknown
  /** With names in lower case. */
  readonly headers?: unknown
  readonly body?: unknown
  /** Whether the client sent a body although the operation takes none. */
  readonly hasUnreadBody?: boolean
}

/**
 * Removes, in place, what means the same as absent, and returns the names of what has no effect: dotted paths into the
 * body (`filters.pirce`, `searchUrls.0.note`), names of query parameters, `Idempotency-Key` where it is not stored, and
 * `body` where none is read; at most `MAX_IGNORED`. undefined: everything is used. What must be there is left for the
 * validator to judge.
 */
export type ReadInput = (input: ReadableInput, places?: Places) => string[] | undefined

/** The prefixes of names in the query and in the body: empty, unless the input is nested in other input. */
interface Places {
  readonly query: string
  readonly body: string
}

const CALL_PLACES: Places = { query: '', body: '' }

/** The input of a call inside the body of POST /v1/estimate. */
export interface EstimatedInput {
  readonly path?: object | undefined
  readonly query?: object | undefined
  readonly body?: unknown
}

/** The prefix of body fields of an estimated call. */
export const ESTIMATED_BODY = 'input.body.'
const ESTIMATED_PLACES: Places = { query: 'input.query.', body: ESTIMATED_BODY }

/**
 * Reads the input of an estimated call as `inputReader` reads that of the call itself. The names are places in the body of the
 * estimate, such as `input.body.filters.pirce`. The body is changed in place, path and query are copied.
 *
 * @param headers of the estimate: a limit in `X-Max-Credits` is that of the estimated call too, because clients send it with each call
 */
export function readEstimatedInput(
  operationId: OperationId,
  { path = {}, query = {}, body }: EstimatedInput,
  headers: JsonRecord = {},
): {
  readonly input: { params: JsonRecord; query: JsonRecord; headers: JsonRecord; body: unknown }
  readonly ignored: string[]
} {
  const known = listParameters(operationId).flatMap(({ in: place, name }) => (place === 'path' ? [name] : []))
  const unknown = Object.keys(path).filter((name) => !known.includes(name))
  // JSON can express an unset parameter in more ways than a URL.
  const said = Object.entries(query).filter(([, value]) => value !== null && !isEmptyList(value))
  const maxCredits = headers['x-max-credits']
  const limit: JsonRecord = maxCredits === undefined ? {} : { 'x-max-credits': maxCredits }
  const input = { params: { ...path }, query: Object.fromEntries(said), headers: limit, body }
  const hasUnreadBody = !operations[operationId].hasBody && body !== undefined && body !== null
  const ignored = inputReader(operationId)({ ...input, hasUnreadBody }, ESTIMATED_PLACES) ?? []
  const all = [...unknown.map((name) => shortenFieldName(`input.path.${name}`)), ...ignored]
  return { input, ignored: all.slice(0, MAX_IGNORED) }
}

/** The fields that the contract defines at one place of a body. */
interface InputShape {
  /** undefined if no fields are defined, so that no field is unknown. */
  readonly fields: ReadonlyMap<string, InputField> | undefined
  /** The validator refuses unknown fields here. */
  readonly isClosed: boolean
  readonly items: InputShape | undefined
  /** For an object with a `type`, the fields that each type uses. */
  readonly usedByType: Readonly<Record<string, readonly string[]>> | undefined
  /** Alternative spellings of fields. undefined if there are none. */
  readonly spellings: ReadonlyMap<string, string> | undefined
}

interface InputField {
  readonly shape: InputShape
  /** The field is a list that may be empty. */
  readonly isList: boolean
  readonly isRequired: boolean
  /** In a PATCH body, null is a value: it clears the field. */
  readonly keepsNull: boolean
  /** The field is accepted but has no effect. */
  readonly isUnused: boolean
  /** An alternative name of the field. */
  readonly otherSpelling: string | undefined
}

type JsonRecord = Record<string, unknown>

/** A list parameter without entries: the text has no characters except separators. */
const EMPTY_LIST = /^[ ,]*$/

const readers = new Map<OperationId, ReadInput>()

/** Returns the input reader of an operation. It is created once. */
export function inputReader(operationId: OperationId): ReadInput {
  const known = readers.get(operationId)
  if (known) return known
  const reader = createInputReader(operationId)
  readers.set(operationId, reader)
  return reader
}

function createInputReader(operationId: OperationId): ReadInput {
  const parameters = new Map(
    listParameters(operationId)
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => [parameter.name, createAbsence(parameter)]),
  )
  const body = operations[operationId].hasBody
    ? readShape(bodySchema(operationId), operations[operationId].method === 'PATCH')
    : undefined
  const addUnused = findUnused(operationId)
  // Read-only fields are checked later, when the resource is known.
  const readOnly = new Set(readOnlyFields(operationId).map(({ name }) => name))

  return (input, places = CALL_PLACES) => {
    const ignored = new Names()
    readQuery(input.query as JsonRecord, parameters, places.query, ignored)
    if (body && isObject(input.body)) readObject(input.body, body, places.body, ignored, readOnly)
    addUnused(input, places, ignored)
    return ignored.list
  }
}

const KEY_HEADER = 'Idempotency-Key'

/** Names what the contract knows and this call does not use, depending on the operation and on how the call is answered. */
function findUnused(
  operationId: OperationId,
): (input: ReadableInput, places: Places, ignored: Names) => void {
  const { statuses, queryParameters } = operations[operationId]
  const takesKey = listParameters(operationId).some(({ name }) => name === KEY_HEADER)
  const isSearch = takesKey && 200 in statuses && 202 in statuses
  const unused = (operationNode(operationId)['x-unused-input'] ?? []) as string[]

  return ({ query, headers, body, hasUnreadBody }, places, ignored) => {
    for (const path of unused) if (valueAt(body, path) !== undefined) ignored.add(places.body + path)
    const isJob = isSearch ? isSearchJob(isObject(body) ? body : {}) : takesKey
    if (isSearch && isJob) {
      // A 202 is always JSON, and a search that must be a job is one whatever `async` says.
      for (const name of ['format', 'shape'])
        if (queryParameters.includes(name) && (query as JsonRecord)[name] !== undefined)
          ignored.add(`${places.query}${name}`)
      if (valueAt(body, 'async') === false) ignored.add(`${places.body}async`)
    }
    // A client that repeats such a call in the belief that it is safe would be charged twice.
    if (!isJob && isObject(headers) && headers[KEY_HEADER.toLowerCase()] !== undefined)
      ignored.add(KEY_HEADER)
    if (hasUnreadBody) ignored.add(places.body.slice(0, -1) || 'body')
  }
}

function valueAt(body: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((at: unknown, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), body)
}

/** The list is created only when needed, because most calls contain no unknown input. */
class Names {
  list: string[] | undefined

  add(name: string): void {
    this.list ??= []
    if (this.list.length < MAX_IGNORED) this.list.push(shortenFieldName(name))
  }
}

/** Truncates a name to its maximum length, without half a surrogate pair at the end. */
export function shortenFieldName(name: string): string {
  return (
    name.length > MAX_IGNORED_LENGTH ? `${name.slice(0, MAX_IGNORED_LENGTH - 1)}…` : name
  ).toWellFormed()
}

/** The maximum length of the X-Ignored-Input header, in characters. */
const MAX_HEADER_LENGTH = 1000

/** The names as the value of the header X-Ignored-Input. Names that would make it too long are left out. */
export function ignoredHeader(names: readonly string[]): string {
  let value = ''
  for (const name of names) {
    const item = `${value && ', '}${encodeURI(name).replaceAll(',', '%2C')}`
    if (value.length + item.length > MAX_HEADER_LENGTH) break
    value += item
  }
  return value
}

/** Whether a query parameter value means the same as an absent parameter. */
type IsAbsent = (value: string) => boolean

/** Only a list may consist of commas. A client that sends `bbox=,,,` means an area. */
function createAbsence({ required, allowEmptyValue, schema }: Parameter): IsAbsent {
  if (required) return () => false
  const { type, pattern, format, enum: choices } = wholeSchema(schema)
  const isText = type === 'string' && format === undefined && choices === undefined
  const isFree = isText && pattern === undefined
  const form = isText && pattern !== undefined ? new RegExp(String(pattern), 'u') : undefined
  return (value) =>
    value === '' ? allowEmptyValue === true : EMPTY_LIST.test(value) && (isFree || form?.test(value) === true)
}

function readQuery(
  query: JsonRecord,
  parameters: ReadonlyMap<string, IsAbsent>,
  place: string,
  ignored: Names,
): void {
  for (const name in query) {
    const isAbsent = parameters.get(name)
    const value = query[name]
    if (isAbsent === undefined) {
      if (value !== '') ignored.add(place + name)
    } else if (typeof value === 'string' && isAbsent(value)) delete query[name]
  }
}

function readObject(
  value: JsonRecord,
  shape: InputShape,
  path: string,
  ignored: Names,
  readOnly: ReadonlySet<string> = NO_FIELDS,
): void {
  const { fields } = shape
  if (!fields) return
  if (shape.usedByType) {
    const altitude =
      findAltitude(value.coordinates, `${path}coordinates`) ?? findAltitude(value.center, `${path}center`)
    if (altitude !== undefined) ignored.add(altitude)
  }
  for (const [other, name] of shape.spellings ?? []) {
    // If both spellings are sent, the contract name applies and the other one is reported as ignored.
    if (!Object.hasOwn(value, other) || Object.hasOwn(value, name)) continue
    value[name] = value[other]
    delete value[other]
  }
  for (const name of Object.keys(value)) {
    const field = fields.get(name)
    const inner = value[name]
    const isEmpty = inner === null || (Array.isArray(inner) && inner.length === 0)
    if (!field) {
      if (shape.isClosed) continue
      if (isEmpty) delete value[name]
      else if (!(path === '' && readOnly.has(name))) ignored.add(path + name)
    } else if (inner === null && field.keepsNull) continue
    else if (!field.isRequired && (inner === null || (isEmpty && field.isList))) delete value[name]
    else {
      if ((field.isUnused && inner !== '') || isOfAnotherType(value, shape, name)) ignored.add(path + name)
      readValue(inner, field.shape, `${path}${name}.`, ignored)
    }
  }
}

const NO_FIELDS: ReadonlySet<string> = new Set()

/** Lists around a position in the coordinates of a MultiPolygon. What is nested deeper is no position. */
const COORDINATES_DEPTH = 3

/** The place of the first position with an altitude: positions may have one, and no search uses it. */
function findAltitude(value: unknown, path: string, depth = 0): string | undefined {
  if (!Array.isArray(value) || depth > COORDINATES_DEPTH) return undefined
  if (typeof value[0] === 'number') return value.length > 2 ? `${path}.2` : undefined
  for (const [index, inner] of value.entries()) {
    const found = findAltitude(inner, `${path}.${index}`, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether an object with this `type` ignores the field. */
function isOfAnotherType({ type }: JsonRecord, { usedByType }: InputShape, name: string): boolean {
  if (!usedByType || name === 'type' || typeof type !== 'string' || !Object.hasOwn(usedByType, type))
    return false
  return !usedByType[type]!.includes(name)
}

function readValue(value: unknown, shape: InputShape, path: string, ignored: Names): void {
  if (isObject(value)) readObject(value, shape, path, ignored)
  else if (Array.isArray(value) && shape.items?.fields) {
    for (const [index, item] of value.entries()) {
      if (isObject(item)) readObject(item, shape.items, `${path}${index}.`, ignored)
    }
  }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function isObject(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function bodySchema(operationId: OperationId): Node {
  const { content } = resolve(operationNode(operationId).requestBody) as {
    content: Readonly<Record<string, { readonly schema: Node }>>
  }
  return content['application/json']!.schema
}

/** The schemas of input have no cycles. */
function readShape(node: Node, isPatch = false): InputShape {
  const parts = flattenSchema(node)
  const fields = new Map<string, InputField>()
  const required = new Set(
    parts.filter(isAlways).flatMap(({ node: { required = [] } }) => required as string[]),
  )
  for (const part of parts) {
    for (const [name, schema] of Object.entries(
      (part.node.properties ?? {}) as Readonly<Record<string, Node>>,
    )) {
      if (fields.has(name)) continue
      fields.set(name, {
        shape: readShape(schema),
        isList: flattenSchema(schema).some(isListOfAnyLength),
        isRequired: required.has(name),
        keepsNull: isPatch && flattenSchema(schema).some(({ node: { type } }) => includesType(type, 'null')),
        isUnused: resolve(schema)['x-unused'] === true,
        otherSpelling: resolve(schema)['x-other-spelling'] as string | undefined,
      })
    }
  }
  const items = parts.find((part) => part.node.items !== undefined)?.node.items as Node | undefined
  return {
    fields: fields.size > 0 ? fields : undefined,
    isClosed: parts.some((part) => part.node.additionalProperties === false),
    items: items && readShape(items),
    spellings: indexSpellings(fields),
    usedByType: parts.find((part) => part.node['x-used-by-type'])?.node['x-used-by-type'] as
      | InputShape['usedByType']
      | undefined,
  }
}

interface SchemaPart {
  readonly node: Node
  /** Whether the schema applies to every value and not only to one alternative. */
  readonly isAlways: boolean
}

/** The schema and the schemas that it is composed of. */
function flattenSchema(node: Node, isAlways = true): SchemaPart[] {
  const own = resolve(node)
  const inner = (key: string) => {
    const parts = (own[key] ?? []) as Node[]
    // One schema or null: the schema applies to every value that is not null.
    const isOne = key === 'allOf' || parts.filter(({ type }) => type !== 'null').length === 1
    return parts.flatMap((part) => flattenSchema(part, isAlways && isOne))
  }
  return [{ node: own, isAlways }, ...inner('allOf'), ...inner('anyOf'), ...inner('oneOf')]
}

function indexSpellings(fields: ReadonlyMap<string, InputField>): InputShape['spellings'] {
  const pairs = [...fields].flatMap(([name, { otherSpelling }]): [string, string][] =>
    otherSpelling === undefined ? [] : [[otherSpelling, name]],
  )
  return pairs.length > 0 ? new Map(pairs) : undefined
}

function isAlways(part: SchemaPart): boolean {
  return part.isAlways
}

function isListOfAnyLength({ node: { type, minItems = 0 } }: SchemaPart): boolean {
  return includesType(type, 'array') && minItems === 0
}

function includesType(types: unknown, type: 'array' | 'null'): boolean {
  return [types].flat().includes(type)
}
