// A real authorization server (oidc-provider) behind an HTTP front that tests can take down or make publish other documents.

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import Provider from 'oidc-provider'
import { beforeAll, expect } from 'vitest'

/**
 * Runs the issuer on a port of this machine for the tests of a file.
 *
 * @param resource the audience of its tokens
 */
export async function withTestIssuer(issuerPort: number, resource: string) {
  const issuer = `http://127.0.0.1:${issuerPort}`
  /** The account of each client that authenticates by itself. */
  const accountOf: Record<string, string> = {}
  const [signing, next] = [
    await generateKeyPair('ES256', { extractable: true }),
    await generateKeyPair('ES256'),
  ]
  const jwkOf = async (key: CryptoKey, kid: string): Promise<JWK> => ({
    ...(await exportJWK(key)),
    kid,
    alg: 'ES256',
    use: 'sig',
  })
  const ownKeys = [await jwkOf(signing.publicKey, 'first')]

  /** What the front of the issuer does, and how often it was asked for keys. */
  const front = {
    isDown: false,
    keys: ownKeys,
    asked: 0,
    status: 200,
    /** Instead of its own. */
    metadata: undefined as object | undefined,
  }

  beforeAll(async () => {
    const provider = new Provider(issuer, {
      clients: ['agent-1', 'agent-2'].map((client_id) => ({
        client_id,
        client_secret: 'secret',
        grant_types: ['client_credentials'],
        id_token_signed_response_alg: 'ES256' as const,
        redirect_uris: [],
        response_types: [],
        token_endpoint_auth_method: 'client_secret_basic' as const,
      })),
      extraTokenClaims: (_context, { clientId }) => ({ lotline_account: accountOf[clientId!] }),
      features: {
        clientCredentials: { enabled: true },
        devInteractions: { enabled: false },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_context, audience) => ({
            scope: 'read jobs watches',
            audience,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          }),
        },
      },
      jwks: { keys: [await jwkOf(signing.privateKey, 'first')] } as never,
      scopes: ['read', 'jobs', 'watches'],
    })
    const answer = provider.callback()
    const httpServer = createServer((request, response: ServerResponse) => {
      if (front.isDown) return response.writeHead(503).end()
      if (front.status === 302) return response.writeHead(302, { location: `${issuer}/elsewhere` }).end()
      if (front.metadata && request.url!.startsWith('/.well-known/'))
        return response.end(JSON.stringify(front.metadata))
      if (request.url === '/jwks') {
        front.asked++
        const body = JSON.stringify({ keys: front.keys })
        return response.writeHead(200, { 'content-type': 'application/json' }).end(body)
      }
      return answer(request, response)
    }).listen(issuerPort, '127.0.0.1')
    await once(httpServer, 'listening')
    return () => {
      httpServer.close()
      httpServer.closeAllConnections()
    }
  })

  function resetFront(): void {
    Object.assign(front, { isDown: false, keys: ownKeys, status: 200, metadata: undefined })
  }

  /** A token from the issuer itself. */
  async function issueToken(
    client: string,
    accountId: string,
    scope = 'read jobs watches',
    audience = resource,
  ) {
    accountOf[client] = accountId
    const response = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${btoa(`${client}:secret`)}`,
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource: audience }).toString(),
    })
    expect(response.status).toBe(200)
    return (await response.json()).access_token as string
  }

  /** A token made by hand, with the key of the issuer unless `by` says otherwise. */
  function mint(claims: object, by: { key?: CryptoKey | Uint8Array; header?: object } = {}) {
    return new SignJWT({ iss: issuer, aud: resource, client_id: 'agent-1', scope: 'read', ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'first', typ: 'at+jwt', ...by.header })
      .sign(by.key ?? signing.privateKey)
  }

  return { front, ownKeys, next, jwkOf, resetFront, issueToken, mint, accountOf }
}
