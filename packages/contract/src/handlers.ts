/**
 * The handler interface. A table of type `Handlers` has exactly the operations of the contract, each with its
 * own input, so a missing, extra or misread operation does not compile. What a handler gives back is the
 * server's business: it maps operation ids to result types, built from `Success` and `Refusal`.
 */
import type { OperationId, Operations } from './generated/operations.ts'

/** What the handler of an operation gets: validated, with defaults filled in, header names in lower case. */
export type Input<K extends OperationId> = Pick<Operations[K], 'params' | 'query' | 'headers' | 'body'>

type Responses<K extends OperationId> = Operations[K]['responses']

/** Each documented success as its status and JSON body (undefined where there is none). */
export type Success<K extends OperationId> = {
  [Status in keyof Responses<K>]: Responses<K>[Status] extends { error: unknown }
    ? never
    : { readonly status: Status; readonly body: Responses<K>[Status] }
}[keyof Responses<K>]

/** Each documented refusal as its status and one of the error codes that come with it. */
export type Refusal<K extends OperationId> = {
  [Status in keyof Responses<K>]: Responses<K>[Status] extends { error: { code: infer Code } }
    ? { readonly status: Status; readonly code: Code }
    : never
}[keyof Responses<K>]

/** The JSON body of any documented success. */
export type SuccessBody<K extends OperationId> = Success<K>['body']

/** Every error code that the contract lets an operation answer with. */
export type ErrorCodeOf<K extends OperationId> = Refusal<K>['code']

/**
 * The table of handlers, one for each operation.
 *
 * @typeParam Context what the server gives to every handler besides the input
 * @typeParam Results the type that each operation's handler resolves to; by default any documented success
 */
export type Handlers<
  Context,
  Results extends { [K in OperationId]: unknown } = { [K in OperationId]: Success<K> },
> = {
  [K in OperationId]: (input: Input<K>, context: Context) => Promise<Results[K]>
}
