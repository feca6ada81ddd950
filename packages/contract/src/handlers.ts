/**
 * What the handler of an operation gets and gives. Both are the contract's, so one that misreads its input or answers
 * with another body does not compile.
 */
import type { OperationId, Operations } from './generated/operations.ts'

/** What the handler of an operation gets: validated, with defaults filled in, header names in lower case. */
export type Input<K extends OperationId> = Pick<Operations[K], 'params' | 'query' | 'headers' | 'body'>

type Responses<K extends OperationId> = Operations[K]['responses']

/** The status of each documented success. */
export type SuccessStatus<K extends OperationId> = {
  [Status in keyof Responses<K>]: Responses<K>[Status] extends { error: unknown } ? never : Status
}[keyof Responses<K>]

/** The JSON body of a documented success; undefined where there is none. */
export type SuccessBody<
  K extends OperationId,
  Status extends SuccessStatus<K> = SuccessStatus<K>,
> = Responses<K>[Status]
