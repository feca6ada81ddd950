// The call log: one line for each call, however it ended. Guessed keys share one line a minute. A line never contains a query, a body, or a
// header, which can contain addresses and keys.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

const GUESSES_EVERY_MS = 60_000

export interface CallLog {
  /**
   * Logs a call when its response is sent or its connection is closed. @param from arrival time, on the process's monotonic clock, in
   * milliseconds
   */
  whenOver(request: FastifyRequest, reply: FastifyReply, from: number): void
  /** Counts a call that was refused because its address guesses keys. The first one is logged immediately. */
  guess(): void
}

export function createCallLog(log: Logger): CallLog {
  let notedAt = Number.NEGATIVE_INFINITY
  let guesses = 0

  function write(request: FastifyRequest, reply: FastifyReply, from: number): void {
    log.info({
      requestId: request.id,
      operation: request.routeOptions.config?.operationId ?? null,
      account: request.call?.principal.accountId ?? null,
      // null: the client disconnected before the response was sent.
      status: reply.raw.writableFinished ? reply.statusCode : null,
      ms: Math.round(performance.now() - from),
    })
  }

  return {
    whenOver(request, reply, from) {
      if (!log.isLevelEnabled('info')) return
      // A client that disconnected during the key lookup is not reported a second time.
      if (reply.raw.closed) write(request, reply, from)
      else reply.raw.on('close', () => write(request, reply, from))
    },
    guess() {
      guesses++
      const now = performance.now()
      if (now - notedAt < GUESSES_EVERY_MS) return
      log.warn({ calls: guesses }, 'refused calls without a valid key: their addresses sent too many')
      notedAt = now
      guesses = 0
    },
  }
}
