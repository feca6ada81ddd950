// Windows and queues over three real nodes of a Redis cluster: the tests of any store, and what only a cluster can do to its
// users: lose one node, and move keys to another.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LimitsUnavailable } from '../../src/limits/limits.ts'
import { slotOf } from '../../src/limits/store/cluster.ts'
import { CLUSTER_PREFIXES } from '../../src/limits/store/partitions.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { callerOf, openMember, until, withMembers } from './members.ts'
import { lookAtPrefix, testSharedLimits } from './shared-limits.ts'
import { type ClusterProcess, startCluster } from './store-cluster.ts'
import { storeProgram } from './store-process.ts'

const testDatabase = withTestDatabase({ poolSize: 20 })
const patient = { signal: new AbortController().signal }

describe.skipIf(!storeProgram)('limits that three processes share over a cluster of three', () => {
  let cluster: ClusterProcess
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster?.close())

  function killAll(signal: NodeJS.Signals): void {
    for (const node of cluster.nodes) node.kill(signal)
  }

  testSharedLimits(
    testDatabase,
    () => ({
      url: cluster.url,
      lookAt: async (keyId) => lookAtPrefix((await cluster.nodeOf(keyId)).client, cluster.prefixOf(keyId)),
      async flush() {
        await Promise.all(cluster.nodes.map(({ client }) => client.flushall()))
      },
      freeze: () => killAll('SIGSTOP'),
      thaw: () => killAll('SIGCONT'),
      async stop() {
        await Promise.all(cluster.nodes.map(({ client }) => client.save()))
        await Promise.all(cluster.nodes.map((node) => node.stop()))
      },
      async start() {
        await Promise.all(cluster.nodes.map((node) => node.start()))
        await cluster.untilWhole()
      },
    }),
    process.env.LOTLINE_FULL !== '1',
  )

  it('spreads keys evenly over the nodes, and keeps all that a script touches on one', async () => {
    const [{ client }] = cluster.nodes as [(typeof cluster.nodes)[number]]
    const counts = new Map<unknown, number>()
    for (const prefix of CLUSTER_PREFIXES) {
      const slot = Number(await client.call('CLUSTER', 'KEYSLOT', `${prefix}epoch`))
      expect(slot).toBe(slotOf(prefix.slice(1, -2)))
      const owner = cluster.nodes.find(({ slots }) => slots[0] <= slot && slot <= slots[1])
      counts.set(owner, (counts.get(owner) ?? 0) + 1)
    }
    expect([...counts.values()]).toEqual([4, 4, 4])
    const keysOfNodes = new Map<unknown, number>()
    for (let key = 0; key < 300; key++) {
      const node = await cluster.nodeOf(randomUUID())
      keysOfNodes.set(node, (keysOfNodes.get(node) ?? 0) + 1)
    }
    for (const count of keysOfNodes.values()) expect(count).toBeGreaterThan(50)
  })

  it('refuses the calls of a node that is gone and serves those of the others, then begins anew with what the processes hold', async () => {
    await withMembers({ database: testDatabase.database, url: cluster.url, count: 2 }, async (processes) => {
      const [first, second] = processes
      const { lost, kept } = await findKeys()
      const [ofLost, ofKept] = [lost, kept].map((keyId) => callerOf(keyId, randomUUID(), 2))
      for (const principal of [ofLost!, ofKept!]) {
        expect((await first!.windows.enter(principal, `req_${principal.keyId}`)).admitted).toBe(true)
      }
      const slots = await Promise.all([lost, kept].map((keyId) => first!.queues.take(keyId, patient)))
      const node = await cluster.nodeOf(lost)
      await node.stop()
      await expect(second!.windows.enter(ofLost!, 'req_lost')).rejects.toThrow(LimitsUnavailable)
      await expect(second!.queues.take(lost, patient)).rejects.toThrow(LimitsUnavailable)
      await until(() => slots[0]!.lost)
      // The other nodes count on, and their slots are kept.
      expect(await second!.windows.enter(ofKept!, 'req_kept')).toMatchObject({ admitted: true, remaining: 0 })
      expect((await second!.windows.enter(ofKept!, 'req_more')).admitted).toBe(false)
      expect(slots[1]!.lost).toBe(false)
      expect([first!.available, first!.availableShare]).toEqual([true, 8 / 12])
      slots[0]!.release()
      await node.start()
      await cluster.untilWhole()
      // The admission that has no usage row yet was remembered by the process that admitted it.
      await until(() =>
        second!.windows.look(ofLost!).then(
          ({ remaining }) => remaining === 1,
          () => false,
        ),
      )
      expect(await second!.windows.enter(ofLost!, 'req_again')).toMatchObject({
        admitted: true,
        remaining: 0,
      })
      const again = await second!.queues.take(lost, patient)
      expect(again.lost).toBe(false)
      again.release()
      slots[1]!.release()
    })
  })

  it('follows keys that move to another node: slots and order are kept, and no limit is reset', async () => {
    await withMembers({ database: testDatabase.database, url: cluster.url, count: 3 }, async (processes) => {
      const [first, second, third] = processes
      const keyId = randomUUID()
      const principal = callerOf(keyId, randomUUID(), 3)
      await first!.windows.enter(principal, 'req_1')
      await second!.windows.enter(principal, 'req_2')
      const slot = await first!.queues.take(keyId, patient)
      const order: string[] = []
      const waiting = []
      for (const [name, { queues }] of Object.entries({ third: third!, second: second! })) {
        waiting.push(
          queues.take(keyId, patient).then((taken) => {
            order.push(name)
            taken.release()
          }),
        )
        await sleep(100)
      }
      const from = await cluster.nodeOf(keyId)
      const to = cluster.nodes.find((node) => node !== from)!
      await cluster.move(cluster.prefixOf(keyId), to)
      expect(await cluster.nodeOf(keyId)).toBe(to)
      // Two calls that have no usage row yet were brought along by those that admitted them.
      await until(() =>
        third!.windows.look(principal).then(
          ({ remaining }) => remaining === 1,
          () => false,
        ),
      )
      expect(await third!.windows.enter(principal, 'req_3')).toMatchObject({ admitted: true, remaining: 0 })
      expect((await first!.windows.enter(principal, 'req_4')).admitted).toBe(false)
      expect(order).toEqual([])
      expect(slot.lost).toBe(false)
      slot.release()
      await Promise.all(waiting)
      expect(order).toEqual(['third', 'second'])
      await cluster.move(cluster.prefixOf(keyId), from)
    })
  })

  it('refuses an address of one node alone, and says what to do', async () => {
    const [node] = cluster.nodes as [(typeof cluster.nodes)[number]]
    const elsewhere = cluster.nodes.find(
      ({ slots }) => slots[0] > slotOf('lotline') || slots[1] < slotOf('lotline'),
    )
    const { port } = elsewhere ?? node
    await expect(
      openMember({ database: testDatabase.database, url: `redis://127.0.0.1:${port}`, waitTimeoutMs: 500 }),
    ).rejects.toThrow(
      /cannot be used: MOVED .* It is a node of a cluster: give the addresses of several nodes/,
    )
    const member = await openMember({
      database: testDatabase.database,
      url: `redis://127.0.0.1:${port}/?cluster=true`,
    })
    await member.close()
  })

  /** A key of the first node, and one of another. */
  async function findKeys(): Promise<{ lost: string; kept: string }> {
    const lost = randomUUID()
    const gone = await cluster.nodeOf(lost)
    for (;;) {
      const kept = randomUUID()
      // The first node says who has what, and must not be the one that is lost.
      if (gone !== cluster.nodes[0] && (await cluster.nodeOf(kept)) !== gone) return { lost, kept }
      if (gone === cluster.nodes[0]) return findKeys()
    }
  }
})
