// Makes the calls that are recorded, from the contract and from the tables of calls that the tests of the service and the
// mock send: every operation, every parameter, and every field of a body; valid and not; and valid ones in combination.

import { type OperationId, operationIds, operations } from '@lotline/contract'
import { badRequests } from '@lotline/contract/bad-requests'
import { type ExampleCall, everyExampleCall, minimalCall } from '@lotline/contract/example-calls'
import {
  bodyExamples,
  listParameters,
  type Node,
  operationNode,
  type Parameter,
  resolve,
} from '@lotline/contract/nodes'
import {
  emptyInputs,
  estimatedInputs,
  unknownInputs,
  unreadSearchUrls,
  unusedInputs,
} from '@lotline/contract/odd-inputs'
import { refusedAreas } from '@lotline/contract/refused-areas'
import { type BodyChange, changesOf, withChange } from './body-values.ts'
import { type CallVerdict, type RecordedCall, textOf } from './call.ts'
import { unique, valuesOf } from './values.ts'

/** Larger bodies are about the size or the depth of a body, which the schemas do not judge. */
const MAX_CHARACTERS = 20_000

/** Calls with several valid changes, for each operation. */
const COMBINATIONS = 40

/** @param judge tells which changes are valid, so that they can be combined */
export function makeCalls(judge: (call: RecordedCall) => CallVerdict): readonly RecordedCall[] {
  const calls = [...operationIds.flatMap((id) => callsOf(id, judge)), ...tables()]
  const texts = new Map(calls.map((call) => [textOf(call), call]))
  return [...texts].flatMap(([text, call]) => (text.length > MAX_CHARACTERS ? [] : [call]))
}

function callsOf(id: OperationId, judge: (call: RecordedCall) => CallVerdict): RecordedCall[] {
  const minimal = callFrom(minimalCall(id))
  const examples = everyExampleCall(id).map(({ call }) => callFrom(call))
  const bodies = Object.values(bodyExamples(id))
  const ofParameters = listParameters(id).flatMap((parameter) =>
    textsOf(parameter).map((text) => withParameter(minimal, parameter, text)),
  )
  const changes = bodies.length === 0 ? [] : changesOf(bodySchema(id), bodies)
  const ofBody = changes.map((change) => ({ ...minimal, body: withChange(minimal.body, change) }))
  const others = bodies.length === 0 ? [] : [null, [], 'text', 1, {}].map((body) => ({ ...minimal, body }))
  return [
    minimal,
    ...examples,
    ...ofParameters,
    ...ofBody,
    ...others,
    ...combinationsOf(minimal, changes, ofParameters, judge),
  ]
}

/** Always the same ones. */
function combinationsOf(
  minimal: RecordedCall,
  changes: readonly BodyChange[],
  ofParameters: readonly RecordedCall[],
  judge: (call: RecordedCall) => CallVerdict,
): RecordedCall[] {
  const isValid = (call: RecordedCall) => judge(call).code === undefined
  const valid = changes.filter((change) => isValid({ ...minimal, body: withChange(minimal.body, change) }))
  const queries = ofParameters.filter(isValid)
  if (valid.length + queries.length < 4) return []
  const random = randomFrom(minimal.id.length)
  return Array.from({ length: COMBINATIONS }, () => {
    let call = minimal
    for (let count = 0; count < 4; count++) {
      const change = valid[Math.floor(random() * valid.length)]
      const { query, headers } = queries[Math.floor(random() * queries.length)] ?? {}
      call = {
        ...call,
        query: { ...call.query, ...query },
        headers: { ...call.headers, ...headers },
        ...(change && { body: withChange(call.body, change) }),
      }
    }
    return call
  })
}

/** Numbers from 0 to 1, always the same for one seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function callFrom({ id, params, query, body }: ExampleCall): RecordedCall {
  return {
    id,
    ...(Object.keys(params).length > 0 && { params }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(body !== undefined && { body }),
  }
}

function textsOf(parameter: Parameter): string[] {
  const shown = parameter.examples ? Object.values(parameter.examples).map(({ value }) => value) : []
  const values = [parameter.example ?? '', ...shown, ...valuesOf(parameter.schema)]
  return unique(values.filter((value) => value !== null).map(toText))
}

function toText(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : typeof value === 'object' ? '{}' : String(value)
}

const GROUPS = { path: 'params', query: 'query', header: 'headers' } as const

function withParameter(call: RecordedCall, { name, in: place }: Parameter, text: string): RecordedCall {
  const group = GROUPS[place]
  return { ...call, [group]: { ...call[group], [place === 'header' ? name.toLowerCase() : name]: text } }
}

function bodySchema(id: OperationId): unknown {
  const { content } = resolve(operationNode(id).requestBody) as { content: Readonly<Record<string, Node>> }
  return content['application/json']!.schema
}

/** The calls of the tables that the service and the mock are tested with. */
function tables(): RecordedCall[] {
  const odd = [...emptyInputs, ...unknownInputs, ...unreadSearchUrls, ...unusedInputs, ...estimatedInputs]
  const bodyOf = (id: OperationId) => minimalCall(id).body as { readonly filters?: object }
  const areas = (['searchListings', 'createWatch'] as const).flatMap((id) =>
    refusedAreas.map(({ area }) => ({
      ...callFrom(minimalCall(id)),
      body: { ...bodyOf(id), filters: { ...bodyOf(id).filters, area } },
    })),
  )
  return [
    ...odd.flatMap(({ call, plain }) => [callFrom(call), callFrom(plain)]),
    ...areas,
    ...ofBadRequests(),
  ]
}

/** The bad requests that reach an operation with a JSON body. */
function ofBadRequests(): RecordedCall[] {
  return badRequests.flatMap(({ operation, path, headers = {}, body, authorization }) => {
    if (operation === undefined || authorization !== undefined || body instanceof Uint8Array) return []
    const template = operations[operation].path
    const names = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
    const [ownPath = '', search] = path.split('?', 2)
    const found = new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '([^/]*)')}$`).exec(ownPath)
    const json = toJson(body)
    const values = found && decode(found.slice(1))
    if (!values || json === NO_JSON) return []
    const query: Record<string, string | string[]> = {}
    for (const [name, value] of new URLSearchParams(search)) {
      const known = query[name]
      query[name] = known === undefined ? value : [known, value].flat()
    }
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    const params = Object.fromEntries(names.map((name, index) => [name, values[index]!]))
    return [{ ...callFrom({ id: operation, params, query, body: json }), headers: Object.fromEntries(lower) }]
  })
}

/** Undefined for what is no part of a URL. */
function decode(parts: readonly string[]): string[] | undefined {
  try {
    return parts.map(decodeURIComponent)
  } catch {
    return undefined
  }
}

const NO_JSON = Symbol('a body that is not JSON')

function toJson(body: unknown): unknown {
  if (typeof body !== 'string') return body
  try {
    return JSON.parse(body)
  } catch {
    return NO_JSON
  }
}
