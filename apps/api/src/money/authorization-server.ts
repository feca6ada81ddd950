// The authorization server for agents. A file of its own, because its libraries are loaded with the first request.

export { createAuthorizationServer } from './oauth/authorization-server.ts'
