// The calls of the tools through the SDK.

import type { Lotline } from '@lotline/client'
import { callThroughSdk } from '@lotline/contract/sdk-call'
import type { ToolCall } from '@lotline/contract/tools'

/** What the SDK returns, as far as results of tools are made of it. */
export interface ApiAnswer {
  readonly data: unknown
  readonly meta?: Readonly<Record<string, unknown>>
  readonly credits: { readonly charged: number; readonly remaining: number }
}

/**
 * Makes the call of a tool.
 *
 * @throws LotlineError as the SDK does; the reason of the signal
 */
export async function callApi(
  lotline: Lotline,
  { operation, headers, params, query, body }: ToolCall,
  signal: AbortSignal | undefined,
): Promise<ApiAnswer> {
  const { 'x-max-credits': maxCredits, 'idempotency-key': idempotencyKey } = headers
  const options = {
    signal,
    ...(maxCredits !== undefined && { maxCredits: Number(maxCredits) }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  }
  // Tools read JSON and wait for no job: their defaults of both would choose other forms of the SDK's methods.
  const { format: _, sync: __, ...asked } = query
  return (await callThroughSdk(lotline, operation, { params, query: asked, body }, options)) as ApiAnswer
}
