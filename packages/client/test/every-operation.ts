// Each operation of the contract as a call of the SDK, with the least input that the contract gives as an example.

import { type OperationId, operationIds } from '@lotline/contract'
import { minimalCall } from '@lotline/contract/example-calls'
import { callThroughSdk } from '@lotline/contract/sdk-call'
import type { CallOptions, Lotline } from '../src/index.ts'

type SdkCall = (lotline: Lotline, options: CallOptions) => Promise<unknown>

export const calls = Object.fromEntries(
  operationIds.map((id) => [id, (lotline, options) => callThroughSdk(lotline, id, minimalCall(id), options)]),
) as Readonly<Record<OperationId, SdkCall>>
