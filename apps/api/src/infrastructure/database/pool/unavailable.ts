// Distinguishes "the database is unavailable now" from "the statement was wrong". The first is temporary: callers answer 503 and
// try again later. The second is a mistake in this program or a violated constraint, and is thrown unchanged
// (pg's DatabaseError, with its SQLSTATE in `code`).

/**
 * The database cannot be reached, is starting or stopping, or has no room for us. The statement was not the cause.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
  /** True when the statement had been sent and no answer came: it may or may not have been carried out. */
  readonly outcomeUnknown: boolean

  constructor(message: string, options: { cause?: unknown; outcomeUnknown?: boolean } = {}) {
    super(message, { cause: options.cause })
    this.outcomeUnknown = options.outcomeUnknown ?? false
  }
}

/** Whether a statement was cancelled because it took longer than it may. */
export function isTimeout(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error
  return (cause as { code?: unknown } | null | undefined)?.code === '57014'
}

/**
 * What an error says about the connection it came from.
 * `lost`: it cannot be used any more. `refused`: it was not made. `busy`: it works, but the database is out of time or
 * room. undefined: an error of the statement.
 */
export type ConnectionTrouble = 'lost' | 'refused' | 'busy' | undefined

const LOST = new Set(['57P01', '57P02', '57P04', '57P05', '25P03', '25006'])
const REFUSED = new Set(['57P03', '53300', 'ECONNREFUSED', 'ENOENT', 'EACCES', 'ENOTFOUND', 'EAI_AGAIN'])
const SOCKET_ERRORS = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
])
// pg gives its own connection errors no code.
const LOST_MESSAGE =
  /^Connection terminated|^timeout expired|^timeout exceeded when trying to connect|is not queryable$|^Cannot use a pool after calling end|socket disconnected before secure TLS/

export function troubleOf(error: unknown): ConnectionTrouble {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string') {
    if (REFUSED.has(code)) return 'refused'
    // 08: connection exceptions. 25006: a primary that has become a standby; a new connection finds the new primary.
    if (LOST.has(code) || SOCKET_ERRORS.has(code) || /^08...$/.test(code)) return 'lost'
    // 57014: over its time. 55P03: no lock in time. 53: no disk, memory, or connection left.
    if (code === '57014' || code === '55P03' || /^53...$/.test(code)) return 'busy'
    return undefined
  }
  return typeof message === 'string' && LOST_MESSAGE.test(message) ? 'lost' : undefined
}

/**
 * Whether a connection has prepared the statement for columns that have other types by now: a restore has replaced its
 * tables. The statement was not executed, and a new connection prepares it again.
 */
export function isPlanOutdated(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === '0A000' && message === 'cached plan must not change result type'
}

/** Whether a failed statement may have reached the database. */
export function wasSent(error: unknown): boolean {
  return troubleOf(error) === 'lost' && !/is not queryable$/.test(String((error as Error).message))
}

/** Whether a new attempt to connect is likely to succeed within a second: the database is just being restarted. */
export function isProbablyRestarting(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return ['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE'].includes(String(code))
}

/** What went wrong, short and without a full stop. Node's refusals by several addresses come without a message. */
export function reasonOf(error: unknown): string {
  const { message, code, errors } = error as { message?: string; code?: string; errors?: readonly Error[] }
  return message || errors?.[0]?.message || code || String(error)
}
