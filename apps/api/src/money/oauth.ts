// Agents: connectors, the consent page, and tokens of an external issuer.

export { createConnector } from './oauth/connectors.ts'
export {
  consentPage,
  DEFAULT_CREDIT_LIMIT,
  errorPage,
  MAX_CREDIT_LIMIT,
  reloadPage,
  STYLE,
} from './oauth/consent-page.ts'
export {
  createExternalTokens,
  type ExternalIssuer,
  type ExternalTokens,
  IssuerUnavailable,
  isJwt,
  type KeylessRefusal,
} from './oauth/external-connectors.ts'
export { tokenDigest } from './oauth/records.ts'
export { mcpResourceUrl, operationsInScopes, PATHS, SCOPES, type Scope, scopesIn } from './oauth/rights.ts'
