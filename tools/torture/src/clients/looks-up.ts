// Looks up homes that no other client asks for, one after the other, and slices of them.

import { call, keptConnection } from './call.ts'
import { pause } from './pause.ts'
import type { MakeClient } from './world.ts'

export const looksUp: MakeClient = (world, name, key, random) => {
  const agent = keptConnection()
  return {
    name,
    async turn() {
      const zpid = world.newZpid()
      const first = await call(world, name, key, {
        operation: 'getProperty',
        path: `/v1/properties/${zpid}`,
        ownZpid: zpid,
        agent,
      })
      if (!first) return pause(random, 60)
      // Known by now: it comes from the cache.
      if (random.chance(0.3)) {
        await call(world, name, key, {
          operation: 'getProperty',
          path: `/v1/properties/${zpid}?fields=zpid`,
          agent,
        })
      }
      if (random.chance(0.3)) {
        await call(world, name, key, {
          operation: 'getPropertyZestimate',
          path: `/v1/properties/${zpid}/zestimate`,
          agent,
        })
      }
      await pause(random, 30)
    },
  }
}
