// Closes a server: it leaves the proxy's rotation, accepts no new connections, and lets running calls finish.

import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { poll } from '../../infrastructure/platform.ts'

/** The grace period of running calls when the process stops. Remaining calls are then cut off. */
const GRACE_MS = 8_000
/** How long a proxy may take to use or drop its open connections after the server stops accepting new ones. */
const LEAVE_MS = 2_000

/**
 * Keeps serving for `drainDelayMs` while /readyz returns 503, so that a proxy has time to redirect calls. Then accepts no new connection,
 * lets running calls finish, and cuts off remaining connections after the grace period.
 */
export async function closeServer(server: FastifyInstance, drainDelayMs: number): Promise<void> {
  if (drainDelayMs > 0) {
    await sleep(drainDelayMs)
    await letConnectionsLeave(server)
  }
  // Otherwise an idle connection would keep the server open until its client closes it.
  const sweep = setInterval(() => server.server.closeIdleConnections(), 50)
  const cut = setTimeout(() => server.server.closeAllConnections(), GRACE_MS)
  try {
    await server.close()
  } finally {
    clearInterval(sweep)
    clearTimeout(cut)
  }
}

/**
 * Accepts no new connection, and closes each open one with the response to its next call. Idle connections are not closed here: a call that
 * a proxy sends at that moment would be lost.
 */
async function letConnectionsLeave({ server }: FastifyInstance): Promise<void> {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  // Not http's own `close`, which also closes idle connections.
  NetServer.prototype.close.call(server)
  await poll(async () => (await countConnections(server)) === 0 || undefined, {
    timeoutMs: LEAVE_MS,
    pauseMs: 20,
  })
}

function countConnections(server: FastifyInstance['server']): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}
