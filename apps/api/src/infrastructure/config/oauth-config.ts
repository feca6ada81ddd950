// Settings of OAuth: whether it is on, and an external authorization server of the operator.

import { onOff, setting, url } from './setting-kinds.ts'

export interface IssuerConfig {
  /** The issuer identifier, exactly as in its tokens and metadata. */
  readonly issuer: string
  /** Whether it may have a private address and plain http. */
  readonly allowPrivateNetworks: boolean
}

export const OAUTH_SETTINGS = {
  OAUTH_ISSUER: setting(
    url('https', 'http'),
    undefined,
    'Issuer of an authorization server of yours, exactly as its tokens name it. Agents then get their tokens there, and the one of this service is off. Its access tokens carry the id of the account in the claim `lotline_account`. Needs PUBLIC_URL.',
  ),
  OAUTH_ISSUER_ALLOW_PRIVATE_NETWORK: setting(
    onOff,
    false,
    'Whether OAUTH_ISSUER may have a private address and plain http.',
  ),
} as const

interface OauthValues {
  readonly PUBLIC_URL: string | undefined
  readonly OAUTH_ISSUER: string | undefined
  readonly OAUTH_ISSUER_ALLOW_PRIVATE_NETWORK: boolean
}

/** Returns undefined if there is no issuer. Adds problems with it to `problems`. */
export function readIssuer(values: OauthValues, problems: string[]): IssuerConfig | undefined {
  const { PUBLIC_URL: publicUrl, OAUTH_ISSUER: issuer } = values
  const { OAUTH_ISSUER_ALLOW_PRIVATE_NETWORK: allowPrivateNetworks } = values
  if (issuer === undefined) return undefined
  const { protocol, search, hash } = new URL(issuer)
  if (oauthOrigin({ publicUrl }) === undefined)
    problems.push(
      'OAUTH_ISSUER is set, so PUBLIC_URL must be an https:// origin: its tokens are for that origin.',
    )
  if (protocol !== 'https:' && !allowPrivateNetworks)
    problems.push('OAUTH_ISSUER must begin with https:// unless OAUTH_ISSUER_ALLOW_PRIVATE_NETWORK is on.')
  // RFC 8414, section 2.
  if (search !== '' || hash !== '') problems.push('OAUTH_ISSUER must have no query and no fragment.')
  return { issuer, allowPrivateNetworks }
}

/**
 * The origin for which access tokens are issued. undefined: OAuth is off, because PUBLIC_URL is not set or does not encrypt
 * connections.
 */
export function oauthOrigin({ publicUrl }: { readonly publicUrl: string | undefined }): string | undefined {
  if (publicUrl === undefined) return undefined
  const { protocol, hostname } = new URL(publicUrl)
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
  return protocol === 'https:' || isLocal ? publicUrl : undefined
}
