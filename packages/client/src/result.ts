// What a call resolves to: the body of the response as the contract describes it, with its cost and request id.

import type { ResoProperty, SearchMeta } from './contract.ts'

export interface Credits {
  /** What this call cost. It is 0 for a call that failed, for a free one, and for one that started a job. */
  readonly charged: number
  /** The available credits of the account: its balance minus the credits that running jobs hold. */
  readonly remaining: number
  /** What the credit limit of the key leaves. Absent if the key has no limit. */
  readonly keyRemaining?: number
}

export interface Receipt {
  /** The id of the request. `account.usage()` lists the call under it; support needs it. */
  readonly requestId: string
  readonly credits: Credits
  /** The headers of the response, including `RateLimit`. */
  readonly headers: Headers
}

/** The body of a response (`data`, and `meta` if it has one) with its cost, request id and headers. */
export type Result<Body> = Omit<Body, 'request_id'> & Receipt

/** Homes under the names of the RESO Data Dictionary, of a call with `shape: 'reso'`. A lookup has one. */
export type ResoResult = Result<{
  data: ResoProperty[]
  meta: SearchMeta
  /** The dictionary and resource of the names: `@reso.context` of the response. */
  context: string
}>

export function readReceipt(headers: Headers): Receipt {
  return {
    requestId: headers.get('x-request-id') ?? '',
    credits: findCredits(headers) ?? { charged: Number.NaN, remaining: Number.NaN },
    headers,
  }
}

/** undefined: the service did not know the key, or the response is not from the service. */
export function findCredits(headers: Headers): Credits | undefined {
  const charged = headers.get('x-credits-charged')
  const remaining = headers.get('x-credits-remaining')
  if (charged === null || remaining === null) return undefined
  const ofKey = headers.get('x-key-credits-remaining')
  return {
    charged: Number(charged),
    remaining: Number(remaining),
    ...(ofKey !== null && { keyRemaining: Number(ofKey) }),
  }
}
