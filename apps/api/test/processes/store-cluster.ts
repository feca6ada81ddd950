// Three real nodes of a Redis cluster, each on a free port of this machine, with the slots spread over them.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { CLUSTER_PREFIXES, partitionOf } from '../../src/limits/store/partitions.ts'
import { until } from './members.ts'
import { findFreePort, storeProgram } from './store-process.ts'

const SLOTS = 16_384
const NODES = 3

export interface ClusterNode {
  readonly port: number
  readonly client: Redis
  /** Hash slots that it was given at first: from, to. */
  readonly slots: readonly [number, number]
  kill(signal: NodeJS.Signals): void
  stop(): Promise<void>
  start(): Promise<void>
}

export interface ClusterProcess {
  /** As VALKEY_URL names it. */
  readonly url: string
  readonly nodes: readonly ClusterNode[]
  /** The prefix of the keys of an API key. */
  prefixOf(keyId: string): string
  /** The node that has the keys of an API key, as the first node says. */
  nodeOf(keyId: string): Promise<ClusterNode>
  /** Moves the slot of a prefix with all its keys, as `redis-cli --cluster reshard` does. */
  move(prefix: string, to: ClusterNode): Promise<void>
  untilWhole(): Promise<void>
  close(): Promise<void>
}

export async function startCluster(): Promise<ClusterProcess> {
  const directory = await mkdtemp(join(tmpdir(), 'lotline-cluster-'))
  const nodes: ClusterNode[] = []
  for (let at = 0; at < NODES; at++) nodes.push(await startNode(directory, at))
  const [first] = nodes

  async function untilWhole(): Promise<void> {
    await until(async () => {
      const infos = await Promise.all(
        nodes.map(({ client }) => client.call('CLUSTER', 'INFO').catch(() => '')),
      )
      return infos.every((info) => /cluster_state:ok[\s\S]*cluster_known_nodes:3/.test(String(info)))
    }, 30_000)
  }

  for (const { client, slots } of nodes) {
    const own = Array.from({ length: slots[1] - slots[0] + 1 }, (_, at) => slots[0] + at)
    await client.call('CLUSTER', 'ADDSLOTS', ...own)
  }
  for (const { port } of nodes.slice(1)) {
    await first!.client.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort(port))
  }
  await untilWhole()

  const prefixOf = (keyId: string) => CLUSTER_PREFIXES[partitionOf(keyId, CLUSTER_PREFIXES.length)]!
  const slotOf = async (prefix: string) => Number(await first!.client.call('CLUSTER', 'KEYSLOT', prefix))
  async function ownerOf(slot: number): Promise<ClusterNode> {
    const ranges = (await first!.client.call('CLUSTER', 'SLOTS')) as [number, number, [string, number]][]
    const [, , [, port]] = ranges.find(([from, to]) => from <= slot && slot <= to)!
    return nodes.find((node) => node.port === port)!
  }

  return {
    url: nodes.map(({ port }) => `redis://127.0.0.1:${port}`).join(','),
    nodes,
    prefixOf,
    nodeOf: async (keyId) => ownerOf(await slotOf(prefixOf(keyId))),
    async move(prefix, to) {
      const slot = await slotOf(prefix)
      const from = await ownerOf(slot)
      const idOf = async ({ client }: ClusterNode) => String(await client.call('CLUSTER', 'MYID'))
      await to.client.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', await idOf(from))
      await from.client.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', await idOf(to))
      for (;;) {
        const keys = (await from.client.call('CLUSTER', 'GETKEYSINSLOT', slot, 100)) as string[]
        if (keys.length === 0) break
        await from.client.call('MIGRATE', '127.0.0.1', to.port, '', 0, 5000, 'KEYS', ...keys)
      }
      const id = await idOf(to)
      for (const { client } of [to, from, ...nodes]) await client.call('CLUSTER', 'SETSLOT', slot, 'NODE', id)
    },
    untilWhole,
    async close() {
      for (const { client } of nodes) client.disconnect()
      await Promise.all(nodes.map((node) => node.stop()))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

const buses = new Map<number, number>()
const busPort = (port: number) => buses.get(port)!

async function startNode(directory: string, at: number): Promise<ClusterNode> {
  const port = await findFreePort()
  buses.set(port, await findFreePort())
  const client = new Redis({ port, host: '127.0.0.1', retryStrategy: () => 50 })
  client.on('error', () => {})
  let child: ReturnType<typeof spawn> | undefined
  const flags = {
    port: String(port),
    bind: '127.0.0.1',
    dir: directory,
    save: '',
    appendonly: 'no',
    dbfilename: `dump-${at}.rdb`,
    'cluster-enabled': 'yes',
    'cluster-port': String(busPort(port)),
    'cluster-config-file': `nodes-${at}.conf`,
    'cluster-node-timeout': '1500',
    // A node that is gone takes no other with it.
    'cluster-require-full-coverage': 'no',
  }
  const node: ClusterNode = {
    port,
    client,
    slots: [Math.floor((SLOTS * at) / NODES), Math.floor((SLOTS * (at + 1)) / NODES) - 1],
    kill: (signal) => void child?.kill(signal),
    async start() {
      child = spawn(
        storeProgram!,
        Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]),
        {
          stdio: 'ignore',
        },
      )
      await until(async () => (await client.ping().catch(() => '')) === 'PONG', 10_000)
    },
    async stop() {
      const ending = child
      if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
      const ended = once(ending, 'exit')
      ending.kill('SIGKILL')
      await ended
      await sleep(1)
    },
  }
  await node.start()
  return node
}
