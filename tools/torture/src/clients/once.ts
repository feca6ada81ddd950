// A call with an Idempotency-Key, sent until it is answered: what it asks for must be there once, however often the connection failed.

import type { Random } from '../random.ts'
import { type CallAnswer, call, type TortureCallOptions } from './call.ts'
import { pause } from './pause.ts'
import type { World, WorldKey } from './world.ts'

const MOST_ATTEMPTS = 20

/** Whether the answer says what has become of the call, so that sending it again would tell a client nothing new. */
export function isOver(answer: CallAnswer | undefined): answer is CallAnswer {
  return answer?.whole === true && answer.status < 500 && answer.status !== 429
}

/** The answer that ended it. Now and then the call is repeated although it was answered. undefined: there was none in time. */
export async function callOnce(
  world: World,
  client: string,
  key: WorldKey,
  random: Random,
  options: TortureCallOptions & { readonly idempotencyKey: string },
): Promise<CallAnswer | undefined> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS && !world.stopping.now; attempt++) {
    const answer = await call(world, client, key, options)
    if (isOver(answer)) {
      if (random.chance(0.2)) await call(world, client, key, options)
      return answer
    }
    await pause(random, 100)
  }
  return undefined
}
