// Compares the window in the store with a reference implementation, call by call: the script returns the time of its decision,
// and a list of these times determines the expected result.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCRIPTS } from '../../../src/money/limits/store/scripts.ts'
import { storeKeys } from '../../../src/money/limits/store/store-keys.ts'
import { type StoreProcess, startStore, storeProgram } from '../../infrastructure/processes/store-process.ts'

const EPOCH = 'an_epoch'
const EPOCH_KEY = '{lotline}:epoch'
/** Moments that the script keeps although they have left the window, and fields of its own. */
const MAX_SPARE_FIELDS = 32 + 6

describe.skipIf(!storeProgram)('a window in the store', () => {
  let store: StoreProcess
  beforeAll(async () => {
    store = await startStore()
    await store.client.hset(EPOCH_KEY, 'id', EPOCH, 'opens', '0')
  })
  afterAll(() => store?.close())

  function openWindow() {
    const keyId = randomUUID()
    const [window, early] = [storeKeys.window(EPOCH, keyId), storeKeys.early(EPOCH, keyId)]
    const run = async (script: keyof typeof SCRIPTS, keys: string[], values: (string | number)[]) =>
      (await store.client.eval(SCRIPTS[script].lua, keys.length, ...keys, ...values)) as (string | number)[]
    return {
      window,
      async enter(limit: number, request: string, spanMs: number) {
        const [reply] = await run('enter', [window], [limit, request, spanMs * 1000])
        return reply as unknown as (string | number)[]
      },
      restore: (isAll: boolean, ...values: (string | number)[]) =>
        run('restore', [EPOCH_KEY, window, early], [EPOCH, isAll ? 1 : 0, ...values]),
      withdraw: (request: string) => run('withdraw', [window, early], [request]),
    }
  }

  /** The rule: so many in the span before a moment. */
  const within = (admitted: ReadonlyMap<string, number>, now: number, spanMs: number) =>
    [...admitted.values()].filter((at) => at > now - spanMs * 1000)

  it.each([
    { limit: 3, spanMs: 20, calls: 400 },
    { limit: 200, spanMs: 60, calls: 1_500 },
    { limit: 5_000, spanMs: 40, calls: 1_500 },
  ])('decides like the reference implementation: $limit in $spanMs ms', async ({ limit, spanMs, calls }) => {
    const { window, enter, restore, withdraw } = openWindow()
    await restore(true)
    const admitted = new Map<string, number>()
    let most = 0
    for (let call = 0; call < calls; call++) {
      const request = call % 7 === 3 ? '' : `req_${call}`
      // A lower limit for a while, as after a change of plan.
      const bound = call % 200 > 180 ? Math.ceil(limit / 2) : limit
      const [verdict, isAdmitted, used, reset, at] = await enter(bound, request, spanMs)
      expect(verdict).toBe('ok')
      const now = Number(at)
      const before = within(admitted, now, spanMs)
      expect(isAdmitted).toBe(before.length < bound ? 1 : 0)
      if (isAdmitted === 1 && request !== '') admitted.set(request, now)
      const inside = within(admitted, now, spanMs).sort((a, b) => a - b)
      expect(used).toBe(inside.length)
      most = Math.max(most, inside.length)
      const leaves = inside[Math.max(0, inside.length - bound)]
      expect(Number(reset)).toBe(leaves === undefined ? 0 : leaves + spanMs * 1000 - now)
      expect(await store.client.hlen(window)).toBeLessThanOrEqual(inside.length + MAX_SPARE_FIELDS)
      if (call % 11 === 5) {
        const gone = `req_${call - (call % 3)}`
        await withdraw(gone)
        admitted.delete(gone)
      }
      if (call % 50 === 49) await sleep((call % 4) * (spanMs / 3))
    }
    expect(most).toBeGreaterThan(2)
    expect(await store.client.pttl(window)).toBeGreaterThan(60_000)
  })

  it('is usable once it is fully restored, in order of time and with each request once', async () => {
    const { enter, restore } = openWindow()
    expect(await enter(9, 'req_a', 1_000)).toEqual(['unknown'])
    await restore(false, 'req_2', 200_000, 'req_1', 300_000)
    expect(await enter(9, 'req_a', 1_000)).toEqual(['unknown'])
    await restore(true, 'req_1', 300_000, 'req_3', 100_000)
    expect((await enter(9, '', 1_000))[2]).toBe(3)
    // Another process had asked the database too.
    await restore(true, 'req_1', 300_000, 'req_3', 100_000)
    const [, isAdmitted, used, reset] = await enter(3, 'req_b', 1_000)
    expect([isAdmitted, used]).toEqual([0, 3])
    expect(Number(reset)).toBeLessThanOrEqual(700_000)
    expect(Number(reset)).toBeGreaterThan(500_000)
  })

  it('removes a withdrawn call at any position', async () => {
    for (const gone of ['req_0', 'req_2', 'req_4']) {
      const { enter, restore, withdraw } = openWindow()
      await restore(true)
      const moments: number[] = []
      for (let call = 0; call < 5; call++) moments.push(Number((await enter(9, `req_${call}`, 60_000))[4]))
      await withdraw(gone)
      const left = moments.filter((_, call) => `req_${call}` !== gone)
      const [, , used, reset, now] = await enter(9, '', 60_000)
      expect([used, Number(reset)]).toEqual([4, left[0]! + 60_000_000 - Number(now)])
      // Those behind it are still told apart.
      for (let limit = 4; limit >= 1; limit--) {
        const [, , , until, at] = await enter(limit, '', 60_000)
        expect(Number(until)).toBe(left[4 - limit]! + 60_000_000 - Number(at))
      }
    }
  })

  it('is not restored in another epoch of the store', async () => {
    const { window, restore } = openWindow()
    await store.client.hset(EPOCH_KEY, 'id', 'another')
    try {
      expect(await restore(true, 'req_1', 1)).toEqual(['rejoin'])
      expect(await store.client.exists(window)).toBe(0)
    } finally {
      await store.client.hset(EPOCH_KEY, 'id', EPOCH)
    }
  })
})
