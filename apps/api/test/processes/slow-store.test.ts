// A store whose answers are late: it is some way off and is emptied while slots are held, or the process that asked it is frozen.
// What was given back while an answer was on the way must not come back to life, and an answer that was not read in time is
// not the end of the store.

import { randomUUID } from 'node:crypto'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { joinStore } from '../../src/limits/store/instance-registry.ts'
import { storeKeys } from '../../src/limits/store/partitions.ts'
import { createStoreQueues } from '../../src/limits/store/store-queues.ts'
import { log, until } from './members.ts'
import { startStore, storeProgram } from './store-process.ts'

const KEYS = 60
const WAY_MS = 60
/** So long that a process believes that it lost its slots, and so short that the store does not. */
const FROZEN_MS = 3_100

/** Brings each byte along so much later, in both directions. */
async function startSlowWay(port: number): Promise<Server> {
  const way = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), WAY_MS))
      from.on('error', () => {})
      from.on('close', () => to.destroy())
    }
  })
  await new Promise<void>((listening) => way.listen(0, '127.0.0.1', listening))
  return way
}

it.skipIf(!storeProgram)(
  'a slot that is given back while the store begins anew bars its key no longer',
  async () => {
    const store = await startStore()
    onTestFinished(() => store.close())
    const way = await startSlowWay(store.port)
    onTestFinished(() => void way.close())
    const { port } = way.address() as AddressInfo
    const queues = createStoreQueues(() => registry)
    const registry = joinStore({
      url: `redis://127.0.0.1:${port}`,
      log,
      processLease: { token: randomUUID(), findOthers: async () => [] },
      holdings: { ...queues, admissions: () => [] },
    })
    onTestFinished(() => registry.leave())
    await until(() => registry.isUp)
    const providerRetry = () => ({ signal: AbortSignal.timeout(10_000) })
    const keys = Array.from({ length: KEYS }, () => randomUUID())
    const slots = await Promise.all(keys.map((key) => queues.take(key, providerRetry())))
    await store.client.flushall()
    for (const slot of slots) {
      await sleep(20)
      slot.release()
    }
    const again = await Promise.all(keys.map((key) => queues.take(key, providerRetry())))
    expect(again).toHaveLength(KEYS)
    for (const slot of again) slot.release()
  },
)

it.skipIf(!storeProgram)(
  'a process that is frozen while the store answers it asks again before it refuses the calls that wait',
  async () => {
    const store = await startStore()
    onTestFinished(() => store.close())
    const members = [1, 2].map(() => {
      const queues = createStoreQueues(() => registry)
      const registry = joinStore({
        url: store.url,
        log,
        processLease: { token: randomUUID(), findOthers: async () => [] },
        holdings: { ...queues, admissions: () => [] },
      })
      onTestFinished(() => registry.leave())
      return { queues, registry }
    })
    for (const { registry } of members) await until(() => registry.isUp && registry.isOpen)
    const [first, second] = members
    const key = randomUUID()
    const patient = { signal: new AbortController().signal }
    const slot = await first!.queues.take(key, patient)
    const waiting = second!.queues.take(key, patient)
    const isQueued = async () => (await store.client.llen(storeKeys.queue(second!.registry.epoch, key))) === 3
    await until(isQueued)
    // Every process says at least once in this time that it lives, and then hears nothing.
    await store.client.call('CLIENT', 'PAUSE', '900', 'ALL')
    await sleep(700)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FROZEN_MS)
    await until(() => second!.registry.isUp)
    slot.release()
    ;(await waiting).release()
  },
)
