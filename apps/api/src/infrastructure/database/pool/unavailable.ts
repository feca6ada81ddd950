// Distinguishes an unavailable database from an invalid statement. The first is temporary: callers answer 503 and retry later.
// The second is a mistake in this program or a violated constraint, and is thrown unchanged (pg's DatabaseError, with its
// SQLSTATE in `code`).

/** The database is unreachable, starting, stopping, or out of capacity. The statement was not the cause. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
  /** True if the statement was sent and no response came: it may or may not have been executed. */
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

/** Whether the cause is a full disk, that of the database or of this process. */
export function isDiskFull(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error
  const { code, message } = (cause ?? {}) as { code?: unknown; message?: unknown }
  return (
    DISK_FULL.has(String(code)) || /no space left on device|database or disk is full/i.test(String(message))
  )
}

/** Completes a sentence about what does not work. */
export const DISK_FULL_ADVICE =
  'the disk is full. Free space on the disk of the database or of DATA_DIR, then try again.'

// 53100: PostgreSQL's own code.
const DISK_FULL = new Set(['53100', 'ENOSPC', 'EDQUOT'])

/**
 * The state of a connection after an error. `lost`: it is unusable. `refused`: it was not established. `busy`: it works, but the
 * database is out of time or capacity. undefined: an error of the statement.
 */
export type ConnectionTrouble = 'lost' | 'refused' | 'busy' | undefined

const CONNECTION_LOST_CODES = new Set(['57P01', '57P02', '57P04', '57P05', '25P03', '25006'])
const CONNECTION_REFUSED_CODES = new Set([
  '57P03',
  '53300',
  'ECONNREFUSED',
  'ENOENT',
  'EACCES',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const SOCKET_ERROR_CODES = new Set([
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
const CONNECTION_LOST_MESSAGE =
  /^Connection terminated|^timeout expired|^timeout exceeded when trying to connect|is not queryable$|^Cannot use a pool after calling end|socket disconnected before secure TLS/

export function classifyTrouble(error: unknown): ConnectionTrouble {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string') {
    if (CONNECTION_REFUSED_CODES.has(code)) return 'refused'
    // 08: connection exceptions. 25006: a primary that has become a standby; a new connection finds the new primary.
    if (CONNECTION_LOST_CODES.has(code) || SOCKET_ERROR_CODES.has(code) || /^08...$/.test(code)) return 'lost'
    // 57014: statement timeout. 55P03: lock timeout. 53: out of disk, memory, or connections.
    if (code === '57014' || code === '55P03' || /^53...$/.test(code)) return 'busy'
    return undefined
  }
  return typeof message === 'string' && CONNECTION_LOST_MESSAGE.test(message) ? 'lost' : undefined
}

/**
 * Whether a connection prepared the statement for columns that now have other types, because a restore replaced the tables. The
 * statement was not executed, and a new connection prepares it again.
 */
export function isPlanOutdated(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === '0A000' && message === 'cached plan must not change result type'
}

/** Whether a failed statement may have reached the database. */
export function wasSent(error: unknown): boolean {
  return classifyTrouble(error) === 'lost' && !/is not queryable$/.test(String((error as Error).message))
}

/** Whether a new attempt to connect is likely to succeed within a second: the database is just being restarted. */
export function isProbablyRestarting(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return ['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE'].includes(String(code))
}

/** A short reason without a full stop. Node's errors for several addresses have no message. */
export function shortReason(error: unknown): string {
  const { message, code, errors } = error as { message?: string; code?: string; errors?: readonly Error[] }
  return message || errors?.[0]?.message || code || String(error)
}
