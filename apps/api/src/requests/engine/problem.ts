// A refusal as an HTTP answer: the status of its code, and the error envelope.

import { errorDocUrl, errorStatuses } from '@lotline/contract'
import type { Refusal } from '../../infrastructure/refusals.ts'

export interface Problem {
  readonly status: number
  readonly body: string
}

/** The error envelope of the contract. Each code has one status; the contract's catalogue says which. */
export function toProblem(refusal: Refusal, requestId: string): Problem {
  return {
    status: statusOfCode(refusal.code),
    body: JSON.stringify({
      error: {
        code: refusal.code,
        message: refusal.message,
        doc_url: errorDocUrl(refusal.code),
        ...(refusal.details && { details: refusal.details }),
        request_id: requestId,
      },
    }),
  }
}

export function statusOfCode(code: Refusal['code']): number {
  const status = errorStatuses[code][0]
  if (status === undefined) throw new Error(`the contract defines no status for the error code ${code}`)
  return status
}
