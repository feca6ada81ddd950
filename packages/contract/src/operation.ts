import type { ErrorCode } from './generated/errors.ts'
import type { SdkMethod } from './generated/operations.ts'

/** The kind of work that an operation does, as its usage rows say it. */
export type Actor = 'detail' | 'search' | 'account'

/** The part of an operation that is priced by itself; null where an operation has no parts. */
export type Stage = 'search' | 'detail' | null

/** The price of one stage, in credits. */
export interface PriceStage {
  readonly stage: Stage
  /** Credits for each call, or for each row that is returned. */
  readonly price: number
  readonly per: 'call' | 'row'
  /** The least that this stage costs when it succeeds, in credits; per call it is the price itself. */
  readonly minimum: number
}

/** One documented answer of an operation. */
export interface Answer {
  /** The error codes that come with this status; empty for a success. */
  readonly errors: readonly ErrorCode[]
  /** The media types of the body; empty where there is no body. */
  readonly formats: readonly string[]
}

/** An operation as the contract states it. */
export interface Operation {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  /** The path with its parameters in braces, for example `/v1/properties/{zpid}`. */
  readonly path: string
  readonly tag: string
  readonly actor: Actor
  /**
   * `chargedFor`: what each unit of the price is, where it is not a row of the response, such as `listing event`. The call
   * is then free, and the units are charged later, as they arise.
   */
  readonly price: { readonly stages: readonly PriceStage[]; readonly chargedFor?: string }
  /** By HTTP status, every answer that the operation gives. */
  readonly statuses: { readonly [status: number]: Answer }
  /** The media types among which a caller may choose for a success. */
  readonly acceptsFormats: readonly string[]
  readonly hasBody: boolean
  readonly queryParameters: readonly string[]
  /**
   * The method of the SDKs, and the parameters that it takes by position, in this order. The body follows them, and then one object
   * with all other parameters and the options of the call.
   */
  readonly sdk: { readonly method: SdkMethod; readonly positional: readonly string[] }
  /**
   * The samples show these query parameters besides the required ones, and the rows one by one instead of `data`.
   */
  readonly sample: { readonly parameters: readonly string[]; readonly rows: boolean }
}
