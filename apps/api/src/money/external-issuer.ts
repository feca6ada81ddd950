// Tokens of OAUTH_ISSUER. A file of its own, because its libraries are loaded with the first token.

export * from './oauth/external-issuer.ts'
