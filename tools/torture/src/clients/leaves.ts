// Hangs up in the middle of calls, reads as slowly as can be, and stops reading for a while.

import { textOf } from '../provider/areas.ts'
import { call } from './call.ts'
import { pause } from './pause.ts'
import type { MakeClient } from './world.ts'

const AREA = textOf({ west: -125, south: 24, east: -66, north: 50 })

export const leaves: MakeClient = (world, name, key, random) => ({
  name,
  async turn() {
    const zpid = world.newZpid()
    const lookUp = { operation: 'getProperty', path: `/v1/properties/${zpid}` } as const
    const search = { operation: 'listListings', path: `/v1/listings?bbox=${AREA}&max_items=50` } as const
    switch (random.int(1, 3)) {
      case 1:
        await call(world, name, key, { ...lookUp, hangUpAfterMs: random.int(1, 25) })
        break
      case 2:
        await call(world, name, key, { ...search, restsMs: random.int(10, 1_500) })
        break
      default:
        // Two at a time, of which the one that waits may leave the queue.
        await Promise.all([
          call(world, name, key, lookUp),
          call(world, name, key, { ...search, hangUpAfterMs: random.int(1, 15) }),
        ])
    }
    await pause(random, 40)
  },
})
