// Checks the metadata of a client, in its registration and its metadata document: users read it on the consent page and are
// redirected to its URIs.

// Why: decisions/money/client-documents-of-connectors.md

import { errors } from 'oidc-provider'

/** Control characters, half of a surrogate pair, and characters that are invisible or change the direction of a text. */
const MISLEADING_CHARACTERS = /\u034f|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u
const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', '[::1]', 'localhost']
/** The reversed name of a domain, such as com.example.app (RFC 8252, section 7.1). */
const PRIVATE_USE_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/

/**
 * Checks the metadata of a client as it was sent.
 *
 * @throws {errors.InvalidClientMetadata} `invalid_redirect_uri` or `invalid_client_metadata`, with the reason
 */
export function checkClientMetadata(metadata: Readonly<Record<string, unknown>>): void {
  const { redirect_uris: uris } = metadata
  // The rules of oidc-provider refuse other types.
  if (Array.isArray(uris)) {
    for (const uri of uris) {
      const fault = typeof uri === 'string' ? findRedirectFault(uri) : undefined
      if (fault) throw new errors.InvalidClientMetadata(`redirect_uris must ${fault}`)
    }
  }
  for (const [name, value] of Object.entries(metadata)) {
    if (isMisleading(value))
      throw new errors.InvalidClientMetadata(
        `${name} must not have control characters, or characters that are invisible or change the direction of text`,
      )
  }
}

/** Iterative, because the value may be deeply nested. */
function isMisleading(value: unknown): boolean {
  const pending = [value]
  while (pending.length > 0) {
    const next = pending.pop()
    if (typeof next === 'string') {
      if (MISLEADING_CHARACTERS.test(next)) return true
    } else if (typeof next === 'object' && next !== null) pending.push(...Object.entries(next).flat())
  }
  return false
}

function findRedirectFault(uri: string): string | undefined {
  const url = /[\s\\]/.test(uri) || MISLEADING_CHARACTERS.test(uri) ? null : URL.parse(uri)
  if (!url) return 'be URIs without spaces, backslashes, and control characters'
  if (uri.includes('#')) return 'not contain fragments'
  if (url.username !== '' || url.password !== '') return 'not contain a user name or password'
  if (url.protocol === 'https:' || PRIVATE_USE_SCHEME.test(url.protocol)) return undefined
  if (url.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname)) return undefined
  return 'begin with https://, with http:// and a loopback address, or with a private-use scheme that has a dot, such as com.example.app:/'
}
