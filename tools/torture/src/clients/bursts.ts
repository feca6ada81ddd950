// Sends several calls with one key one after the other without waiting for answers, each on an open connection of its own
// and without a proxy between: they must be carried out one at a time and in this order.

import { setTimeout as sleep } from 'node:timers/promises'
import { call, keptConnection } from './call.ts'
import { pause } from './pause.ts'
import type { MakeClient } from './world.ts'

const CALLS = 5

export const bursts: MakeClient = (world, name, key, random) => {
  const agents = Array.from({ length: CALLS }, keptConnection)
  let count = 0
  return {
    name,
    async turn() {
      for (const agent of agents) {
        const opened = await call(world, name, key, {
          operation: 'getAccount',
          path: '/v1/me',
          agent,
          origin: world.direct,
        })
        if (!opened) return pause(random, 100)
      }
      const burst = `${name}/${++count}`
      await Promise.all(
        agents.map(async (agent, at) => {
          await sleep(at * world.burstGapMs)
          const zpid = world.newSlowZpid()
          await call(world, name, key, {
            operation: 'getProperty',
            path: `/v1/properties/${zpid}?fields=zpid`,
            ownZpid: zpid,
            agent,
            origin: world.direct,
            burst,
          })
        }),
      )
      await pause(random, 100)
    },
  }
}
