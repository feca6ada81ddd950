// The limits of a service that is several processes: windows and queues in a Valkey or Redis that all of them share, or in a
// cluster of those. Each partition of the keys (partitions.ts) has windows, queues, and a place among the processes of its own.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Principal } from '../../accounts/principals.ts'
import { type Database, StartError } from '../../database/database.ts'
import { type ApiProcessLease, START_TIMEOUT_MS } from '../../processes/api-process-lease.ts'
import { type Limits, LimitsUnavailable } from '../limits.ts'
import { connectCluster, type StoreCluster } from './cluster.ts'
import { type InstanceRegistry, joinStore } from './instance-registry.ts'
import { CLUSTER_PREFIXES, partitionOf } from './partitions.ts'
import { createStoreQueues, type StoreQueues } from './store-queues.ts'
import { createStoreWindows, type StoreWindows } from './store-windows.ts'

export interface StoreLimitsOptions {
  /** What VALKEY_URL says: a server, or several nodes of a cluster separated by commas. */
  readonly url: string
  readonly database: Database
  readonly log: Logger
  readonly processLease: ApiProcessLease
  /** Default: 60 s. Tests have less time. */
  readonly windowMs?: number
  /** How long to wait for the store, and for the other processes to come to it. Default: 15 s. */
  readonly waitTimeoutMs?: number
}

interface Partition {
  readonly windows: StoreWindows
  readonly queues: StoreQueues
  readonly registry: InstanceRegistry
}

const LOOK_AGAIN_MS = 100
/** What waiting does not mend. */
const WRONG_PASSWORD = /^(WRONGPASS|NOAUTH|NOPERM|ERR invalid password)/
/** What a node of a cluster answers to somebody who takes it for a single server. */
const OF_CLUSTER = /^(MOVED|CLUSTERDOWN)/

/** @throws {StartError} when the store cannot be used, or the others use another. */
export async function openStoreLimits(options: StoreLimitsOptions): Promise<Limits> {
  const { url, log, waitTimeoutMs = START_TIMEOUT_MS } = options
  const nodes = nodesOf(url)
  const cluster = nodes.length > 1 || isCluster(url) ? connectCluster(nodes, log) : undefined
  const partitions = openPartitions(options, nodes[0]!, cluster)
  const { processLease } = options
  const until = performance.now() + waitTimeoutMs

  async function leave(): Promise<void> {
    await Promise.all(partitions.map(({ registry }) => registry.leave()))
    await cluster?.close()
  }
  try {
    for (const { registry } of partitions) await untilUp(registry, url, until, cluster !== undefined)
    for (const { registry } of partitions) await untilAllUseIt(registry, until)
  } catch (error) {
    await leave()
    throw error
  }

  function findShare(): number {
    const up = partitions.filter(({ registry }) => registry.isUp)
    return processLease.held ? up.length / partitions.length : 0
  }
  const partitionFor = (keyId: string) => partitions[partitionOf(keyId, partitions.length)]!
  return {
    windows: {
      async enter(principal: Principal, requestId: string) {
        // Without a lease on the database, others may count these calls elsewhere.
        if (!processLease.held) throw new LimitsUnavailable('The lease on the database is lost.')
        return partitionFor(principal.keyId).windows.enter(principal, requestId)
      },
      look: (principal) => partitionFor(principal.keyId).windows.look(principal),
      recorded(requestId) {
        for (const { windows } of partitions) windows.recorded(requestId)
      },
    },
    queues: {
      take: (keyId, waitOptions) => partitionFor(keyId).queues.take(keyId, waitOptions),
      get size() {
        return partitions.reduce((sum, { queues }) => sum + queues.size, 0)
      },
    },
    // With a node of a cluster gone, the keys of the other nodes are still served.
    get available() {
      return findShare() > 0
    },
    get availableShare() {
      return findShare()
    },
    async close() {
      await leave()
      await processLease.leave()
    },
  }
}

function openPartitions(
  { database, log, processLease, windowMs }: StoreLimitsOptions,
  url: string,
  cluster: StoreCluster | undefined,
): Partition[] {
  // Partitions of a cluster that begin anew together ask once.
  let asking: Promise<string[]> | undefined
  const lease = {
    token: processLease.token,
    findOthers() {
      asking ??= processLease.findOthers().finally(() => {
        asking = undefined
      })
      return asking
    },
  }
  const open = (partition?: { connect: StoreCluster['partitions'][number]; prefix: string }): Partition => {
    const queues = createStoreQueues(() => registry)
    const windows = createStoreWindows({ database, registry: () => registry, windowMs })
    const registry: InstanceRegistry = joinStore({
      url,
      ...(partition && { partition }),
      log: partition ? log.child({ partition: partition.prefix.slice(1, -2) }) : log,
      processLease: lease,
      holdings: { ...queues, admissions: windows.admissions },
    })
    return { windows, queues, registry }
  }
  if (!cluster) return [open()]
  return cluster.partitions.map((connect, at) => open({ connect, prefix: CLUSTER_PREFIXES[at]! }))
}

async function untilUp(
  registry: InstanceRegistry,
  url: string,
  until: number,
  isOfCluster: boolean,
): Promise<void> {
  while (!registry.isUp) {
    const reason = registry.lastTrouble?.message ?? 'it does not answer'
    const isMistaken = !isOfCluster && OF_CLUSTER.test(reason)
    if (performance.now() > until || WRONG_PASSWORD.test(reason) || isMistaken) {
      const hint = isMistaken
        ? ' It is a node of a cluster: give the addresses of several nodes, separated by commas.'
        : ''
      throw new StartError(
        `The store at ${placesOf(url)} cannot be used: ${reason}.${hint} Check VALKEY_URL.`,
      )
    }
    await sleep(LOOK_AGAIN_MS)
  }
}

async function untilAllUseIt(registry: InstanceRegistry, until: number): Promise<void> {
  for (;;) {
    const missing = await registry.findMissing().catch(() => undefined)
    if (missing?.length === 0) return
    if (performance.now() > until) {
      throw new StartError(
        `${missing?.length ?? 'Some'} other API processes of this database do not use the store that VALKEY_URL names here. Give all of them the same VALKEY_URL.`,
      )
    }
    await sleep(LOOK_AGAIN_MS)
  }
}

/** The addresses in VALKEY_URL, without the parameter that says that one address is of a cluster. */
function nodesOf(url: string): string[] {
  return url.split(',').map((node) => node.replace(CLUSTER_PARAMETER, ''))
}

const CLUSTER_PARAMETER = /\/?\?cluster=true$/

function isCluster(url: string): boolean {
  return CLUSTER_PARAMETER.test(url)
}

/** Hosts and ports, without user and password. */
function placesOf(url: string): string {
  const nodes = nodesOf(url)
  return nodes.every((node) => URL.canParse(node))
    ? nodes.map((node) => new URL(node).host).join(', ')
    : 'VALKEY_URL'
}
