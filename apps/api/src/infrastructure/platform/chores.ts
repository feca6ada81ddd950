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

const startedChores = new Set<StartedChore>()
let choreTimer: NodeJS.Timeout | undefined

/** Runs the chores that are due, and wakes up for the next one. */
function runDueChores(): void {
  const now = performance.now()
  for (const chore of startedChores) {
    if (chore.dueAt > now) continue
    chore.dueAt = now + chore.everyMs
    chore.begin()
  }
  setNextTick()
}

function setNextTick(): void {
  clearTimeout(choreTimer)
  if (startedChores.size === 0) return
  const nextAt = Math.min(...[...startedChores].map(({ dueAt }) => dueAt))
  choreTimer = setTimeout(runDueChores, Math.max(0, Math.ceil(nextAt - performance.now())))
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
  startedChores.add(own)
  own.begin()
  setNextTick()
  return async () => {
    stopping = true
    startedChores.delete(own)
    setNextTick()
    await round.settled()
    if (runsAtStop) await round.run()
  }
}
