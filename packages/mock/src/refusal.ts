import type { ErrorCode } from '@lotline/contract'

/** An error of the contract, to be answered instead of an example. Its status follows from its code. */
export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
  /** Headers besides those that every refusal has. */
  readonly headers?: Readonly<Record<string, string>>
  /** The caller has no key, so the response says nothing about credits and limits. */
  readonly anonymous?: true
}

export function isRefusal(value: object): value is Refusal {
  return 'code' in value && 'message' in value
}
