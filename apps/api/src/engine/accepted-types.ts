import { type OperationId, shownValue } from '@lotline/contract'
import { refusedTypes } from '@lotline/contract/checks'
import { type Refusal, refuseFor } from '../platform/refusal.ts'
import { isDryRun } from './estimate.ts'

/** undefined: a response of the operation has a type that the client accepts. */
export function refuseTypes(
  { accept }: { readonly accept: string | undefined },
  operationId: OperationId,
  { prefer }: Readonly<Record<string, unknown>>,
): Refusal | undefined {
  if (accept === undefined) return undefined
  const types = refusedTypes(operationId, { accept, isDryRun: isDryRun(operationId, prefer) })
  return types && refuseFor('not_acceptable', 'offered', { types, value: shownValue(accept) })
}
