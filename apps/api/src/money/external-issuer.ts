// Tokens of OAUTH_ISSUER. A file of its own, because its libraries are loaded with the first token.

export { createExternalIssuer } from './oauth/external-issuer.ts'
