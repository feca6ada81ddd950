import { ProviderFailure } from './provider.ts'

/**
 * A failure that may be over when the same question is asked again: a lost connection, an overloaded source. Only
 * this kind is retried.
 */
export class TransientFailure extends ProviderFailure {
  /** The source's own wish: not before so many milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, options: { cause?: unknown; retryAfterMs?: number | undefined } = {}) {
    super(message, { cause: options.cause })
    this.retryAfterMs = options.retryAfterMs
  }
}
