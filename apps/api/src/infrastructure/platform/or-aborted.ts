/**
 * Settles like the promise, or rejects with the signal's reason if that comes first; a later outcome is ignored. The promise
 * always has a listener, because an unhandled rejection would end the process.
 */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
