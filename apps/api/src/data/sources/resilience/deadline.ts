/**
 * Runs `work` with a signal that aborts when the outer one does, with its reason, or when `timeoutMs` are over, with
 * `tooLate()`. `work` must end at its signal.
 */
export async function withDeadline<T>(
  timeoutMs: number,
  outer: AbortSignal,
  tooLate: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer.throwIfAborted()
  const controller = new AbortController()
  const leave = () => controller.abort(outer.reason)
  outer.addEventListener('abort', leave, { once: true })
  const timer = setTimeout(() => controller.abort(tooLate()), timeoutMs)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    outer.removeEventListener('abort', leave)
  }
}
