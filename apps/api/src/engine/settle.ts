// The last step before an answer goes out: charge for what it delivers and write its usage row, in one statement.

import { type OperationId, operations } from '@lotline/contract'
import type { CallToSettle, Ledger, Settlement } from '../credits/ledger.ts'
import type { Call } from './call.ts'
import type { PricedResult } from './operation-result.ts'

/** What a delivery may show: all its units when it is free, else those that were charged. */
export interface SettledResult extends Settlement {
  readonly granted: number
}

/** Settles a delivery at the operation's price. See `Settlement` for what may come back. */
export async function settleResult(
  ledger: Ledger,
  call: Call,
  operationId: OperationId,
  delivery: PricedResult,
): Promise<SettledResult> {
  const [stage] = operations[operationId].price.stages
  // A job is charged when it settles, not when it is accepted.
  const free = !stage || (stage.price === 0 && stage.minimum === 0) || delivery.status === 202
  const settlement = await ledger.settle({
    ...factsOf(call),
    status: delivery.status,
    mode: free ? 'free' : stage.per,
    units: free ? 0 : delivery.units,
    price: stage?.price ?? 0,
    minimum: stage?.minimum ?? 0,
    ...(delivery.record && { record: delivery.record }),
  })
  return { ...settlement, granted: free ? delivery.units : settlement.units }
}

/** Writes the usage row of a call that delivers nothing. It costs nothing. */
export function recordFree(ledger: Ledger, call: Call, status: number): Promise<Settlement> {
  return ledger.settle({ ...factsOf(call), status, mode: 'free', units: 0, price: 0, minimum: 0 })
}

function factsOf(call: Call): Omit<CallToSettle, 'status' | 'mode' | 'units' | 'price' | 'minimum'> {
  const { operationId } = call
  return {
    accountId: call.principal.accountId,
    keyId: call.principal.keyId,
    requestId: call.requestId,
    endpoint: call.endpoint,
    operation: operationId ?? null,
    actor: operationId ? operations[operationId].actor : 'account',
    admittedAt: call.admittedAt,
    hasDisconnected: () => call.disconnected,
  }
}
