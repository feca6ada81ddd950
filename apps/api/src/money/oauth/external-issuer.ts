// An external authorization server (OAUTH_ISSUER). Its access tokens are JWTs (RFC 9068), which jose verifies with the issuer's
// published keys. This file discovers the issuer's keys, caches them, and checks the claims of tokens.
//
// Keys are cached for KEYS_MAX_AGE_MS. If they cannot be fetched again, or not soon, the cached keys are used for
// KEYS_MAX_STALE_MS, so that a short outage of the issuer does not disconnect agents. A token with an unknown key causes a fetch,
// at most once per RETRY_MS.

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

/** A removed key is refused after this time, if the issuer can be reached. */
const KEYS_MAX_AGE_MS = 5 * 60_000
/** Cached keys are not used for longer than this. */
const KEYS_MAX_STALE_MS = 24 * 60 * 60_000
/** Minimum time between two fetches if the first failed or did not return the needed key. */
const RETRY_MS = 10_000
/** Timeout for one metadata document and its keys, unless the settings differ. */
const FETCH_TIMEOUT_MS = 5_000
/** How long a call waits for newer keys if the cached ones are still usable. */
const MAX_WAIT_FOR_KEYS_MS = 1_000
/** Allowed clock difference between the issuer and this machine, in seconds. */
const CLOCK_TOLERANCE_S = 30
/** Asymmetric algorithms only: no `none`, and no shared secrets. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')
/** Types of JWTs that are access tokens. Logout tokens and proofs have others. */
const TOKEN_TYPES: ReadonlySet<string | undefined> = new Set([undefined, 'jwt', 'at+jwt'])
/** The limit of api_keys.oauth_client. */
const MAX_CLIENT_ID_LENGTH = 200

/** The claim of an access token that holds the id of the account. */
const ACCOUNT_CLAIM = 'lotline_account'

export interface ExternalIssuerSettings {
  /** The issuer identifier, exactly as in its tokens and metadata. */
  readonly issuer: string
  /** The required audience of its tokens (RFC 8707). */
  readonly audience: string
  readonly network: Network
  /** Monotonic, in milliseconds. */
  readonly now?: (() => number) | undefined
  /** Timeout for each possible metadata document, including its keys. Default: 5 s. */
  readonly fetchTimeoutMs?: number
  /** Receives problems that the operator must fix. */
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

  /** Fetches the keys, unless a fetch was tried within RETRY_MS. Cached keys stay if it fails. Concurrent callers share one fetch. */
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

  /** Waits briefly for newer keys, or not at all if the issuer was slow or down the last time. */
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
      throw new IssuerUnavailable(`The signing keys of the issuer ${issuer} cannot be fetched.`)
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
        return TOKEN_TYPES.has(type) ? readTokenFacts(payload, issuer) : undefined
      } catch (error) {
        if (error instanceof IssuerUnavailable) throw error
        // The problem can be, for example, that a key of the issuer is too short.
        if (!(error instanceof errors.JOSEError)) onProblem(error)
        return undefined
      }
    },
  }
}

function readTokenFacts(payload: JWTPayload, issuer: string): TokenFacts | undefined {
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

/** Fetches the keys that the issuer's metadata refers to. */
async function fetchKeys(issuer: string, network: Network, timeoutMs: number): Promise<JSONWebKeySet> {
  let problem: unknown = new Error(`No metadata document found for the issuer ${issuer}. Check OAUTH_ISSUER.`)
  for (const address of metadataAddresses(issuer)) {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const metadata = await fetchJson(address, network, signal)
      // RFC 8414, section 3.3: anyone could publish metadata that refers to the issuer's keys.
      if (metadata.issuer !== issuer)
        throw new Error(
          `The metadata at ${address} names another issuer. OAUTH_ISSUER must equal its \`issuer\`.`,
        )
      const found = await fetchJson(String(metadata.jwks_uri), network, signal)
      if (!Array.isArray(found.keys)) throw new Error(`The document ${metadata.jwks_uri} contains no keys.`)
      return found as unknown as JSONWebKeySet
    } catch (error) {
      problem = error
    }
  }
  throw problem
}

/** The metadata URLs of RFC 8414, section 3.1, and of OpenID Connect Discovery. */
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
  if (response.status !== 200)
    throw new Error(`${address} returned status ${response.status} instead of 200.`)
  return JSON.parse(await response.text())
}
