// The loop that drives all background work: claim, run, finish. Work is rows of the database. A process that claims a row
// holds a lease on it, which the loop renews and which is lost when this process is stopped, paused or cut off. The loop
// promises that at most `atATime` pieces run here, that owners take turns if more of them wait, that a run learns immediately that
// its lease is lost, and that after `stop` nothing runs and every lease is returned. The source knows what the work is, and
// makes sure that a write without the lease changes nothing.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import { DatabaseUnavailable } from '../../infrastructure/database.ts'
import { retry, singleFlight } from '../../infrastructure/platform.ts'
import { Lease, LeaseLost, Stopping } from './lease.ts'

/** A piece of work that was claimed. */
export interface LeasedWork {
  /** The token of the lease: new with each claim. */
  readonly token: string
}

export interface WorkSource<T extends LeasedWork> {
  /** For log lines. */
  readonly name: string
  /** Claims up to `room` free pieces, each with a lease of `leaseMs` from now. */
  claim(room: number): Promise<readonly T[]>
  /** Renews the leases and answers with the tokens of those that are still held. */
  renew(work: readonly T[]): Promise<ReadonlySet<string>>
  /**
   * Does the work, from where it was left. `done`: its end is recorded. `unfinished`: it was left at a checkpoint because
   * `lease.stopping` or `lease.yielding` is set. Errors are passed to `fail`, except for the loss of the lease.
   */
  run(work: T, lease: Lease): Promise<'done' | 'unfinished'>
  /** Returns the lease, so that another process can continue immediately. Does nothing if it is not held any more. */
  handBack(work: T): Promise<void>
  /** Returns the lease of work that failed. */
  fail(work: T, error: unknown): Promise<void>
  /** How owners share the places fairly. Absent: no running piece has to make room. */
  readonly turns?: Turns<T>
}

export interface Turns<T> {
  ownerOf(work: T): string
  /** How many owners have work that waits and none that runs anywhere, at most `limit`. Called while no place is free. */
  countWaiting(limit: number): Promise<number>
}

export interface WorkLoopOptions {
  readonly leaseMs: number
  /** Pieces at a time in this process. */
  readonly atATime: number
  readonly log: Logger
  /** How long to wait before looking for work without a notification. Default: a little less than a second. */
  readonly pollMs?: number
  /** How long an owner's only piece runs before it makes room for others. Default: 2 s. */
  readonly turnMs?: number
  /** How long it then has to reach its next checkpoint. Default: 1 s. */
  readonly yieldTimeoutMs?: number
  /** How long a stop waits for the next checkpoint before it aborts the queries under way. Default: 3 s. */
  readonly stopTimeoutMs?: number
}

export interface WorkLoop {
  /** There may be work: looks for it now. Never required, because the loop looks each second. */
  wake(): void
  /** The lease with this token is gone: its run is aborted now. Without a token: some may be gone, so all are renewed now. */
  lose(token: string): void
  /** Claims nothing more, and resolves when all leases are given back. */
  stop(): Promise<void>
  /** Pieces that run here now. */
  readonly running: number
}

// Work is seen within a second even if no notification comes; the rest of the second is for the claim itself.
const POLL_MS = 900
const STOP_TIMEOUT_MS = 3_000
const HAND_BACK_PAUSE_MS = 250
const TURN_MS = 2_000
const YIELD_TIMEOUT_MS = 1_000

/** When a piece was begun, and when it was told to make room for another, on the monotonic clock. */
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
  /** In the order of their claim. */
  const places = new Map<T, RunningWork>()
  const runs = new Set<Promise<void>>()
  const looking = singleFlight(look)
  let lookAgain = false
  let renewing = false
  let stopping = false

  async function look(): Promise<void> {
    do {
      // Work that ends together is counted together: otherwise the first of it would claim for itself alone.
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

  /** Makes one piece leave for each owner that waits and has none running. */
  async function makeRoom(turns: Turns<T>): Promise<void> {
    const waiting = await turns.countWaiting(atATime)
    if (waiting === 0) return
    const now = performance.now()
    // Pieces that do not leave in time no longer count: another one is asked to leave in place of each.
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

  /** Of the owner with the most, the one that has run for longest; an owner's only one has its turn first. */
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
    // A piece that has recorded nothing yet would begin again at the same point, and its owner would make no progress.
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
        log.warn({ work: source.name }, 'lost a lease and let go of the work')
        // If no process could reach the database, no other one has claimed it yet.
        await giveBack(lease, () => source.handBack(work))
      } else if (error instanceof Stopping || error instanceof DatabaseUnavailable) {
        await giveBack(lease, () => source.handBack(work))
      } else {
        log.error({ work: source.name, err: error }, 'work broke down')
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
      // It was reported, and the lease ends by itself.
    })
  }

  async function renew(): Promise<void> {
    const now = performance.now()
    // A process that was paused, or cut off from the database, must not believe in leases that others may hold by now.
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
