// The observer's facts of each query to a provider: how long each waited, how long it took, and how it ended.

import {
  type AnswerOutcome,
  type Observer,
  orAborted,
  type ProviderQuery,
} from '../../../infrastructure/platform.ts'
import { type Asking, ProviderFailure, ProviderTimeout } from '../provider.ts'
import { createSemaphore, type Semaphore, type SemaphoreOptions } from './semaphore.ts'

/** Semaphore whose waits are measured. */
export function observeSemaphore(observer: Observer, options: SemaphoreOptions): Semaphore {
  const semaphore = createSemaphore(options)
  return {
    async take(signal, owner) {
      const end = observer.waitForProvider(owner?.background === true)
      try {
        const slot = await semaphore.take(signal, owner)
        end('entered')
        return slot
      } catch (error) {
        end('cancelled')
        throw error
      }
    },
  }
}

/** Sends one query, and reports it to the observer. */
export async function observeQuery<T>(
  observer: Observer,
  query: ProviderQuery,
  signal: AbortSignal,
  ask: (asking: Asking) => Promise<T>,
): Promise<T> {
  const end = observer.askProvider(query)
  try {
    const answer = await orAborted(ask({ signal }), signal)
    end('answered')
    return answer
  } catch (error) {
    end(outcomeOf(signal.aborted ? signal.reason : error, signal))
    throw error
  }
}

function outcomeOf(error: unknown, { aborted }: AbortSignal): AnswerOutcome {
  if (error instanceof ProviderTimeout) return 'timed_out'
  if (aborted) return 'left'
  return error instanceof ProviderFailure ? 'failed' : 'broken'
}
