// Texts in queries, paths and headers that programs read in different ways, or that are nothing but separators. Made from the
// contract, so that a new parameter is covered as it comes.

import { type OperationId, operationIds, operations } from '../src/generated/operations.ts'
import { listParameters, type Parameter, wholeSchema } from '../src/nodes.ts'
import type { BadRequest } from './bad-request.ts'
import { type ExampleCall, exampleCallPath, minimalCall } from './example-calls.ts'

/** JavaScript reads all of these as numbers, other languages some of them, and each as it likes. */
const STRANGE_NUMBERS = ['0x10', '1e1', '0b11', '0o7', ' 5', '5 ', '+5', '1_0', '5.', '.5', '٥', 'NaN', '[5]']
/** As an integer that a double does not hold: it would be taken for 2^53. */
const INEXACT = '9007199254740993'
const SEPARATORS = [',', ',,,', ' ']

const parameterType = ({ schema }: Parameter) => [wholeSchema(schema).type].flat()[0]

/** Whether a value of separators alone is an empty list. */
export function isListOfTexts(parameter: Parameter): boolean {
  const { pattern, format, enum: choices } = wholeSchema(parameter.schema)
  if (parameter.required || parameterType(parameter) !== 'string' || format || choices) return false
  return pattern === undefined || new RegExp(String(pattern), 'u').test(',')
}

function toBadRequest(
  call: ExampleCall,
  parameter: Parameter,
  value: string,
): Pick<BadRequest, 'path' | 'headers'> {
  if (parameter.in === 'header') return { path: exampleCallPath(call), headers: { [parameter.name]: value } }
  return { path: exampleCallPath({ ...call, query: { ...call.query, [parameter.name]: value } }) }
}

function badTextCases(operation: OperationId, parameter: Parameter, values: readonly string[]): BadRequest[] {
  const code = (wholeSchema(parameter.schema)['x-error-code'] ??
    'invalid_parameter') as BadRequest['expect']['code']
  const call = minimalCall(operation)
  return values.map((value) => ({
    name: `${operation} with ${parameter.name} of ${JSON.stringify(value)}`,
    operation,
    method: operations[operation].method,
    body: call.body,
    ...toBadRequest(call, parameter, value),
    expect: { status: 400, code },
  }))
}

/** A server trims the spaces around the value of a header. */
const canBeSent = ({ in: place }: Parameter, value: string) =>
  place !== 'header' || /^[!-~](.*[!-~])?$/.test(value)

/** Not in paths: no path has a number. */
export const badTexts: readonly BadRequest[] = operationIds.flatMap((id) =>
  listParameters(id).flatMap((parameter) => {
    const type = parameterType(parameter)
    if (type === 'integer' || type === 'number') {
      const values = [...STRANGE_NUMBERS, INEXACT].filter((value) => canBeSent(parameter, value))
      return badTextCases(id, parameter, [...values, ...(parameter.in === 'query' ? SEPARATORS : [])])
    }
    if (parameter.in !== 'query' || parameter.required || isListOfTexts(parameter)) return []
    return badTextCases(id, parameter, SEPARATORS)
  }),
)
