// Stops in this order: leave the proxy's rotation, finish running calls, write pending records, close everything.

import closeWithGrace from 'close-with-grace'
import { poll } from '../infrastructure/platform.ts'
import type { SecretsKeyLease } from '../infrastructure/processes.ts'
import { closeServer } from '../interfaces/http.ts'
import type { createServer } from '../interfaces/server.ts'
import type { App } from './app.ts'

/** The time after which the process exits even if something hangs. The drain delay is added. */
const STOP_LIMIT_MS = 30_000

export interface Stoppable {
  stop(): Promise<void>
}

/** Stops everything at SIGTERM, SIGINT, or a fatal error. A second signal ends the process immediately. */
export function stopWithGrace(
  app: App,
  server: Awaited<ReturnType<typeof createServer>>,
  workers: readonly Stoppable[],
  {
    tracing,
    keyLease,
    replica,
    operatorConsole,
  }: {
    readonly tracing?: Stoppable
    readonly keyLease?: SecretsKeyLease
    readonly replica?: { close(): Promise<void> }
    readonly operatorConsole?: Parameters<typeof closeServer>[0]
  },
): void {
  const { log, database, ledger, limits, config } = app
  closeWithGrace({ delay: STOP_LIMIT_MS + config.drainDelayMs, logger: false }, async ({ err, signal }) => {
    // Only SIGTERM comes from a supervisor that restarts one process of several. Ctrl-C stops without the delay.
    const drainDelayMs = signal === 'SIGTERM' ? config.drainDelayMs : 0
    if (err) log.fatal({ err }, 'stopping after an error')
    else log.info({ signal, ...(drainDelayMs > 0 && { drainDelayMs }) }, 'stopping')
    app.stopping = true
    await Promise.all([
      ...workers.map((worker) => worker.stop()),
      closeServer(server, drainDelayMs),
      ...(operatorConsole ? [closeServer(operatorConsole, 0)] : []),
    ])
    await untilCallsEnd(app)
    await ledger.drained()
    await app.mailer?.drained()
    // Lookups that are not released count as failed only until the end of their minute and day.
    await app.budget
      .drain()
      .catch((error: unknown) => log.warn({ err: error }, 'cannot release unused lookups'))
    await keyLease?.leave()
    await limits.close()
    await Promise.all([database.close(), replica?.close(), tracing?.stop()])
  })
}

/** A call that was cut off aborts its work and still writes its usage row. The time is bounded, because some work cannot be aborted. */
async function untilCallsEnd({ queues }: App): Promise<void> {
  await poll(() => queues.size === 0 || undefined, { attempts: 100, pauseMs: 10 })
}
