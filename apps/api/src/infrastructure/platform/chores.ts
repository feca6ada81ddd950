// The chores of a process: small work that repeats at an interval, such as removing expired rows. All chores share one timer. A
// chore never overlaps itself, and does not delay or fail another one.
// Why: decisions/infrastructure/chores-share-a-timer.md

import type { Logger } from 'pino'
import type { Interval } from './interval.ts'
import { singleFlight } from './single-flight.ts'

export interface Chore {
  /** Completes "cannot …", for log lines. */
  readonly name: string
  readonly everyMs: number
  /** Returns true if more work is left: it then runs again immediately. */
  run(): Promise<unknown>
  /** Whether it runs once more at the stop. */
  readonly runsAtStop?: boolean
  /** The log level of its failures. Default: `warn`. */
  readonly failsAt?: 'warn' | 'debug'
}

interface StartedChore {
  readonly everyMs: number
  dueAt: number
  begin(): void
}

const started = new Set<StartedChore>()
let timer: NodeJS.Timeout | undefined

/** Runs the chores that are due, and wakes up for the next one. */
function tick(): void {
  const now = performance.now()
  for (const chore of started) {
    if (chore.dueAt > now) continue
    chore.dueAt = now + chore.everyMs
    chore.begin()
  }
  setNextTick()
}

function setNextTick(): void {
  clearTimeout(timer)
  if (started.size === 0) return
  const nextAt = Math.min(...[...started].map(({ dueAt }) => dueAt))
  timer = setTimeout(tick, Math.max(0, Math.ceil(nextAt - performance.now())))
}

/** Runs each chore immediately and then at its interval. A stop waits for running chores. */
export function startChores(log: Logger, ...chores: readonly Chore[]): Interval {
  const stops = chores.map((chore) => startChore(log, chore))
  return {
    async stop() {
      await Promise.all(stops.map((stop) => stop()))
    },
  }
}

function startChore(log: Logger, chore: Chore): () => Promise<void> {
  const { name, everyMs, runsAtStop = false, failsAt = 'warn' } = chore
  let stopping = false

  const round = singleFlight(async () => {
    try {
      do {
        // One piece at a time, so that nothing is locked for long.
        if ((await chore.run()) !== true) break
      } while (!stopping)
    } catch (error) {
      log[failsAt]({ err: error }, `cannot ${name}`)
    }
  })

  const own: StartedChore = {
    everyMs,
    dueAt: performance.now() + everyMs,
    begin: () => void round.run(),
  }
  started.add(own)
  own.begin()
  setNextTick()
  return async () => {
    stopping = true
    started.delete(own)
    setNextTick()
    await round.settled()
    if (runsAtStop) await round.run()
  }
}
