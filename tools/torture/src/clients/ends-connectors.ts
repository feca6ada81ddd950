// Uses connectors of an account, one after the other, and revokes each of them while others of its calls are under way. Then it keeps
// calling with it, as an agent does that does not know of it.

import { call, keptConnection } from './call.ts'
import { pause } from './pause.ts'
import type { MakeClient, WorldKey } from './world.ts'

/** @param connectors used up in their order. Calls with the last ones go on after the end of all. */
export const endsConnectors = (connectors: readonly WorldKey[]): MakeClient =>
  function endsConnectors(world, name, key, random) {
    const agent = keptConnection()
    const waiting = [...connectors]
    const ended: WorldKey[] = []

    function lookUp(by: WorldKey) {
      const zpid = world.newZpid()
      const path = `/v1/properties/${zpid}`
      return call(world, name, by, { operation: 'getProperty', path, ownZpid: zpid })
    }

    /** Whether the response has come: without one, it is not known whether the connector has ended. */
    async function end(connector: WorldKey): Promise<boolean> {
      const answer = await call(world, name, key, {
        operation: 'deleteKey',
        method: 'DELETE',
        path: `/v1/keys/${connector.id}`,
        agent,
      } as const)
      if (answer?.status !== 204) return false
      world.log.write({ kind: 'ended', keyId: connector.id, endAt: answer.endAt })
      return true
    }

    return {
      name,
      async turn() {
        const [connector] = waiting
        if (connector) {
          await lookUp(connector)
          if (random.chance(0.4)) {
            const underWay = lookUp(connector)
            if (await end(connector)) ended.push(waiting.shift()!)
            // The next call, on another connection, and so of any process.
            await lookUp(connector)
            await underWay
          }
        }
        if (ended.length > 0) await lookUp(random.pick(ended))
        await pause(random, 250)
      },
    }
  }
