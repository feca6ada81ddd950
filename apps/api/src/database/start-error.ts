/** Why this program cannot start, in one line that says what to do about it. It is shown without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** The system's code of a failed call, such as `EACCES`. */
export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}
