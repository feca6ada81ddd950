// The loop that drives all background work: claim, run, finish. Work is rows of the database. A process that claims a row holds a lease on
// it. The loop renews the lease; it expires if the process is stopped, paused, or disconnected.
// The loop guarantees that at most `atATime` pieces run here, that owners take turns, that a run is aborted as soon as its lease is lost,
// and that after `stop` nothing runs and every lease is returned. The work source defines the work, and makes sure that a write without the
// lease changes nothing.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import { DatabaseUnavailable } from '../../infrastructure/database.ts'
import { retry, singleFlight } from '../../infrastructure/platform.ts'
import { Lease, LeaseLost, Stopping } from './lease.ts'

/** A claimed piece of work. */
export interface LeasedWork {
  /** The lease token, new with each claim. */
  readonly token: string
}

export interface WorkSource<T extends LeasedWork> {
  /** The name of the work in log lines. */
  readonly name: string
  /** Claims up to `room` free pieces, each with a lease of `leaseMs` from now. */
  claim(room: number): Promise<readonly T[]>
  /** Renews the leases and returns the tokens of those that are still held. */
  renew(work: readonly T[]): Promise<ReadonlySet<string>>
  /**
   * Does the work from its last checkpoint. `done`: its end is recorded. `unfinished`: it stopped at a checkpoint because `lease.stopping`
   * or `lease.yielding` is set. Errors are passed to `fail`, except for the loss of the lease.
   */
  run(work: T, lease: Lease): Promise<'done' | 'unfinished'>
  /** Returns the lease, so that another process can continue immediately. Does nothing if the lease is no longer held. */
  handBack(work: T): Promise<void>
  /** Returns the lease of work that failed. */
  fail(work: T, error: unknown): Promise<void>
  /** How owners share the places fairly. Absent: no running piece has to make room. */
  readonly turns?: Turns<T>
}

export interface Turns<T> {
  ownerOf(work: T): string
  /** Counts owners with waiting work and none that runs in any process, up to `limit`. Called while no place is free. */
  countWaiting(limit: number): Promise<number>
}

export interface WorkLoopOptions {
  readonly leaseMs: number
  /** Pieces at a time in this process. */
  readonly atATime: number
  readonly log: Logger
  /** The poll interval, for work without a notification. Default: a little less than a second. */
  readonly pollMs?: number
  /** How long an owner's only piece runs before it makes room for others. Default: 2 s. */
  readonly turnMs?: number
  /** How long that piece then has to reach its next checkpoint. Default: 1 s. */
  readonly yieldTimeoutMs?: number
  /** How long a stop waits for the next checkpoint before it aborts running queries. Default: 3 s. */
  readonly stopTimeoutMs?: number
}

export interface WorkLoop {
  /** Looks for work now. Never required: the loop polls each second. */
  wake(): void
  /** Aborts the run with this token, whose lease is gone. Without a token, renews all leases now to find lost ones. */
  lose(token: string): void
  /** Claims nothing more, and resolves when all leases are returned. */
  stop(): Promise<void>
  /** Pieces that run in this process. */
  readonly running: number
}

// Finds work within a second even without a notification; the rest of the second is for the claim itself.
const POLL_MS = 900
const STOP_TIMEOUT_MS = 3_000
const HAND_BACK_PAUSE_MS = 250
const TURN_MS = 2_000
const YIELD_TIMEOUT_MS = 1_000

/** A running piece: when it started, and when it was asked to make room, on the monotonic clock. */
interface RunningWork {
  readonly lease: Lease
  readonly since: number
  yieldsSince?: number
}

export function startWorkLoop<T extends LeasedWork>(
  source: WorkSource<T>,
  options: WorkLoopOptions,
): WorkLoop {
  const { leaseMs, atATime, log, pollMs = POLL_MS, stopTimeoutMs = STOP_TIMEOUT_MS } = options
  const { turnMs = TURN_MS, yieldTimeoutMs = YIELD_TIMEOUT_MS } = options
  const leases = new Map<T, Lease>()
  /** Running pieces, in the order of their claims. */
  const places = new Map<T, RunningWork>()
  const runs = new Set<Promise<void>>()
  const looking = singleFlight(look)
  let lookAgain = false
  let renewing = false
  let stopping = false

  async function look(): Promise<void> {
    do {
      // Pieces that end together are replaced by one claim: otherwise the first of them would claim alone.
      await nextTurn()
      lookAgain = false
      const room = atATime - leases.size
      if (stopping) return
      const claimedAt = performance.now()
      try {
        if (room <= 0) {
          if (source.turns) await makeRoom(source.turns)
          continue
        }
        for (const work of await source.claim(room)) start(work, new Lease(claimedAt + leaseMs))
      } catch (error) {
        complain('cannot look for work', error)
      }
    } while (lookAgain)
  }

  /** Asks one piece to stop for each owner that waits and has none running. */
  async function makeRoom(turns: Turns<T>): Promise<void> {
    const waiting = await turns.countWaiting(atATime)
    if (waiting === 0) return
    const now = performance.now()
    // A piece that does not stop in time no longer counts: another piece is asked in its place.
    const leaving = [...places.values()].filter(
      ({ yieldsSince }) => yieldsSince !== undefined && now - yieldsSince < 2 * yieldTimeoutMs,
    )
    const running = new Map<string, number>()
    for (const [work, { yieldsSince }] of places) {
      const owner = turns.ownerOf(work)
      if (yieldsSince === undefined) running.set(owner, (running.get(owner) ?? 0) + 1)
    }
    for (let wanted = waiting - leaving.length; wanted > 0; wanted--) {
      const work = chooseLeaving(turns, running, now)
      if (!work) return
      const owner = turns.ownerOf(work)
      const others = running.get(owner)! - 1
      running.set(owner, others)
      giveWay(places.get(work)!, others > 0)
    }
  }

  /**
   * Selects a piece of the owner with the most pieces, and of those the one that has run longest. An owner's only piece gets its minimum
   * time first.
   */
  function chooseLeaving(turns: Turns<T>, running: ReadonlyMap<string, number>, now: number): T | undefined {
    let chosen: T | undefined
    let most = 0
    for (const [work, { since, yieldsSince }] of places) {
      const count = running.get(turns.ownerOf(work)) ?? 0
      if (yieldsSince !== undefined || count <= most || (count === 1 && now - since < turnMs)) continue
      chosen = work
      most = count
    }
    return chosen
  }

  function giveWay(place: RunningWork, hasOthers: boolean): void {
    place.yieldsSince = performance.now()
    place.lease.giveWay()
    // A piece without a checkpoint would start over, and its owner would make no progress.
    setTimeout(() => {
      if (hasOthers || place.lease.hasProgress) place.lease.abort()
    }, yieldTimeoutMs).unref()
  }

  function wake(): void {
    lookAgain = true
    if (looking.isUnderWay) return
    void looking.run().then(() => {
      if (lookAgain && !stopping) wake()
    })
  }

  function start(work: T, lease: Lease): void {
    leases.set(work, lease)
    places.set(work, { lease, since: performance.now() })
    if (stopping) lease.stop()
    const run = perform(work, lease).finally(() => {
      lease.end()
      leases.delete(work)
      places.delete(work)
      runs.delete(run)
      if (!stopping) wake()
    })
    runs.add(run)
  }

  async function perform(work: T, lease: Lease): Promise<void> {
    try {
      if ((await source.run(work, lease)) === 'unfinished') await giveBack(lease, () => source.handBack(work))
    } catch (error) {
      if (error instanceof LeaseLost || lease.lost) {
        log.warn({ work: source.name }, 'lost a lease and aborted the work')
        // If no process could reach the database, no other process has claimed the piece.
        await giveBack(lease, () => source.handBack(work))
      } else if (error instanceof Stopping || error instanceof DatabaseUnavailable) {
        await giveBack(lease, () => source.handBack(work))
      } else {
        log.error({ work: source.name, err: error }, 'work failed unexpectedly')
        await giveBack(lease, () => source.fail(work, error))
      }
    }
  }

  /** Retries until it succeeds: no piece of work loses an attempt to a database outage, however long. */
  async function giveBack(lease: Lease, give: () => Promise<void>): Promise<void> {
    await retry(give, {
      pauseMs: HAND_BACK_PAUSE_MS,
      mayPass(error) {
        complain('cannot give a lease back', error)
        return !stopping && (!lease.lost || error instanceof DatabaseUnavailable)
      },
    }).catch(() => {
      // The error is logged, and the lease expires by itself.
    })
  }

  async function renew(): Promise<void> {
    const now = performance.now()
    // A process that was paused or disconnected must not rely on leases that others may hold by now.
    for (const lease of leases.values()) if (lease.heldUntil <= now) lease.lose()
    const held = [...leases].filter(([, lease]) => !lease.lost)
    if (renewing || held.length === 0) return
    renewing = true
    try {
      const still = await source.renew(held.map(([work]) => work))
      for (const [work, lease] of held) {
        if (still.has(work.token)) lease.heldUntil = now + leaseMs
        else lease.lose()
      }
    } catch (error) {
      complain('cannot renew leases', error)
    } finally {
      renewing = false
    }
  }

  function complain(what: string, error: unknown): void {
    log.warn({ work: source.name, err: error }, what)
  }

  function lose(token: string): void {
    if (token === '') void renew()
    for (const [work, lease] of leases) if (work.token === token) lease.lose()
  }

  const polling = setInterval(wake, pollMs)
  const renewal = setInterval(() => void renew(), leaseMs / 3)
  wake()

  async function stop(): Promise<void> {
    stopping = true
    clearInterval(polling)
    for (const lease of leases.values()) lease.stop()
    const abort = setTimeout(() => {
      for (const lease of leases.values()) lease.abort()
    }, stopTimeoutMs)
    await looking.settled()
    await Promise.all(runs)
    clearTimeout(abort)
    clearInterval(renewal)
  }

  let stopped: Promise<void> | undefined
  return {
    wake,
    lose,
    stop: () => (stopped ??= stop()),
    get running() {
      return leases.size
    },
  }
}
