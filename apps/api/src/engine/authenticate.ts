// Checks 1 and 2: the key is present, well-formed, known and live, and its account is not suspended.

import { isApiKey } from '@lotline/contract/checks'
import { hashOf } from '../accounts/api-key.ts'
import type { Caller, Callers } from '../accounts/callers.ts'
import { type Refusal, refuse } from '../platform/refusal.ts'

export interface Authenticated {
  readonly caller: Caller
  readonly keyHash: string
}

/** `header` is the value of Authorization. Never echoes any part of it. */
export async function authenticate(
  header: string | undefined,
  callers: Callers,
): Promise<Authenticated | Refusal> {
  if (header === undefined || header.trim() === '') {
    return refuse('missing_api_key', 'Send your API key in the header: Authorization: Bearer <key>.')
  }
  const key = /^bearer +(\S+)$/i.exec(header.trim())?.[1]
  if (!key || !isApiKey(key)) {
    return refuse(
      'invalid_api_key',
      'The API key is not well-formed. Keys start with lot_ and are sent as: Authorization: Bearer <key>.',
    )
  }
  const keyHash = hashOf(key)
  const caller = await callers.find(keyHash)
  if (!caller || caller.revoked) {
    return refuse('invalid_api_key', 'The API key is unknown or has been revoked.')
  }
  return { caller, keyHash }
}

export function refuseSuspended(caller: Caller): Refusal | undefined {
  if (!caller.suspended) return undefined
  return refuse(
    'account_suspended',
    'The account of this key is suspended. Contact the operator of the service.',
  )
}
