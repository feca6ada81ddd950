// The port to what counts calls: the rate window of each key, and the queue for its one slot. The adapters are the memory of
// one process (in-memory.ts) and a store that several processes share (store/). Both give the same answers. If they cannot
// know the answer, they throw `LimitsUnavailable`: a call that was not counted must not be admitted.

import type { Principal } from '../accounts/principals.ts'

/** It is unknown whether a call can be admitted, or still has its slot. This is temporary: the client retries. */
export class LimitsUnavailable extends Error {
  override readonly name = 'LimitsUnavailable'
}

export interface Admission {
  readonly admitted: boolean
  readonly limit: number
  /** Calls that would still be admitted now. */
  readonly remaining: number
  /** Until the next call is admitted (when refused) or until one more would be. Milliseconds. */
  readonly resetMs: number
}

export interface RateWindows {
  /** Counts the call in, or refuses it. `requestId` names the call's usage row. */
  enter(principal: Principal, requestId: string): Promise<Admission>
  /** Where the key stands, without counting. */
  look(principal: Principal): Promise<Admission>
  /** The usage row of an admitted call is in the database: from now on that remembers the admission. */
  recorded(requestId: string): void
}

/** The one place of a key: the call that holds it is processed, and the others of the key wait. */
export interface Slot {
  /** Whether another call of the key may be in flight by now: then nothing may be charged. */
  readonly lost: boolean
  /** Giving it back again does nothing. */
  release(): void
}

/** Who waits. The signal is asked for only when there is something to wait for. */
export interface QueueWaitOptions {
  readonly signal: AbortSignal
}

export interface KeyQueues {
  /** Resolves when it is this call's turn. Rejects with the signal's reason when the call is aborted while waiting. */
  take(keyId: string, waitOptions: QueueWaitOptions): Promise<Slot>
  /** More than 0 while any call of this process is in flight or waits. */
  readonly size: number
}

export interface Limits {
  readonly windows: RateWindows
  readonly queues: KeyQueues
  /** Whether calls can be admitted now. */
  readonly available: boolean
  /** To be called when no call is in flight any more. */
  close(): Promise<void>
}
