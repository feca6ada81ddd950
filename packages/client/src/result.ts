// What a call resolves to: the body of the answer as the contract has it, and beside it the receipt.

export interface Credits {
  /** What this call cost. It is 0 for a call that failed, for a free one, and for one that started a job. */
  readonly charged: number
  /** What the account can still spend: its balance less what running jobs hold. */
  readonly remaining: number
}

export interface Receipt {
  /** The id of the request, which finds it in `account.usage()` and is what support needs. */
  readonly requestId: string
  readonly credits: Credits
  /** The headers of the answer, `RateLimit` among them. */
  readonly headers: Headers
}

/** The body of an answer (`data`, and `meta` where there is one) with its receipt. */
export type Result<Body> = Omit<Body, 'request_id'> & Receipt

export function receiptOf(headers: Headers): Receipt {
  return {
    requestId: headers.get('x-request-id') ?? '',
    credits: findCredits(headers) ?? { charged: Number.NaN, remaining: Number.NaN },
    headers,
  }
}

/** undefined: the service did not know the key, or the answer is not its own. */
export function findCredits(headers: Headers): Credits | undefined {
  const charged = headers.get('x-credits-charged')
  const remaining = headers.get('x-credits-remaining')
  if (charged === null || remaining === null) return undefined
  return { charged: Number(charged), remaining: Number(remaining) }
}
