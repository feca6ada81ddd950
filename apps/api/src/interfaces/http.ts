// The HTTP transport: listeners, limits, health, and metrics.

export { closeServer } from './http/close-server.ts'
export { createHealthServer } from './http/health.ts'
