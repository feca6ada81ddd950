// Stopping, in order: leave the proxy's rotation, let the calls under way finish, keep the books, close everything.

import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import type { App } from './app.ts'
import type { SecretsKeyLease } from './processes/secrets-key-lease.ts'

/** How long calls under way may take to finish when the process is told to stop; what is left then is cut off. */
const GRACE_MS = 8_000
/** How long a proxy may take to use or drop its open connections, once no new ones are accepted. */
const LEAVE_MS = 2_000
/** When the process ends in any case, whatever still hangs. The drain delay comes on top. */
const STOP_LIMIT_MS = 30_000

export interface Stoppable {
  stop(): Promise<void>
}

/** Stops everything at SIGTERM, SIGINT or a fatal error. A second signal ends the process immediately. */
export function stopWithGrace(
  app: App,
  server: FastifyInstance,
  workers: readonly Stoppable[],
  { tracing, keyLease }: { readonly tracing?: Stoppable; readonly keyLease?: SecretsKeyLease },
): void {
  const { log, database, ledger, limits, config } = app
  closeWithGrace({ delay: STOP_LIMIT_MS + config.drainDelayMs, logger: false }, async ({ err, signal }) => {
    // Only SIGTERM comes from a supervisor that restarts one process of several. Ctrl-C stops without the delay.
    const drainDelayMs = signal === 'SIGTERM' ? config.drainDelayMs : 0
    if (err) log.fatal({ err }, 'stopping after an error')
    else log.info({ signal, ...(drainDelayMs > 0 && { drainDelayMs }) }, 'stopping')
    app.stopping = true
    await Promise.all([...workers.map((worker) => worker.stop()), closeServer(server, drainDelayMs)])
    await untilCallsEnd(app)
    await ledger.drained()
    // What is not given back only counts as failed for the rest of its minute and day.
    await app.budget.drain().catch((error: unknown) => log.warn({ err: error }, 'cannot give lookups back'))
    await keyLease?.leave()
    await limits.close()
    await Promise.all([database.close(), tracing?.stop()])
  })
}

/**
 * Goes on serving for `drainDelayMs` while /readyz answers 503, so that a proxy has time to send calls elsewhere. Then
 * accepts no new connection, lets the calls under way finish, and cuts off what is left after the grace period.
 */
async function closeServer(server: FastifyInstance, drainDelayMs: number): Promise<void> {
  if (drainDelayMs > 0) {
    await sleep(drainDelayMs)
    await letConnectionsLeave(server)
  }
  // A connection whose last call is over would else keep the server until its client lets go of it.
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
  for (const until = performance.now() + LEAVE_MS; performance.now() < until; await sleep(20)) {
    if ((await countConnections(server)) === 0) return
  }
}

function countConnections(server: FastifyInstance['server']): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}

/** A call that was cut off gives its work up and still writes its usage row. Bounded: not all work can be given up. */
async function untilCallsEnd({ queues }: App): Promise<void> {
  for (let attempt = 0; queues.size > 0 && attempt < 100; attempt++) await sleep(10)
}
