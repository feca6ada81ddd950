// A cluster of stores. Each partition (partitions.ts) is on the node that has its hash slot, and is used as a store of its own:
// a node that fails, is replaced by its replica, or hands a slot over is for these partitions what another server is for a
// single store, and makes them begin a new epoch. The partitions of other nodes go on.
//
// The client's own cluster mode is not used: it sends commands again, later and elsewhere, when by then they mean something
// else, and it takes messages over another connection than the commands that they are about.

import type { Logger } from 'pino'
import { LimitsUnavailable } from '../limits.ts'
import { type ConnectStore, connectStore, type StoreEvents, type StoreServer } from './connection.ts'
import { CLUSTER_PREFIXES } from './partitions.ts'

export interface StoreCluster {
  /** One for each of CLUSTER_PREFIXES. */
  readonly partitions: readonly ConnectStore[]
  close(): Promise<void>
}

interface Partition {
  readonly prefix: string
  readonly slot: number
  events: StoreEvents | undefined
  /** Address of the node that has the slot, as far as is known. */
  owner: string | undefined
  isUp: boolean
  trouble: Error | undefined
}

const LOOK_AGAIN_MS = 200

/** @param urls of some nodes. The others are found; user, password and TLS of the first are those of all. */
export function connectCluster(urls: readonly string[], log: Logger): StoreCluster {
  const servers = new Map<string, StoreServer>()
  const partitions = CLUSTER_PREFIXES.map(
    (prefix): Partition => ({
      ...{ prefix, slot: slotOf(prefix.slice(1, -2)) },
      ...{ events: undefined, owner: undefined, isUp: false, trouble: undefined },
    }),
  )
  let isLooking = false
  let closed = false

  const withAddress = (address: string) => urls[0]!.replace(ADDRESS, `$1${address}`)

  function serverAt(address: string): StoreServer {
    const known = servers.get(address)
    if (known) return known
    const server = connectStore({
      url: withAddress(address),
      log: log.child({ node: address }),
      onUp: () => partitionsAt(address).forEach(comeUp),
      onDown() {
        partitionsAt(address).forEach(goDown)
        void look()
      },
      onMessage(message, channel) {
        for (const { prefix, events } of partitions)
          if (channel.startsWith(prefix)) events?.onMessage(message, channel)
      },
    })
    servers.set(address, server)
    return server
  }

  function partitionsAt(address: string): Partition[] {
    return partitions.filter(({ owner }) => owner === address)
  }

  function comeUp(partition: Partition): void {
    if (partition.isUp || !partition.events) return
    partition.isUp = true
    partition.events.onUp()
  }

  function goDown(partition: Partition): void {
    if (!partition.isUp) return
    partition.isUp = false
    partition.events?.onDown()
  }

  /** Asks the cluster for its slots until every partition has a node that answers. */
  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    while (!closed) {
      const owners = await findOwners()
      if (closed) return
      if (owners) adopt(owners)
      if (partitions.every(({ isUp }) => isUp)) break
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
    }
    isLooking = false
  }

  async function findOwners(): Promise<SlotRange[] | undefined> {
    const able = [...servers].filter(([, { isUp }]) => isUp)
    if (able.length === 0) for (const url of urls) serverAt(addressOf(url))
    for (const [address, server] of able) {
      try {
        return readRanges(await server.readSlots(), address)
      } catch (error) {
        for (const partition of partitions) if (!partition.isUp) partition.trouble = causeOf(error)
      }
    }
    return undefined
  }

  function adopt(ranges: readonly SlotRange[]): void {
    for (const partition of partitions) {
      const range = ranges.find(({ from, to }) => from <= partition.slot && partition.slot <= to)
      if (range?.address !== partition.owner) {
        goDown(partition)
        partition.owner = range?.address
      }
      if (range === undefined) {
        partition.trouble = new Error(`no node of the cluster has the hash slot ${partition.slot}`)
      } else if (serverAt(range.address).isUp) comeUp(partition)
    }
    const needed = new Set(ranges.map(({ address }) => address))
    for (const [address, server] of servers) {
      if (needed.has(address)) continue
      servers.delete(address)
      void server.close()
    }
  }

  const connect =
    (partition: Partition): ConnectStore =>
    (events) => {
      partition.events = events
      void look()

      const server = () => (partition.owner === undefined ? undefined : servers.get(partition.owner))

      async function ask<T>(question: (server: StoreServer) => Promise<T>): Promise<T> {
        const asked = server()
        if (!asked) {
          throw new LimitsUnavailable('No node has this part of the rate limits.', {
            cause: partition.trouble,
          })
        }
        try {
          return await question(asked)
        } catch (error) {
          partition.trouble = causeOf(error)
          // ASK and TRYAGAIN, while a slot moves, and CLUSTERDOWN are answers of a store that is away for a while.
          if (partition.trouble?.message.startsWith('MOVED') && server() === asked) {
            goDown(partition)
            partition.owner = undefined
            void look()
          }
          throw error
        }
      }

      return {
        get isUp() {
          return partition.isUp && server()?.isUp === true
        },
        get lastTrouble() {
          return partition.trouble ?? server()?.lastTrouble ?? firstTrouble()
        },
        run: ((...call: Parameters<StoreServer['run']>) =>
          ask(({ run }) => run(...call))) as StoreServer['run'],
        push: (queue, ticket) => ask(({ push }) => push(queue, ticket)),
        readRun: () => ask(({ readRun }) => readRun()),
        subscribe: (channel) => ask(({ subscribe }) => subscribe(channel)),
        reconnect: () => server()?.reconnect(),
        async close() {
          partition.events = undefined
        },
      }
    }

  function firstTrouble(): Error | undefined {
    for (const { lastTrouble } of servers.values()) if (lastTrouble) return lastTrouble
    return undefined
  }

  return {
    partitions: partitions.map(connect),
    async close() {
      closed = true
      await Promise.all([...servers.values()].map((server) => server.close()))
    },
  }
}

interface SlotRange {
  readonly from: number
  readonly to: number
  /** Host and port of the primary. */
  readonly address: string
}

/** Scheme with user and password; then host and port. */
const ADDRESS = /^([a-z]+:\/\/(?:[^@/]*@)?)(?:\[[^\]]*\]|[^/:?]*)(?::\d+)?/

function addressOf(url: string): string {
  const [whole = '', before = ''] = ADDRESS.exec(url) ?? []
  const address = whole.slice(before.length)
  return /:\d+$/.test(address) ? address : `${address}:6379`
}

/** A node that does not say its host is asked where it was asked before. */
function readRanges(slots: unknown, askedAt: string): SlotRange[] {
  const host = askedAt.replace(/:\d+$/, '')
  return (slots as [number, number, [string | null, number]][]).map(([from, to, [name, port]]) => {
    const known = name && name !== '?' ? (name.includes(':') ? `[${name}]` : name) : host
    return { from, to, address: `${known}:${port}` }
  })
}

function causeOf(error: unknown): Error | undefined {
  const { cause } = error as { cause?: unknown }
  return cause instanceof Error ? cause : undefined
}

/** The hash slot of a tag, as the cluster specification of Redis and Valkey computes it: CRC-16 (XMODEM) modulo 16384. */
export function slotOf(tag: string): number {
  let crc = 0
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff
  }
  return crc % 16_384
}
