// Renews a lease: a row that a process owns for a limited time, under a token that each of its writes names. A lost lease aborts
// the work that it protects. loop/work-loop.ts renews leases in groups.
// Why: decisions/infrastructure/one-helper-for-leases.md

import { interval } from './interval.ts'

/** Renewals per lease period, so that several may fail before the lease ends. */
const RENEWALS_PER_LEASE = 5

export interface LeaseOptions {
  readonly leaseMs: number
  /** The lease counts as ended this long before its end, for work that was checked under it. Default: 0. */
  readonly marginMs?: number
  /** The time of the request that was last granted, on the monotonic clock. */
  readonly heldFrom: number
  /** Renews the lease. Returns true if it is held. An error says nothing about it. */
  renew(lease: RenewedLease): Promise<boolean>
  onError(error: unknown): void
}

export interface RenewedLease {
  /** Whether it is certainly held now. */
  readonly isHeld: boolean
  /** Whether another holder may have it, until the next renewal. */
  readonly isLost: boolean
  /** Number of losses. */
  readonly losses: number
  /** Aborts at the first loss, with its reason. */
  readonly signal: AbortSignal
  lose(reason: Error): void
  /** Stops the renewal. */
  stop(): Promise<void>
}

/** Renews a lease now and at a fixed fraction of its period, until it is stopped. */
export function keepLease({ leaseMs, marginMs = 0, heldFrom, renew, onError }: LeaseOptions): RenewedLease {
  const controller = new AbortController()
  let heldUntil = heldFrom + leaseMs - marginMs
  let isLost = false
  let losses = 0

  const lease: RenewedLease = {
    get isHeld() {
      return !isLost && performance.now() < heldUntil
    },
    get isLost() {
      return isLost
    },
    get losses() {
      return losses
    },
    signal: controller.signal,
    lose(reason) {
      isLost = true
      losses++
      controller.abort(reason)
    },
    stop: () => renewal.stop(),
  }

  async function renewOnce(): Promise<void> {
    const askedAt = performance.now()
    if (!(await renew(lease))) return
    heldUntil = askedAt + leaseMs - marginMs
    isLost = false
  }

  const renewal = interval(leaseMs / RENEWALS_PER_LEASE, renewOnce, onError)
  return lease
}
