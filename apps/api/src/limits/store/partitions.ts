// The names of what is kept in the store. All keys of a partition have the same hash tag: a cluster keeps them on one node,
// so that a script can touch them together. A single server has one partition. A cluster has twelve, whose hash slots are
// spread evenly over all slots: with 3, 4, 6 or 12 nodes, each has the same number. An API key belongs to one partition, by
// a hash of its id, with its window and its queue.

/** Of the only partition of a single server. */
export const STORE_PREFIX = '{lotline}:'

/** Tags whose slots (CRC-16) are 662, 2020, 3460 … 15715. They never change: processes that differ would be two limits. */
const TAGS = [17, 26, 40, 16, 27, 45, 15, 86, 46, 10, 87, 47]
export const CLUSTER_PREFIXES: readonly string[] = TAGS.map((number) => `{lotline-${number}}:`)

/** Names of what a partition has: its epoch, and what is kept under an epoch. */
export interface StoreKeys {
  readonly epoch: string
  processes(epoch: string): string
  window(epoch: string, keyId: string): string
  early(epoch: string, keyId: string): string
  queue(epoch: string, keyId: string): string
  /** The channel that notifies a process that one of its tickets is at the front. */
  wake(token: string): string
}

export function keysOf(prefix: string): StoreKeys {
  return {
    epoch: `${prefix}epoch`,
    processes: (epoch) => `${prefix}${epoch}:processes`,
    window: (epoch, keyId) => `${prefix}${epoch}:window:${keyId}`,
    early: (epoch, keyId) => `${prefix}${epoch}:early:${keyId}`,
    queue: (epoch, keyId) => `${prefix}${epoch}:queue:${keyId}`,
    wake: (token) => `${prefix}wake:${token}`,
  }
}

/** Of the only partition of a single server. */
export const storeKeys = keysOf(STORE_PREFIX)

/** The partition of an API key, from 0: FNV-1a of its id. The same in every process, for ever. */
export function partitionOf(keyId: string, partitions: number): number {
  if (partitions === 1) return 0
  let hash = 0x811c9dc5
  for (let at = 0; at < keyId.length; at++) hash = Math.imul(hash ^ keyId.charCodeAt(at), 0x01000193)
  return (hash >>> 0) % partitions
}
