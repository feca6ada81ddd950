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
export { digestOf } from './oauth/records.ts'
export { operationsOf, PATHS, resourceOf, SCOPES, type Scope, scopesIn } from './oauth/rights.ts'
