// The authorization server for agents. It has its own root file, so that its libraries are loaded with the first request.

export * from './oauth/authorization-server.ts'
