// Creates watches and keys, sending each creation until it is answered, and deletes some of them, now and then twice. Each has its
// Idempotency-Key as its name, so that the database shows what the key has created.

import type { OperationId } from '@lotline/contract'
import { call, keptConnection } from './call.ts'
import { callOnce } from './once.ts'
import { pause } from './pause.ts'
import type { MakeClient } from './world.ts'

/** Of each kind, at a time. */
const MOST = 10

interface CreationKind {
  readonly create: OperationId
  readonly remove: OperationId
  readonly path: string
  readonly bodyOf: (name: string) => object
  /** The ids of those that are there. */
  readonly live: string[]
}

export const createsOnce: MakeClient = (world, name, key, random) => {
  const agent = keptConnection()
  const kinds: readonly CreationKind[] = [
    {
      create: 'createWatch',
      remove: 'deleteWatch',
      path: '/v1/watches',
      live: [],
      // Whether watches find and report what they should is tried on the feed.
      bodyOf: (name) => ({ name, zpids: [world.newZpid()], paused: true }),
    },
    {
      create: 'createKey',
      remove: 'deleteKey',
      path: '/v1/keys',
      live: [],
      bodyOf: (name) => ({ name, allowed_operations: ['listUsage'] }),
    },
  ]
  let created = 0

  async function create({ create, path, live, bodyOf }: CreationKind): Promise<void> {
    const idempotencyKey = `${name}-${++created}`
    const asked = { operation: create, method: 'POST', path, idempotencyKey, agent } as const
    const answer = await callOnce(world, name, key, random, { ...asked, body: bodyOf(idempotencyKey) })
    if (answer?.status !== 201) return
    const { data } = JSON.parse(answer.text) as { data: { id: string; key?: string } }
    live.push(data.id)
    if (data.key !== undefined) world.newKeys.set(data.id, data.key)
  }

  /** Also after a DELETE whose answer was lost. */
  async function remove({ remove, path, live }: CreationKind): Promise<void> {
    const asked = { operation: remove, method: 'DELETE', path: `${path}/${live[0]}`, agent } as const
    const answer = await call(world, name, key, asked)
    if (answer?.status !== 204) return
    live.shift()
    if (random.chance(0.5)) await call(world, name, key, asked)
  }

  return {
    name,
    async turn() {
      const kind = random.pick(kinds)
      if (kind.live.length >= MOST || (kind.live.length > 0 && random.chance(0.4))) await remove(kind)
      else await create(kind)
      await pause(random, 200)
    },
  }
}
