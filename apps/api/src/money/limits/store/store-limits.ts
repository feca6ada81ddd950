// Limits for a service with several processes: windows and queues in a shared Valkey or Redis.

// Why: decisions/money/one-store-of-rate-limits.md

import type { Logger } from 'pino'
import { type Database, StartError } from '../../../infrastructure/database.ts'
import { poll, type RetryBounds } from '../../../infrastructure/platform.ts'
import { type ApiProcessLease, START_TIMEOUT_MS } from '../../../infrastructure/processes.ts'
import type { Principal } from '../../accounts/principals.ts'
import { type Limits, LimitsUnavailable } from '../limits.ts'
import { type InstanceRegistry, joinStore } from './instance-registry.ts'
import { createStoreQueues } from './store-queues.ts'
import { createStoreWindows } from './store-windows.ts'

export interface StoreLimitsOptions {
  /** VALKEY_URL. */
  readonly url: string
  readonly database: Database
  readonly log: Logger
  readonly processLease: ApiProcessLease
  /** Default: 60 s. Tests use less. */
  readonly windowMs?: number
  /** How long to wait for the store, and for the other processes to join it. Default: 15 s. */
  readonly waitTimeoutMs?: number
}

const POLL_MS = 100
/** Errors that waiting does not fix. */
const WRONG_PASSWORD = /^(WRONGPASS|NOAUTH|NOPERM|ERR invalid password)/
/** Errors of a cluster node, which has only some of the keys. */
const CLUSTER_ERROR = /^(MOVED|CLUSTERDOWN)/

/** @throws {StartError} when the store cannot be used, or other processes use another one */
export async function openStoreLimits(options: StoreLimitsOptions): Promise<Limits> {
  const { url, database, log, processLease, windowMs, waitTimeoutMs = START_TIMEOUT_MS } = options
  const queues = createStoreQueues(() => registry)
  const windows = createStoreWindows({ database, registry: () => registry, windowMs })
  const holdings = { ...queues, admissions: windows.admissions }
  const registry: InstanceRegistry = joinStore({ url, log, processLease, holdings })
  const bounds = { timeoutMs: waitTimeoutMs, pauseMs: POLL_MS }
  try {
    await waitUntilUp(registry, url, bounds)
    await waitUntilAllUseIt(registry, bounds)
  } catch (error) {
    await registry.leave()
    throw error
  }
  return {
    windows: {
      ...windows,
      async enter(principal: Principal, requestId: string) {
        // Without a lease on the database, other processes may count these calls elsewhere.
        if (!processLease.held) throw new LimitsUnavailable('This process lost its lease on the database.')
        return windows.enter(principal, requestId)
      },
    },
    queues,
    get available() {
      return processLease.held && registry.isUp
    },
    async close() {
      await registry.leave()
      await processLease.leave()
    },
  }
}

async function waitUntilUp(registry: InstanceRegistry, url: string, bounds: RetryBounds): Promise<void> {
  const readReason = () => registry.lastTrouble?.message ?? 'it does not answer'
  const isFinal = (reason: string) => WRONG_PASSWORD.test(reason) || CLUSTER_ERROR.test(reason)
  await poll(() => registry.isUp || isFinal(readReason()) || undefined, bounds)
  if (registry.isUp) return
  const reason = readReason()
  const hint = CLUSTER_ERROR.test(reason) ? ' It is a node of a cluster: use a server that is none.' : ''
  throw new StartError(
    `The store at ${describeAddress(url)} cannot be used: ${reason}.${hint} Check VALKEY_URL.`,
  )
}

async function waitUntilAllUseIt(registry: InstanceRegistry, bounds: RetryBounds): Promise<void> {
  let missing: readonly string[] | undefined
  const all = await poll(async () => {
    missing = await registry.findMissing().catch(() => undefined)
    return missing?.length === 0 || undefined
  }, bounds)
  if (all) return
  throw new StartError(
    `${missing?.length ?? 'Some'} other API processes of this database do not use the store that VALKEY_URL names here. Give all of them the same VALKEY_URL.`,
  )
}

/** Host and port, without user and password. */
function describeAddress(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'VALKEY_URL'
}
