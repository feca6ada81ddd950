// The renewal of a lease: a row that a process owns for a while, under a token that each of its writes names. A lease that is lost
// aborts the work that it protects. Leases that are renewed in groups are in loop/work-loop.ts.
// Why: decisions/infrastructure/one-helper-for-leases.md

import { interval } from './interval.ts'

/** Renewals within the time of a lease: several may fail before it ends. */
const RENEWALS_PER_LEASE = 5

export interface LeaseOptions {
  readonly leaseMs: number
  /** The lease counts as ended so long before it ends, for what was checked under it. Default: 0. */
  readonly marginMs?: number
  /** When it was last asked for and granted, on the monotonic clock. */
  readonly heldFrom: number
  /** Renews the lease. True: it is held. An error says nothing about it. */
  renew(lease: RenewedLease): Promise<boolean>
  onError(error: unknown): void
}

export interface RenewedLease {
  /** Whether it is surely held now. */
  readonly isHeld: boolean
  /** Whether another holder may have it, until it is renewed again. */
  readonly isLost: boolean
  /** How often it was lost. */
  readonly losses: number
  /** Aborts at the first loss, with its reason. */
  readonly signal: AbortSignal
  lose(reason: Error): void
  /** Renews it no longer. */
  stop(): Promise<void>
}

/** Renews a lease until it is stopped, now and at a fixed part of its time. */
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
