// A store with late responses: it is flushed while slots are held, or the process that called it is frozen. A slot that was
// released meanwhile must stay released, and an unread response does not mean that the store is down.

import { randomUUID } from 'node:crypto'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { type InstanceRegistry, joinStore } from '../../../src/money/limits/store/instance-registry.ts'
import { storeKeys } from '../../../src/money/limits/store/store-keys.ts'
import { createStoreQueues } from '../../../src/money/limits/store/store-queues.ts'
import { log, until } from './members.ts'
import { startStore, storeProgram } from './store-process.ts'

const KEYS = 60
const WAY_MS = 60
/** Long enough that a process treats its slots as lost, but not the store. */
const FROZEN_MS = 3_100

/** Delays each byte in both directions. */
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
  'a slot that is released while the store restarts does not block its key',
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

it.skipIf(!storeProgram)('a slot whose release the store rejects does not block its key', async () => {
  const store = await startStore()
  onTestFinished(() => store.close())
  let refusals = 0
  const [first, second] = [1, 2].map(() => {
    // The connection stays up, like with a cluster node that returns CLUSTERDOWN for a moment.
    const run = ((script: 'line', ...rest: [readonly string[], readonly (string | number)[]]) =>
      script === 'line' && refusals > 0 && refusals--
        ? Promise.reject(new Error('CLUSTERDOWN The cluster is down'))
        : registry.run(script, ...rest)) as InstanceRegistry['run']
    const queues = createStoreQueues(() => Object.create(registry, { run: { value: run } }))
    const registry: InstanceRegistry = joinStore({
      url: store.url,
      log,
      processLease: { token: randomUUID(), findOthers: async () => [] },
      holdings: { ...queues, admissions: () => [] },
    })
    onTestFinished(() => registry.leave())
    return { queues, registry }
  })
  for (const { registry } of [first!, second!]) await until(() => registry.isUp && registry.isOpen)
  const patient = { signal: AbortSignal.timeout(20_000) }
  const key = randomUUID()
  const slot = await first!.queues.take(key, patient)
  const waiting = second!.queues.take(key, patient)
  await until(async () => (await store.client.llen(storeKeys.queue(first!.registry.epoch, key))) === 3)
  refusals = 1
  slot.release()
  ;(await waiting).release()
  expect(refusals).toBe(0)
})

it.skipIf(!storeProgram)(
  'a process that was frozen asks the store again before it refuses waiting calls',
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
