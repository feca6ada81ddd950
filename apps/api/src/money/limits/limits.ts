// The port that counts calls: the rate window of each key, and the queue for its single slot. Its adapters are the memory of one
// process (in-memory.ts) and a store that several processes share (store/). Both give the same results. If they cannot know the
// result, they throw `LimitsUnavailable`, because a call that was not counted must not be admitted.

import type { Principal } from '../accounts/principals.ts'

/**
 * Thrown if the limits cannot be checked, so that it is unknown whether a call is admitted or still has its slot. The
 * condition is temporary, and the client retries.
 */
export class LimitsUnavailable extends Error {
  override readonly name = 'LimitsUnavailable'
}

export interface Admission {
  readonly admitted: boolean
  readonly limit: number
  /** Calls that would still be admitted now. */
  readonly remaining: number
  /** Milliseconds until the next call is admitted: this one again if it was refused, otherwise one more. */
  readonly resetMs: number
}

export interface RateWindows {
  /** Admits and counts the call, or refuses it. `requestId` names the call's usage row. */
  enter(principal: Principal, requestId: string): Promise<Admission>
  /** The state of the key's window, without counting. */
  look(principal: Principal): Promise<Admission>
  /** Reports that the usage row of an admitted call is stored, and now records the admission. */
  recorded(requestId: string): void
}

/** The single slot of a key: the call that holds it runs, and other calls of the key wait. */
export interface Slot {
  /** Whether another call of the key may be running by now. Then nothing may be charged. */
  readonly lost: boolean
  /** Repeating it does nothing. */
  release(): void
}

/** The signal is read only if the call has to wait. */
export interface QueueWaitOptions {
  readonly signal: AbortSignal
}

export interface KeyQueues {
  /** Resolves when it is this call's turn. Rejects with the signal's reason when the call is aborted while waiting. */
  take(keyId: string, waitOptions: QueueWaitOptions): Promise<Slot>
  /** Calls of this process that run or wait. */
  readonly size: number
}

export interface Limits {
  readonly windows: RateWindows
  readonly queues: KeyQueues
  /** Whether calls can be admitted now. */
  readonly available: boolean
  /** Call it when no call is in flight any more. */
  close(): Promise<void>
}
