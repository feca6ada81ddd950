// The pages' access to the API: operations of the contract, with the key of the session. Pages have no database access and no other way in.

import type { OperationId, SuccessBody } from '@lotline/contract'

/** As in a request: path parameters and query parameters are texts. Undefined ones are omitted. */
export interface ApiInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | undefined>>
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The API's refusal or failure: `error` of its response. */
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

/** Thrown by `callForPage`. The portal shows it as a page. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly error: ApiError

  constructor(error: ApiError) {
    super(error.message)
    this.error = error
  }
}

/** Returns the body of a success. @throws {ApiProblem} for any other response */
export async function callForPage<K extends OperationId>(
  api: PortalApi,
  operation: K,
  input?: ApiInput,
): Promise<NonNullable<SuccessBody<K>>> {
  const answer = await api.call(operation, input)
  if (!answer.ok) throw new ApiProblem(answer.error)
  return answer.body as NonNullable<SuccessBody<K>>
}
