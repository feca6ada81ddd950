// Who calls during a run: clients of all kinds, each with its key, some keys and accounts shared.

import { nowMs } from '../clock.ts'
import type { Random } from '../random.ts'
import type { Accounts } from '../set/accounts.ts'
import { bursts } from './bursts.ts'
import { createsOnce } from './creates-once.ts'
import { endsConnectors } from './ends-connectors.ts'
import { hurries } from './hurries.ts'
import { isHostile } from './is-hostile.ts'
import { keepsWebhooks } from './keeps-webhooks.ts'
import { leaves } from './leaves.ts'
import { looksUp } from './looks-up.ts'
import { pause } from './pause.ts'
import { runsJobs } from './runs-jobs.ts'
import { searches } from './searches.ts'
import type { MakeClient, World, WorldKey } from './world.ts'

export interface Crowd {
  /** From now on each client pauses so long between two turns, on the average. In milliseconds. */
  slowDown(pauseMs: number): void
  /** Tells all to end, and waits for it. Throws what a client threw: that is a fault of ours. */
  stop(): Promise<void>
}

/** `firstPauseMs`: between two turns of each client, on the average, until they are slowed down. */
export function startCrowd(world: World, accounts: Accounts, random: Random, firstPauseMs = 0): Crowd {
  let pauseMs = firstPauseMs
  const { rich, working, frugal, poor, free, limited, capped, periodic, connectors, hostile } = accounts
  const members: readonly (readonly [MakeClient, readonly WorldKey[]])[] = [
    [looksUp, [rich[0]!, rich[1]!, periodic[2]!]],
    [bursts, [rich[2]!, rich[3]!]],
    [searches, [rich[4]!, capped[0]!, periodic[0]!, poor[0]!]],
    [runsJobs, [working[0]!, working[1]!, frugal[0]!, capped[1]!, periodic[1]!]],
    [keepsWebhooks, [working[2]!, frugal[1]!]],
    [createsOnce, [working[3]!]],
    [leaves, [rich[5]!]],
    [endsConnectors(connectors.slice(1)), [connectors[0]!]],
    [hurries, [free[0]!, limited[0]!]],
    [isHostile, [hostile[0]!]],
  ]
  const loops = members.flatMap(([make, keys]) =>
    keys.map(async (key, at) => {
      const name = `${make.name}-${at + 1}`
      const client = make(world, name, key, random.fork(name))
      const pauses = random.fork(`pauses of ${name}`)
      while (!world.stopping.now) {
        await client.turn()
        if (pauseMs > 0) await pause(pauses, pauseMs)
      }
    }),
  )
  const all = Promise.all(loops)
  all.catch(() => {})
  return {
    slowDown(toMs) {
      pauseMs = Math.max(pauseMs, toMs)
    },
    async stop() {
      world.stopping.now = true
      const since = nowMs()
      await all
      if (nowMs() - since > 60_000) throw new Error('The clients did not end within a minute.')
    },
  }
}
