// Calls as fast as it can, on several connections, without regard to its rate limit.

import { call, keptConnection } from './call.ts'
import { pause } from './pause.ts'
import type { MakeClient } from './world.ts'

export const hurries: MakeClient = (world, name, key, random) => {
  const agents = [keptConnection(), keptConnection(), keptConnection()]
  return {
    name,
    async turn() {
      const answers = await Promise.all(
        agents.map((agent) =>
          call(world, name, key, { operation: 'getAccount', path: '/v1/me', agent, origin: world.direct }),
        ),
      )
      const isRefused = answers.some((answer) => answer?.status === 429)
      await pause(random, isRefused ? 150 : 20)
    },
  }
}
