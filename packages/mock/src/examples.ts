// The examples of the contract, given out by Prism. This file decides which one is wanted (operation, status, name) and
// refuses what the contract has not; Prism negotiates the format, and makes up bodies for `Prefer: dynamic=true`.
// Prism's own validation and its own errors are never used: input is judged before, as the service judges it.

import { type OperationId, openapi, operationIds, operations } from '@lotline/contract'
import { resolve } from '@lotline/contract/nodes'
import { isFormat } from './formats.ts'
import type { Preference } from './prefer.ts'
import { mockByPrism } from './prism.ts'
import type { Refusal } from './refusal.ts'

export interface ExamplePreference {
  readonly status: number
  readonly example?: string
  readonly dynamic: boolean
  readonly seed?: string
}

export interface Example {
  readonly status: number
  /** undefined if the response has no body. */
  readonly mediaType: string | undefined
  /** A JSON value, or a text for other media types. */
  readonly body: unknown
  /** What the contract shows as the value of each header that it documents for the answer. */
  readonly headers: Readonly<Record<string, string>>
}

export interface Examples {
  /** What a preference asks for; without one the success with `usualStatus`. */
  choose(operationId: OperationId, preference: Preference, usualStatus: number): ExamplePreference | Refusal
  /** @param mediaTypes acceptable ones, best first; JSON is the fallback, as errors and jobs have nothing else */
  give(
    operationId: OperationId,
    wanted: ExamplePreference,
    mediaTypes: readonly string[],
  ): Promise<Example | Refusal>
  /** The media type of a named example that is in none of the types that a caller can choose with `Accept` or `format`. */
  specialType(operationId: OperationId, wanted: ExamplePreference): string | undefined
  /** The body of an example, or of the first one where none has that name. */
  jsonBody(operationId: OperationId, status: number, example?: string): unknown
}

const JSON_TYPE = 'application/json'

export const examples: Examples = { choose, give, specialType, jsonBody }

async function give(
  operationId: OperationId,
  wanted: ExamplePreference,
  mediaTypes: readonly string[],
): Promise<Example | Refusal> {
  const dynamic = wanted.dynamic && wanted.example === undefined && wanted.status < 300
  const special = specialType(operationId, wanted)
  const result = await mockByPrism(operationId, {
    dynamic,
    code: wanted.status,
    mediaTypes: special ? [special] : [...(dynamic ? [] : mediaTypes), `${JSON_TYPE};q=0.001`],
    ...(wanted.example !== undefined && { exampleKey: wanted.example }),
    ...(wanted.seed !== undefined && { seed: wanted.seed }),
  })
  if (result._tag === 'Left') return notInThatFormat(wanted)
  const { statusCode, headers, body } = result.right
  const { 'Content-type': mediaType, ...documented } = { ...headers }
  const hasBody = exampleNames(operationId, statusCode).length > 0
  return {
    status: statusCode,
    mediaType: hasBody ? mediaType : undefined,
    body: hasBody ? body : undefined,
    headers: Object.fromEntries(Object.entries(documented).map(([name, value]) => [name, String(value)])),
  }
}

function choose(
  operationId: OperationId,
  preference: Preference,
  usualStatus: number,
): ExamplePreference | Refusal {
  const { example, dynamic, seed } = preference
  const status =
    preference.code ?? (example === undefined ? usualStatus : findStatusWithExample(operationId, example))
  if (status === undefined || !EXAMPLES_BY_OPERATION[operationId].has(status)) {
    const known = [...EXAMPLES_BY_OPERATION[operationId].keys()]
    return status === undefined
      ? unknownPreference(
          `${operationId} has no example ${example}`,
          known.flatMap((of) => exampleNames(operationId, of)),
        )
      : unknownPreference(`${operationId} never answers ${status}`, known)
  }
  const names = exampleNames(operationId, status)
  if (example !== undefined && !names.includes(example)) {
    return unknownPreference(`${operationId} has no example ${example} with the status ${status}`, names)
  }
  return { status, dynamic, ...(example !== undefined && { example }), ...(seed !== undefined && { seed }) }
}

function specialType(operationId: OperationId, { status, example }: ExamplePreference): string | undefined {
  if (example === undefined) return undefined
  const byMediaType = [...(EXAMPLES_BY_OPERATION[operationId].get(status) ?? [])]
  const types = byMediaType.filter(([, examples]) => examples.has(example)).map(([type]) => type)
  return types.some(isFormat) ? undefined : types[0]
}

function jsonBody(operationId: OperationId, status: number, example?: string): unknown {
  const examples = EXAMPLES_BY_OPERATION[operationId].get(status)?.get(JSON_TYPE)
  const name = example !== undefined && examples?.has(example) ? example : examples?.keys().next().value
  return name === undefined ? undefined : examples?.get(name)
}

/** The bodies of an operation's answers by status, media type and name of the example. */
type ExamplesByStatus = ReadonlyMap<number, ReadonlyMap<string, ReadonlyMap<string, unknown>>>

const EXAMPLES_BY_OPERATION = Object.fromEntries(
  operationIds.map((id) => [id, examplesByStatus(id)]),
) as Readonly<Record<OperationId, ExamplesByStatus>>

function examplesByStatus(operationId: OperationId): ExamplesByStatus {
  const { path, method } = operations[operationId]
  const { responses } = resolve(openapi.paths[path]?.[method.toLowerCase()])
  return new Map(
    Object.entries(responses as object).map(([status, response]) => [
      Number(status),
      new Map(
        Object.entries(resolve(response).content ?? {}).map(([mediaType, content]) => [
          mediaType,
          new Map(
            Object.entries((content as { examples?: object }).examples ?? {}).map(([name, example]) => [
              name,
              resolve(example).value,
            ]),
          ),
        ]),
      ),
    ]),
  )
}

/** Successes first, since the contract lists statuses in ascending order. */
function findStatusWithExample(operationId: OperationId, example: string): number | undefined {
  return [...EXAMPLES_BY_OPERATION[operationId].keys()].find((status) =>
    exampleNames(operationId, status).includes(example),
  )
}

function exampleNames(operationId: OperationId, status: number): readonly string[] {
  const byMediaType =
    EXAMPLES_BY_OPERATION[operationId].get(status) ?? new Map<string, ReadonlyMap<string, unknown>>()
  return [...new Set([...byMediaType.values()].flatMap((examples) => [...examples.keys()]))]
}

function notInThatFormat({ example, status }: ExamplePreference): Refusal {
  return refusePreference(`The contract has no example ${example} with the status ${status} in this format.`)
}

function unknownPreference(problem: string, known: readonly (string | number)[]): Refusal {
  return refusePreference(`In the contract, ${problem}. Use one of ${known.join(', ')}.`)
}

/** Only the mock answers this, so that a mistyped name is not taken for an answer of the service. */
function refusePreference(message: string): Refusal {
  return { code: 'invalid_parameter', message, details: { parameter: 'Prefer' } }
}
