// A call of any operation through the TypeScript SDK. `x-sdk` in the contract names the method, and the arguments follow from the
// parameters of the operation, so that no table of methods has to be kept by hand.

import { type OperationId, operations, type SdkMethod } from './generated/operations.ts'

type NamespaceOf<Method extends string> = Method extends `${infer Namespace}.${string}` ? Namespace : never
type NameIn<Namespace extends string, Method extends string> = Method extends `${Namespace}.${infer Name}`
  ? Name
  : never

/** A client with a method for each operation. One that lacks a method does not compile where it is passed. */
export type Sdk = {
  readonly [Namespace in NamespaceOf<SdkMethod>]: {
    readonly [Name in NameIn<Namespace, SdkMethod>]: (...args: never[]) => PromiseLike<unknown>
  }
}

export interface SdkInput {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/**
 * The arguments of the SDK's method: the positional parameters, the body if the operation has one, and one object with the rest of
 * the query and the options. Their values are not checked.
 */
export function sdkArguments(id: OperationId, { params, query, body }: SdkInput, options: object): unknown[] {
  const { sdk, hasBody } = operations[id]
  const sent = { ...params, ...query }
  const others = Object.entries(query).filter(([name]) => !sdk.positional.includes(name))
  return [
    ...sdk.positional.map((name) => sent[name]),
    ...(hasBody ? [body] : []),
    { ...Object.fromEntries(others), ...options },
  ]
}

/**
 * Calls an operation through the SDK.
 *
 * @throws what the SDK throws
 */
export async function callThroughSdk(
  sdk: Sdk,
  id: OperationId,
  input: SdkInput,
  options: object,
): Promise<unknown> {
  const [namespace, name] = operations[id].sdk.method.split('.') as [string, string]
  const methods = (sdk as unknown as Record<string, Record<string, (...args: unknown[]) => unknown>>)[
    namespace
  ]!
  return methods[name]!(...sdkArguments(id, input, options))
}
