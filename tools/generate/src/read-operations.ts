/**
 * Reads from the bundle what the operation table states. It promises that every operation is complete (id, tag,
 * actor, price, and the error codes of each refusal) and that each code stands with the status of the catalogue;
 * what is missing becomes a fault. Whether the prose and the examples are good is left to `redocly lint`.
 */
import {
  type Document,
  METHODS,
  type Method,
  type OperationObject,
  type Parameter,
  type PathItem,
  type Response,
  resolve,
  type Schema,
} from './document.ts'
import type { ErrorCatalogue } from './read-errors.ts'
import { type PriceStage, readChargedFor, readPrice } from './read-price.ts'
import { readSample, readSdkMethod, type ShownSample } from './read-sdk.ts'

const ACTORS: readonly unknown[] = ['detail', 'search', 'account']

export interface StatusEntry {
  readonly errors: readonly string[]
  /** Media types, in the order of the contract. */
  readonly formats: readonly string[]
}

export interface OperationEntry {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly actor: string
  readonly stages: readonly PriceStage[]
  /** What is charged later in place of rows of the response; undefined where the call itself is charged. */
  readonly chargedFor: string | undefined
  readonly statuses: ReadonlyMap<number, StatusEntry>
  readonly hasBody: boolean
  readonly queryParameters: readonly string[]
  /** The method of the SDKs, like `jobs.list`. */
  readonly sdkMethod: string
  /** The parameters that this method takes by position: those of the path, and the required ones of the query. */
  readonly positional: readonly string[]
  readonly sample: ShownSample
  /** The query parameters, and the body fields as dotted paths, that validation fills in when they are absent. */
  readonly queryDefaults: readonly string[]
  readonly bodyDefaults: readonly string[]
}

/** Every operation in the order of the contract's paths. What is wrong goes into `faults`. */
export function readOperations(
  document: Document,
  catalogue: ErrorCatalogue,
  faults: string[],
): readonly OperationEntry[] {
  const entries = Object.entries(document.paths).flatMap(([path, item]) =>
    methodsOf(item).map(([method, operation]) =>
      readOperation(document, { path, method, item, operation }, catalogue, faults),
    ),
  )
  const ids = entries.map((entry) => entry.id)
  for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index)))
    faults.push(`${id}: the operationId is used twice`)
  const methods = entries.map((entry) => entry.sdkMethod)
  for (const { id, sdkMethod } of entries.filter((entry, index) => methods.indexOf(entry.sdkMethod) < index))
    faults.push(`${id}: x-sdk names ${sdkMethod}, the method of another operation`)
  return entries
}

/** The operations of a path in the author's order; what else a path item holds is passed over. */
function methodsOf(item: PathItem): readonly (readonly [Method, OperationObject])[] {
  return Object.keys(item).flatMap((key) => {
    const method = METHODS.find((known) => known === key)
    const operation = method && item[method]
    return method && operation ? [[method, operation] as const] : []
  })
}

interface FoundOperation {
  readonly path: string
  readonly method: Method
  readonly item: PathItem
  readonly operation: OperationObject
}

function readOperation(
  document: Document,
  { path, method, item, operation }: FoundOperation,
  catalogue: ErrorCatalogue,
  faults: string[],
): OperationEntry {
  const id = operation.operationId ?? `${method.toUpperCase()} ${path}`
  const [tag = '', ...otherTags] = operation.tags ?? []
  const actor = operation['x-actor']
  if (!/^[a-z][A-Za-z0-9]*$/.test(id)) faults.push(`${id}: the operationId must be a camelCase name`)
  if (tag === '' || otherTags.length > 0) faults.push(`${id}: exactly one tag is needed`)
  if (!ACTORS.includes(actor)) faults.push(`${id}: x-actor must be one of ${ACTORS.join(', ')}`)
  const parameters = parametersOf(document, item, operation)
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const queryParameters = query.map((parameter) => parameter.name)
  return {
    id,
    method: method.toUpperCase(),
    path,
    tag,
    actor: String(actor),
    stages: readPrice(operation['x-credits'], id, faults),
    chargedFor: readChargedFor(operation, id, faults),
    statuses: readStatuses(document, id, operation.responses ?? {}, catalogue, faults),
    hasBody: operation.requestBody !== undefined,
    queryParameters,
    sdkMethod: readSdkMethod(operation['x-sdk'], id, faults),
    positional: [
      ...parameters.filter((parameter) => parameter.in === 'path'),
      ...query.filter((parameter) => parameter.required),
    ].map((parameter) => parameter.name),
    sample: readSample(operation['x-sample'], queryParameters, id, faults),
    queryDefaults: query
      .filter((parameter) => hasDefault(document, parameter.schema))
      .map((parameter) => parameter.name),
    bodyDefaults: bodyDefaults(document, operation),
  }
}

/** The operation's parameters over those of its path, as OpenAPI has it: the same name and place replaces. */
function parametersOf(document: Document, item: PathItem, operation: OperationObject): Parameter[] {
  const byPlace = new Map<string, Parameter>()
  for (const node of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
    const parameter = resolve(document, node)
    byPlace.set(`${parameter.in} ${parameter.name}`, parameter)
  }
  return [...byPlace.values()]
}

function readStatuses(
  document: Document,
  id: string,
  responses: Readonly<Record<string, Response>>,
  catalogue: ErrorCatalogue,
  faults: string[],
): Map<number, StatusEntry> {
  const statuses = new Map<number, StatusEntry>()
  for (const [key, node] of Object.entries(responses)) {
    const response = resolve(document, node)
    const status = Number(key)
    if (!Number.isInteger(status)) {
      faults.push(`${id}: the response "${key}" is not a status; every status is listed by its number`)
      continue
    }
    const errors = readCodes(`${id} ${status}`, status, response['x-error-codes'], catalogue, faults)
    // A dry run is answered by the engine, the same for all operations: it is not a result of the operation.
    if (response['x-only-with'] !== undefined) continue
    // Neither are the shapes that a parameter asks for: `Accept` does not choose them.
    const formats = Object.entries(response.content ?? {}).filter(([, media]) => !('x-only-with' in media))
    statuses.set(status, { errors, formats: formats.map(([type]) => type) })
  }
  if (![...statuses.keys()].some(isSuccess)) faults.push(`${id}: a success status is missing`)
  return statuses
}

function readCodes(
  place: string,
  status: number,
  codes: unknown,
  catalogue: ErrorCatalogue,
  faults: string[],
): readonly string[] {
  if (status < 400) {
    if (codes !== undefined) faults.push(`${place}: x-error-codes belongs to a refusal only`)
    return []
  }
  if (!Array.isArray(codes) || codes.length === 0) {
    faults.push(`${place}: x-error-codes must list the codes that the operation gives with this status`)
    return []
  }
  for (const code of codes) {
    const entry = catalogue.get(code)
    if (entry === undefined) faults.push(`${place}: ${code} is not in schemas/ErrorCode`)
    else if (entry.status !== status)
      faults.push(`${place}: ${code} goes with ${entry.status}, says the table of schemas/ErrorCode`)
  }
  return codes
}

/** True for a status that tells of success. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

function hasDefault(document: Document, schema: Schema | undefined): boolean {
  return schema !== undefined && resolve(document, schema).default !== undefined
}

function bodyDefaults(document: Document, operation: OperationObject): readonly string[] {
  if (operation.requestBody === undefined) return []
  const schema = resolve(document, operation.requestBody).content?.['application/json']?.schema
  return schema === undefined ? [] : [...fieldsWithDefaults(document, schema)]
}

/**
 * Dotted paths. What stands below `oneOf` and `anyOf` is left out, because validators do not fill it in, unless the only
 * other choice is null.
 */
function fieldsWithDefaults(document: Document, node: Schema): Set<string> {
  const schema = resolve(document, node)
  const parts = [...(schema.allOf ?? []), ...orNull(document, schema)]
  const inherited = parts.flatMap((part) => [...fieldsWithDefaults(document, part)])
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    ...(hasDefault(document, field) ? [name] : []),
    ...[...fieldsWithDefaults(document, field)].map((below) => `${name}.${below}`),
  ])
  return new Set([...inherited, ...own])
}

/** The schema of a value that is of this schema or null. */
function orNull(document: Document, { anyOf = [] }: Schema): readonly Schema[] {
  const others = anyOf.filter((part) => resolve(document, part).type !== 'null')
  return others.length === 1 && others.length < anyOf.length ? others : []
}
