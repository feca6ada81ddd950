// The log: JSON lines on stderr. No line contains clients' input or listing data. Of an error, only its kind and location are logged,
// because its other fields may contain the affected rows.

import { destination, type Logger, pino } from 'pino'
import type { Config } from '../../infrastructure/config.ts'

/** Maximum depth of logged causes. */
const MAX_CAUSES = 4

export function createLog(level: Config['logLevel']): Logger {
  const log = pino(
    { level, base: null, serializers: { err: (error: unknown) => describeError(error) } },
    destination({ fd: 2, sync: false }),
  )
  // Node would print its own warnings as plain text.
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => log.warn({ warning: name }, message))
  return log
}

/** The parts of an error that may be logged. */
export interface ErrorDescription {
  readonly type: string
  readonly message: string
  /** The system's error code or PostgreSQL's SQLSTATE. */
  readonly code?: string
  readonly table?: string
  readonly constraint?: string
  /** The stack without the message. */
  readonly stack?: string
  readonly cause?: ErrorDescription
}

export function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: 'thrown, but no error' }
  const { code, table, constraint } = error as { code?: unknown; table?: unknown; constraint?: unknown }
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.constructor.name,
    message: quotesInput(error, code) ? 'its text may repeat input' : error.message,
    ...(typeof code === 'string' && { code }),
    ...(typeof table === 'string' && { table }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(frames && frames.length > 0 && { stack: frames.join('\n') }),
    ...(error.cause !== undefined && depth < MAX_CAUSES && { cause: describeError(error.cause, depth + 1) }),
  }
}

/** Parsers repeat the input that they cannot read; so does PostgreSQL in data exceptions (class 22). */
function quotesInput(error: Error, code: unknown): boolean {
  return error instanceof SyntaxError || (typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code))
}
