// The end of a server: it leaves the proxy's rotation, accepts nothing new, and lets the calls under way finish.

import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { poll } from '../../infrastructure/platform.ts'

/** The time that calls under way have to finish when the process stops. Then they are cut off. */
const GRACE_MS = 8_000
/** How long a proxy may take to use or drop its open connections, once no new ones are accepted. */
const LEAVE_MS = 2_000

/**
 * Keeps serving for `drainDelayMs` while /readyz answers 503, so that a proxy has time to send calls elsewhere. Then
 * accepts no new connection, lets the calls under way finish, and cuts off the remaining connections after the grace period.
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
 * Accepts no new connection, and ends each open one with the response to its next call. A proxy may send a call over an
 * idle connection at the moment in which we close it; that call would be lost, so idle connections are not closed here.
 */
async function letConnectionsLeave({ server }: FastifyInstance): Promise<void> {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  // Not http's own `close`, which closes idle connections too.
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
