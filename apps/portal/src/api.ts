// How pages reach the API: operations of the contract, with the key of the session. Pages know no database and no other way in.

import type { OperationId, SuccessBody } from '@lotline/contract'

/** As in a request: values of the path and the query are texts. Undefined ones are left out. */
export interface ApiInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | undefined>>
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** What the API refused, or why it failed: `error` of its response. */
export interface ApiError {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly requestId: string
  readonly details: Readonly<Record<string, unknown>>
  /** Seconds after which the call may be repeated. */
  readonly retryAfterS: number | undefined
}

export type ApiCallResult<K extends OperationId> =
  | { readonly ok: true; readonly body: SuccessBody<K> }
  | { readonly ok: false; readonly error: ApiError }

export interface PortalApi {
  call<K extends OperationId>(operation: K, input?: ApiInput): Promise<ApiCallResult<K>>
}

/** Thrown by `ask`. The portal shows it as a page. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly error: ApiError

  constructor(error: ApiError) {
    super(error.message)
    this.error = error
  }
}

/**
 * The body of a success.
 *
 * @throws {ApiProblem} for any other response
 */
export async function ask<K extends OperationId>(
  api: PortalApi,
  operation: K,
  input?: ApiInput,
): Promise<NonNullable<SuccessBody<K>>> {
  const answer = await api.call(operation, input)
  if (!answer.ok) throw new ApiProblem(answer.error)
  return answer.body as NonNullable<SuccessBody<K>>
}
