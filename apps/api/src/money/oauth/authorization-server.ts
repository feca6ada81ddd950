// The authorization server. A user adds a connector by the URL of the service, signs in with a key, and decides what the
// connector may do and spend. oidc-provider implements the protocol: authorization code with PKCE, client ID metadata documents,
// client registration, rotating refresh tokens, and revocation. This file is its configuration; its state is in records.ts, and
// connectors.ts defines its tokens.

// Why: decisions/money/one-oauth-audience.md

import { createHmac, generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import Provider, { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider'
import type { Database } from '../../infrastructure/database.ts'
import type { Network } from '../../infrastructure/net.ts'
import type { Observer } from '../../infrastructure/platform.ts'
import { createApiKey } from '../accounts/keys.ts'
import { checkClientMetadata } from './client-metadata.ts'
import { hasConnector } from './connectors.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import { createRecords, REFRESHES } from './records.ts'
import { mcpResourceUrl, PATHS, SCOPES } from './rights.ts'

/** Lifetimes in seconds. */
const TTL_SECONDS = {
  Interaction: 15 * 60,
  Session: 15 * 60,
  AuthorizationCode: 60,
  AccessToken: 3600,
  /** A connector must be approved again after this time without use. */
  RefreshToken: 30 * 24 * 3600,
  /** An approval lasts a year, however often it is used. Then the user decides again. */
  Grant: 365 * 24 * 3600,
}

/** The name of a property that no client uses. */
const JUDGED_COOKIE = 'lotline_judged'

/** The longest time until the expiry of a client assertion, in seconds. */
const MAX_ASSERTION_S = 5 * 60

export interface AuthorizationServerParts {
  readonly database: Database
  /** The origin of the service and its issuer identifier. */
  readonly publicUrl: string
  /** The network rules for client documents, which are those for webhooks. */
  readonly network: Network
  readonly observer: Observer
  /** Whether a document may be fetched for a request: the limits of its IP address allow one more fetch from this host. */
  readonly mayFetchFor: (request: IncomingMessage, host: string) => boolean
  /** The request of a page that looks a client up outside of oidc-provider. */
  readonly pageRequest: () => IncomingMessage | undefined
  /** Reports a failure of the server. */
  readonly onFailure: (error: unknown) => void
  /** The error page for requests without a valid client to redirect to. */
  readonly errorPage: (code: string, description: string | undefined) => string
}

export async function createAuthorizationServer({
  database,
  publicUrl,
  network,
  observer,
  mayFetchFor,
  pageRequest,
  onFailure,
  errorPage,
}: AuthorizationServerParts): Promise<Provider> {
  const resource = mcpResourceUrl(publicUrl)
  const isSecure = publicUrl.startsWith('https:')
  const cookie = { httpOnly: true, sameSite: 'lax', secure: isSecure, signed: true, path: '/oauth' } as const
  /** oidc-provider looks a refused client up twice, which counts as one document. */
  const fetches = new WeakMap<IncomingMessage, boolean>()
  const isAccepted = (url: string) => hasConnector(database, url)
  async function allowFetch(
    context: { readonly req: IncomingMessage } | undefined,
    url: string,
  ): Promise<boolean> {
    const req = context?.req ?? pageRequest()
    // Others may share the IP address and use up its limits.
    if (!req || (await isAccepted(url))) return true
    const isAllowed = fetches.get(req) ?? mayFetchFor(req, new URL(url).host)
    fetches.set(req, isAllowed)
    if (!isAllowed) throw tooManyDocuments()
    return true
  }
  const configuration: Configuration = {
    adapter: createRecords(database, {
      gone: (reason) => new errors.InvalidGrant(reason),
      full: tooManyClients,
      busy: tooManyRefreshes,
      unstorable: () =>
        new errors.InvalidRequest('The request has the character U+0000 or half of a surrogate pair.'),
      onReuse: () => observer.oauth('reused'),
      request: () => Provider.ctx,
    }),
    clientAuthMethods: ['none', 'private_key_jwt'],
    // An assertion is remembered until it expires, so that it works once.
    async assertJwtClientAuthClaimsAndHeader(_context, { exp }) {
      if (!(Number(exp) <= Date.now() / 1000 + MAX_ASSERTION_S))
        throw new errors.InvalidClientAuth('the assertion of a client must end within 5 minutes')
    },
    clientBasedCORS: () => true,
    clientDefaults: {
      // Desktop clients have loopback redirect URIs and private-use schemes.
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    cookies: {
      keys: [await getCookieKey(database)],
      names: { session: 'lotline_oauth', interaction: 'lotline_oauth_step', resume: 'lotline_oauth_resume' },
      long: cookie,
      short: cookie,
    },
    expiresWithSession: () => false,
    // oidc-provider validates all metadata when a custom property is present. This property is dropped afterwards.
    extraClientMetadata: {
      properties: [JUDGED_COOKIE],
      validator(_context, name, _value, metadata) {
        delete (metadata as Record<string, unknown>)[name]
        checkClientMetadata(metadata as Record<string, unknown>)
      },
    },
    features: {
      clientCredentials: { enabled: false },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo(_context, asked) {
          if (asked !== resource) throw new errors.InvalidTarget()
          return { scope: SCOPES.join(' '), audience: resource, accessTokenFormat: 'opaque' }
        },
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_context, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      ...({ clientIdMetadataDocument: { enabled: true, ack: 'draft-02', allowFetch } } as object),
    },
    fetch: createGuardedFetch(network, { isAccepted }),
    // The maximum sizes of fetched documents, in bytes.
    fetchResponseBodyLimits: { 'client_id metadata document': 5 * 1024, jwks_uri: 64 * 1024 },
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    interactions: { url: (_context, { uid }) => `/oauth/consent/${uid}` },
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    // Nothing is signed: tokens are opaque, and there are no ID tokens. oidc-provider still requires a key.
    jwks: {
      keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })],
    } as never,
    // Each authorization needs its own approval.
    async loadExistingGrant({ oidc }) {
      const id = (oidc.result?.consent as { readonly grantId?: string } | undefined)?.grantId
      return id === undefined ? undefined : oidc.provider.Grant.find(id)
    },
    pkce: { required: () => true },
    async renderError(context, { error, error_description: description }) {
      context.type = 'html'
      context.body = errorPage(error, description)
    },
    responseTypes: ['code'],
    // oidc-provider compares the audience only after it has ended the earlier tokens.
    rotateRefreshToken({ oidc }) {
      if (![undefined, resource].includes(oidc.params?.resource as string | undefined))
        throw new errors.InvalidTarget()
      return true
    },
    routes: { ...PATHS },
    // Clients register with the scopes of the metadata documents.
    scopes: [...SCOPES, 'offline_access'],
    ttl: TTL_SECONDS,
  }
  const provider = new Provider(publicUrl, configuration)
  // The URLs in its responses come from PUBLIC_URL: oauth/oauth.ts sets the headers that it reads.
  provider.proxy = true
  provider.on('server_error', (_context, error) => onFailure(error))
  provider.on('registration_create.success', () => observer.oauth('registered'))
  provider.on('grant.success', ({ oidc }) =>
    observer.oauth(oidc.params?.grant_type === 'refresh_token' ? 'refreshed' : 'connected'),
  )
  provider.on('grant.error', () => observer.oauth('refused'))
  const sayWhen = (context: KoaContextWithOIDC, error: { readonly status?: number }) => {
    if (error.status === 429) context.set('retry-after', '60')
  }
  provider.on('grant.error', sayWhen)
  provider.on('authorization.error', sayWhen)
  provider.on('revocation.error', sayWhen)
  provider.on('registration_create.error', (context, error) => {
    if (error.status === 429) context.set('retry-after', '3600')
  })
  // The access token is the text of the connector's key.
  Object.assign(provider.AccessToken.prototype, {
    generateTokenId(this: { format: string }) {
      this.format = 'opaque'
      return createApiKey()
    },
  })
  return provider
}

function tooManyClients(): Error {
  return tooMany(
    'Too many clients were registered. Try again in an hour, or use a client id metadata document.',
  )
}

function tooManyDocuments(): Error {
  return tooMany(
    'Too many descriptions of applications were fetched for your address. Try again in a minute.',
  )
}

function tooManyRefreshes(): Error {
  return tooMany(`Refresh a token at most ${REFRESHES.perHour} times in an hour. Try again later.`)
}

function tooMany(description: string): Error {
  const error = new errors.CustomOIDCProviderError('temporarily_unavailable', description)
  return Object.assign(error, { status: 429, statusCode: 429 })
}

/** Derived from the database, so that all processes have the same key. */
async function getCookieKey(database: Database): Promise<string> {
  const { rows } = await database.query<{ key: Buffer }>('select key from cursor_key')
  return createHmac('sha256', rows[0]!.key).update('oauth cookies').digest('base64url')
}
