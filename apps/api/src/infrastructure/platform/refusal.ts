// A refusal is a result: the client requested something that is not available, and the code says why. Failures (a lost database,
// a broken provider) are thrown instead.

import {
  type AnyErrorDetails,
  type ErrorCode,
  type ErrorDetails,
  faultMessage,
  formatMessage,
  type InputFault,
  type MessageCause,
  type MessageValues,
} from '@lotline/contract'

export interface Refusal {
  readonly refused: true
  /** Stable; clients match on it. */
  readonly code: ErrorCode
  /** The message for people: the problem and the remedy. */
  readonly message: string
  /** Details that programs can react to. */
  readonly details?: AnyErrorDetails
  /** Seconds for the header Retry-After, if the code alone does not determine them. */
  readonly retryAfterS?: number
}

/** The codes whose `details` name a parameter. */
type InputCode = {
  [Code in ErrorCode]: 'parameter' extends keyof ErrorDetails<Code> ? Code : never
}[ErrorCode]

export function refuse<Code extends ErrorCode>(
  code: Code,
  message: string,
  details?: ErrorDetails<Code>,
): Refusal {
  return details ? { refused: true, code, message, details } : { refused: true, code, message }
}

/** A refusal with the message that the contract has for the code and the cause (spec/messages.yaml). */
export function refuseFor<Code extends ErrorCode, Cause extends MessageCause<Code>>(
  code: Code,
  cause: Cause,
  values: MessageValues<Code, Cause>,
  details?: ErrorDetails<Code>,
): Refusal {
  return refuse(code, formatMessage(code, cause, values), details)
}

/**
 * The refusal of a value.
 *
 * @param place where it was sent: the name of a parameter, or the path of a body field, with steps joined by dots (`urls.3`).
 *   `details.parameter` is the same, unless `details` has another one
 */
export function refuseInput(
  code: InputCode,
  place: string,
  fault: InputFault,
  details?: ErrorDetails<InputCode>,
): Refusal {
  return refuse(code, faultMessage(code, place, fault), { parameter: place, ...details })
}

/** Like `refuseInput`, for a cause that only this code has. */
export function refuseAt<Code extends InputCode, Cause extends MessageCause<Code>>(
  code: Code,
  cause: Cause,
  place: string,
  values: Omit<MessageValues<Code, Cause>, 'place'>,
): Refusal {
  return refuse<InputCode>(code, formatMessage(code, cause, { ...values, place } as never), {
    parameter: place,
  })
}

/** The call costs at least `required` credits, and its client allows fewer. */
export function refuseAboveLimit(required: number, maxCredits: number): Refusal {
  const values = { required, max_credits: maxCredits }
  return refuseFor('max_credits_exceeded', 'call', values, values)
}

/**
 * The call costs at least `required` credits, and the limit of its key leaves fewer.
 *
 * @param limit absent where the limit was set a moment ago
 */
export function refuseAboveKeyLimit(
  required: number,
  remaining: number,
  limit?: { readonly credits: number; readonly per: string; readonly resetsAt: Date | null },
): Refusal {
  return refuseFor(
    'key_limit_reached',
    'call',
    { required, remaining },
    {
      required,
      remaining,
      ...(limit && { limit: limit.credits, per: limit.per }),
      ...(limit?.resetsAt && { resets_at: limit.resetsAt.toISOString() }),
    },
  )
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value && value.refused === true
}
