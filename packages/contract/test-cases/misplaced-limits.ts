// Limits on the charge that are where the contract has none: of every operation that costs something, and of its estimate.

import { type OperationId, operationIds, operations } from '../src/generated/operations.ts'
import { isCharged } from '../src/index.ts'
import type { BadRequest } from './bad-request.ts'
import { exampleCallPath, minimalCall } from './example-calls.ts'

const CHARGED = operationIds.filter((id) => isCharged(operations[id]))

interface MisplacedLimit {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

function requestTo(
  operation: OperationId,
  name: string,
  { query, body, headers }: MisplacedLimit,
): BadRequest {
  const call = minimalCall(operation)
  return {
    name: `${operation} with ${name}`,
    operation,
    method: operations[operation].method,
    path: exampleCallPath({ ...call, query: { ...call.query, ...query } }),
    body: body ? { ...(call.body as object), ...body } : call.body,
    ...(headers && { headers }),
    expect: { status: 400, code: 'invalid_parameter' },
  }
}

const ofCalls = CHARGED.flatMap((id) => [
  ...['maxCredits', 'max-credits', 'X-Max-Credits', 'MAX_CREDITS', 'max_credits[]'].map((name) =>
    requestTo(id, `the limit ${name} in the query`, { query: { [name]: '0' } }),
  ),
  ...(operations[id].hasBody
    ? ['max_credits', 'MaxCredits', 'x-max-credits'].map((name) =>
        requestTo(id, `the limit ${name} in the body`, { body: { [name]: 0 } }),
      )
    : []),
])

/** The events of a watch are charged later, so that no limit of the call can hold for them. */
const ofWatches = [
  requestTo('createWatch', 'a limit of credits in its header', { headers: { 'x-max-credits': '0' } }),
  requestTo('createWatch', 'a limit of credits in its body', { body: { maxCredits: 0 } }),
  requestTo('createWatch', 'a limit of credits in its query', { query: { max_credits: '0' } }),
]

const asked = { operation: 'getProperty', input: { path: { zpid: '48749425' } } }
const ofEstimates = [
  requestTo('estimateCall', 'a limit beside the input', { body: { ...asked, maxCredits: 0 } }),
  requestTo('estimateCall', 'a limit in its query', { query: { max_credits: '0' } }),
  requestTo('estimateCall', 'a limit in the input itself', {
    body: { ...asked, input: { ...asked.input, max_credits: 0 } },
  }),
  requestTo('estimateCall', 'a limit among headers in the input', {
    body: { ...asked, input: { ...asked.input, headers: { 'X-Max-Credits': '0' } } },
  }),
  requestTo('estimateCall', 'a limit of a lookup by a name that it does not have', {
    body: { ...asked, input: { ...asked.input, query: { maxCredits: 0 } } },
  }),
]

export const misplacedLimits: readonly BadRequest[] = [...ofCalls, ...ofWatches, ...ofEstimates]
