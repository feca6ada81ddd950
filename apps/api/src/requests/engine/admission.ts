// Checks 1 to 4 of a call: its key, its account, and its rate. The order is part of the product (engine.ts).

import type { Logger } from 'pino'
import type { Config } from '../../infrastructure/config.ts'
import type { DatabaseClock } from '../../infrastructure/database.ts'
import type { Observer } from '../../infrastructure/platform.ts'
import { isRefusal, type Refusal, refuseFor } from '../../infrastructure/refusals.ts'
import { type KeyUse, plans } from '../../money/accounts.ts'
import type { RateWindows } from '../../money/limits.ts'
import { refuseSuspended, refuseWithoutBalance, toBalance } from './account-checks.ts'
import { type AuthenticationParts, authenticate, type Credentials } from './authenticate.ts'
import { Call, type CallFacts } from './call.ts'
import { toErrorRefusal } from './error-refusal.ts'
import { type CallResponse, rateLimitHeaders, refusalResponse, setCredits } from './response.ts'
import { metricEndpoint } from './routes.ts'

export type AdmissionDeps = AuthenticationParts & {
  readonly clock: DatabaseClock
  readonly config: Pick<Config, 'syncTimeoutMs'>
  readonly keyUse: KeyUse
  readonly log: Logger
  readonly observer: Observer
  readonly windows: RateWindows
}

export async function admit(
  deps: AdmissionDeps,
  credentials: Credentials,
  facts: CallFacts,
): Promise<Call | CallResponse> {
  const { clock, config, keyUse, log, observer, windows } = deps
  const headers: Record<string, string> = {}
  const { requestId } = facts
  const respond = (refusal: Refusal) => refusalResponse(refusal, requestId, headers)
  try {
    const identity = await authenticate(deps, credentials, facts.address)
    if (isRefusal(identity)) return respond(identity)
    if ('refusal' in identity) {
      observer.guessRefused()
      headers['x-credits-charged'] = '0'
      headers['retry-after'] = String(identity.retryAfterS)
      return { ...respond(identity.refusal), isGuess: true }
    }
    const { principal, keyHash } = identity
    setCredits(headers, 0, toBalance(principal))

    const refusal = refuseSuspended(principal) ?? refuseWithoutBalance(principal)
    if (refusal) {
      Object.assign(headers, rateLimitHeaders(await windows.look(principal)))
      return respond(refusal)
    }

    const admission = await windows.enter(principal, requestId)
    Object.assign(headers, rateLimitHeaders(admission))
    if (!admission.admitted) {
      headers['retry-after'] = String(Math.max(2, Math.ceil(admission.resetMs / 1000)))
      return respond(
        refuseFor(
          'rate_limited',
          'key',
          { plan: plans[principal.plan].title, limit: admission.limit },
          { plan: principal.plan, limit_per_minute: admission.limit },
        ),
      )
    }
    keyUse.note(principal.keyId)
    return new Call({
      ...facts,
      principal,
      keyHash,
      endpoint: metricEndpoint(facts.path),
      headers,
      timeoutMs: config.syncTimeoutMs,
      clock,
    })
  } catch (error) {
    return respond(toErrorRefusal(error, log, requestId))
  }
}
