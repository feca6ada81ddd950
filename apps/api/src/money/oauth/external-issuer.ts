// AN EXTERNAL AUTHORIZATION SERVER (OAUTH_ISSUER). Its access tokens are JWTs (RFC 9068), which jose checks with the keys that the issuer
// publishes. This file knows the issuer: where its keys are, which of them are current, and what a token must say.
//
// Keys are kept for KEYS_MAX_AGE_MS. If they cannot be fetched again, or not soon, those that are known go on for KEYS_MAX_STALE_MS, so that a
// short outage of the issuer does not disconnect agents that have tokens. A token with a key that is not known has the keys fetched
// again, once in RETRY_MS whatever clients send.

import { setTimeout } from 'node:timers/promises'
import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import type { Network } from '../../infrastructure/net.ts'
import { singleFlight } from '../../infrastructure/platform.ts'
import { type ExternalIssuer, IssuerUnavailable, type TokenFacts } from './external-connectors.ts'
import { fetchGuarded } from './guarded-fetch.ts'
import { SCOPES } from './rights.ts'

/** A key that the issuer has removed is refused after this time, if the issuer can be reached. */
const KEYS_MAX_AGE_MS = 5 * 60_000
/** Without current keys for longer than this, no token can be judged. */
const KEYS_MAX_STALE_MS = 24 * 60 * 60_000
/** Between two attempts to fetch keys of which the first failed, or did not have the key of a token. */
const RETRY_MS = 10_000
/** Of one place with its keys, unless the settings say otherwise. */
const FETCH_TIMEOUT_MS = 5_000
/** What a call waits for newer keys, if those that are known can still be used. */
const MAX_WAIT_FOR_KEYS_MS = 1_000
/** What the clocks of the issuer and of this machine may differ, in seconds. */
const CLOCK_TOLERANCE_S = 30
/** Signatures that only the issuer can make. No `none`, and nothing with a secret that both sides know. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')
/** Types of JWTs that are access tokens. Logout tokens and proofs have others. */
const TOKEN_TYPES: ReadonlySet<string | undefined> = new Set([undefined, 'jwt', 'at+jwt'])
/** As api_keys.oauth_client is shown. */
const MAX_CLIENT_ID_LENGTH = 200

/** The claim of an access token that holds the id of the account. */
const ACCOUNT_CLAIM = 'lotline_account'

export interface ExternalIssuerSettings {
  /** As its tokens and its metadata name it, to the letter. */
  readonly issuer: string
  /** What its tokens must be for (RFC 8707). */
  readonly audience: string
  readonly network: Network
  /** Monotonic, in milliseconds. */
  readonly now?: (() => number) | undefined
  /** For each place where the metadata may be, with the keys that it leads to. Default: 5 s. */
  readonly fetchTimeoutMs?: number
  /** Gets reports of what the operator has to repair. */
  readonly onProblem: (error: unknown) => void
}

interface CachedKeySet {
  readonly find: ReturnType<typeof createLocalJWKSet>
  readonly fetchedAt: number
}

export function createExternalIssuer({
  issuer,
  audience,
  network,
  now = () => performance.now(),
  fetchTimeoutMs = FETCH_TIMEOUT_MS,
  onProblem,
}: ExternalIssuerSettings): ExternalIssuer {
  let keys: CachedKeySet | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let isAway = false

  /** Fetches the keys, unless that was tried a moment ago. Those that are known stay if it fails. Many callers make one fetch. */
  async function refresh(): Promise<void> {
    if (fetching.isUnderWay || now() - triedAt >= RETRY_MS) await fetching.run()
  }

  const fetching = singleFlight(async () => {
    triedAt = now()
    try {
      const published = await fetchKeys(issuer, network, fetchTimeoutMs)
      keys = { find: createLocalJWKSet(published), fetchedAt: now() }
      isAway = false
    } catch (error) {
      isAway = true
      onProblem(error)
    }
  })

  /** Calls with keys that are known wait a moment, and do not wait at all for an issuer that was slow or away the last time. */
  async function refreshSoon(): Promise<void> {
    const refreshing = refresh()
    if (isAway) return
    const isLate = await Promise.race([refreshing, setTimeout(MAX_WAIT_FOR_KEYS_MS, true, { ref: false })])
    if (isLate && fetching.isUnderWay) isAway = true
  }

  async function currentKeys(): Promise<CachedKeySet> {
    if (!keys || now() - keys.fetchedAt >= KEYS_MAX_STALE_MS) await refresh()
    else if (now() - keys.fetchedAt >= KEYS_MAX_AGE_MS) await refreshSoon()
    if (!keys || now() - keys.fetchedAt >= KEYS_MAX_STALE_MS)
      throw new IssuerUnavailable(`The keys of ${issuer} cannot be fetched.`)
    return keys
  }

  const findKey: JWTVerifyGetKey = async (header, token) => {
    const known = await currentKeys()
    try {
      return await known.find(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      // The issuer may have a new key.
      await refresh()
      if (!keys || keys === known) throw error
      return keys.find(header, token)
    }
  }

  return {
    async verify(token) {
      try {
        const { payload, protectedHeader } = await jwtVerify(token, findKey, {
          issuer,
          audience,
          algorithms: ALGORITHMS,
          clockTolerance: CLOCK_TOLERANCE_S,
          requiredClaims: ['exp'],
        })
        const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '')
        return TOKEN_TYPES.has(type) ? factsOf(payload, issuer) : undefined
      } catch (error) {
        if (error instanceof IssuerUnavailable) throw error
        // A key of the issuer that cannot be used, such as one that is too short.
        if (!(error instanceof errors.JOSEError)) onProblem(error)
        return undefined
      }
    },
  }
}

function factsOf(payload: JWTPayload, issuer: string): TokenFacts | undefined {
  const { client_id, azp, scope, scp } = payload
  const account = Object.hasOwn(payload, ACCOUNT_CLAIM) ? payload[ACCOUNT_CLAIM] : undefined
  const clientId = client_id ?? azp
  if (typeof account !== 'string' || !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(account))
    return undefined
  if (typeof clientId !== 'string' || clientId === '' || clientId.length > MAX_CLIENT_ID_LENGTH)
    return undefined
  if (/\p{Cc}/u.test(clientId)) return undefined
  const granted = [scope ?? scp ?? []].flat().flatMap((text) => String(text).split(' '))
  const scopes = SCOPES.filter((one) => granted.includes(one))
  return { issuer, accountId: account.toLowerCase(), clientId, scopes }
}

/** The keys that the metadata of the issuer leads to. */
async function fetchKeys(issuer: string, network: Network, timeoutMs: number): Promise<JSONWebKeySet> {
  let problem: unknown = new Error(`${issuer} has no metadata.`)
  for (const address of metadataAddresses(issuer)) {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const metadata = await fetchJson(address, network, signal)
      // RFC 8414, section 3.3: anyone could publish metadata that names the issuer's keys as theirs.
      if (metadata.issuer !== issuer) throw new Error(`The metadata at ${address} is of another issuer.`)
      const found = await fetchJson(String(metadata.jwks_uri), network, signal)
      if (!Array.isArray(found.keys)) throw new Error(`There are no keys at ${metadata.jwks_uri}.`)
      return found as unknown as JSONWebKeySet
    } catch (error) {
      problem = error
    }
  }
  throw problem
}

/** RFC 8414, section 3.1, and the places that OpenID Connect Discovery has for the same document. */
function metadataAddresses(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const names = ['oauth-authorization-server', 'openid-configuration']
  const inserted = names.map((name) => `${origin}/.well-known/${name}${path}`)
  return path === '' ? inserted : [...inserted, `${origin}${path}/.well-known/openid-configuration`]
}

async function fetchJson(
  address: string,
  network: Network,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const response = await fetchGuarded(address, { headers: { accept: 'application/json' }, signal }, network)
  if (response.status !== 200) throw new Error(`${address} answers ${response.status}.`)
  return JSON.parse(await response.text())
}
