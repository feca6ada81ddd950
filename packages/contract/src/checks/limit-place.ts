// A limit on the charge of a call that is in another place or under another name than the contract has: `maxCredits` in a query, or
// `max_credits` in a body. Other unknown input has no effect and is named in the response, but a call that is charged although
// its client limited the charge has cost money by then. So it is refused.

import { type OperationId, operations } from '../generated/operations.ts'
import { faultMessage, inputFault } from '../messages.ts'
import { listParameters, operationNode, resolve } from '../nodes.ts'
import type { Fault } from './finding.ts'

interface LimitPlaceInput {
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

type JudgeLimitPlace = (input: LimitPlaceInput) => Fault | undefined

const HEADER_NAME = 'x-max-credits'
const QUERY = 'max_credits'
const BODY = 'maxCredits'

/** Each spelling of the name, and the header as a parameter. */
const LIMIT_NAMES = new Set(['maxcredits', 'xmaxcredits'])

const judges = new Map<OperationId, JudgeLimitPlace>()

/** The judge of an operation, made once. undefined: the limit is where it is read, or there is none. */
export function limitPlaceJudge(operationId: OperationId): JudgeLimitPlace {
  const judge = judges.get(operationId) ?? createJudge(operationId)
  judges.set(operationId, judge)
  return judge
}

function createJudge(operationId: OperationId): JudgeLimitPlace {
  const { price, hasBody } = operations[operationId]
  const isEstimate = operationId === 'estimateCall'
  const isCharged = price.stages.some((stage) => stage.price > 0)
  // An estimate is free. Its limit applies to the estimated call.
  if (!isCharged && !isEstimate) return () => undefined
  const parameters = listParameters(operationId).map(({ name }) => name.toLowerCase())
  const inQuery = parameters.includes(QUERY)
  const inBody = hasBody && BODY in bodyFieldNames(operationId)
  const known = [
    ...(parameters.includes(HEADER_NAME) ? ['the header X-Max-Credits'] : []),
    ...(inQuery ? [`the parameter ${QUERY}`] : []),
    ...(inBody ? [`the field ${BODY} of the body`] : []),
  ]
  const faultAt = (name: string): Fault => {
    const parameter = name.replaceAll(/[^\w.-]/g, '')
    const fault =
      known.length === 0
        ? inputFault('limit_of_events', {})
        : inputFault('limit_place', { known: [known.join(' or ')] })
    return {
      code: 'invalid_parameter',
      message: faultMessage('invalid_parameter', parameter, fault),
      details: { parameter },
    }
  }

  /** Beside the parameters and the body of the estimated call, which are judged like those of the call itself. */
  function judgeEstimated(input: unknown): Fault | undefined {
    if (!isObject(input)) return undefined
    for (const name in input) if (isLimit(name)) return faultAt(`input.${name}`)
    if (!isObject(input.headers)) return undefined
    for (const name in input.headers) if (isLimit(name)) return faultAt(`input.headers.${name}`)
    return undefined
  }

  return ({ query, headers, body }) => {
    for (const name in query) if (isLimit(name) && !(inQuery && name === QUERY)) return faultAt(name)
    if (known.length === 0 && headers[HEADER_NAME] !== undefined) return faultAt(HEADER_NAME)
    if (!isObject(body)) return undefined
    for (const name in body) if (isLimit(name) && !(inBody && name === BODY)) return faultAt(name)
    return isEstimate ? judgeEstimated(body.input) : undefined
  }
}

function isLimit(name: string): boolean {
  // The longest spelling of the name is a few characters longer.
  return name.length < 20 && LIMIT_NAMES.has(name.toLowerCase().replaceAll(/[^a-z]/g, ''))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function bodyFieldNames(operationId: OperationId): object {
  const { content } = resolve(operationNode(operationId).requestBody) as {
    content: Readonly<Record<string, { readonly schema: unknown }>>
  }
  return (resolve(content['application/json']!.schema).properties ?? {}) as object
}
