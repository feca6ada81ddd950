// The traffic of a service that is several processes: windows and queues in a Valkey or Redis that all of them share.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Database, StartError } from '../../database/database.ts'
import { type Presence, START_PATIENCE_MS } from '../../processes/api-process-lease.ts'
import { type RateWindows, type Traffic, TrafficUnavailable } from '../limits.ts'
import { joinStore, type Membership } from './instance-registry.ts'
import { createStoreQueues } from './store-queues.ts'
import { createStoreWindows } from './store-windows.ts'

export interface StoreTrafficOptions {
  readonly url: string
  readonly database: Database
  readonly log: Logger
  readonly presence: Presence
  /** Default: 60 s. Tests have less time. */
  readonly windowMs?: number
  /** How long to wait for the store, and for the other processes to come to it. Default: 15 s. */
  readonly patienceMs?: number
}

const LOOK_AGAIN_MS = 100
/** What waiting does not mend. */
const WRONG_PASSWORD = /^(WRONGPASS|NOAUTH|NOPERM|ERR invalid password)/

/** @throws {StartError} when the store cannot be used, or the others use another. */
export async function openStoreTraffic(options: StoreTrafficOptions): Promise<Traffic> {
  const { url, database, log, presence, windowMs, patienceMs = START_PATIENCE_MS } = options
  const queues = createStoreQueues(() => membership)
  const windows = createStoreWindows({ database, membership: () => membership, windowMs })
  const membership: Membership = joinStore({
    url,
    log,
    presence,
    holdings: { ...queues, admissions: windows.admissions },
  })
  const until = performance.now() + patienceMs
  try {
    await untilUp(membership, url, until)
    await untilAllUseIt(membership, until)
  } catch (error) {
    await membership.leave()
    throw error
  }

  // Without a lease on the database, others may count these calls elsewhere.
  function checkPresence(): void {
    if (!presence.held) throw new TrafficUnavailable('The lease on the database is lost.')
  }
  const guarded: RateWindows = {
    ...windows,
    async enter(caller, requestId) {
      checkPresence()
      return windows.enter(caller, requestId)
    },
  }
  return {
    windows: guarded,
    queues,
    get available() {
      return presence.held && membership.isUp
    },
    async close() {
      await membership.leave()
      await presence.leave()
    },
  }
}

async function untilUp(membership: Membership, url: string, until: number): Promise<void> {
  while (!membership.isUp) {
    const reason = membership.lastTrouble?.message ?? 'it does not answer'
    if (performance.now() > until || WRONG_PASSWORD.test(reason)) {
      throw new StartError(`The store at ${placeOf(url)} cannot be used: ${reason}. Check VALKEY_URL.`)
    }
    await sleep(LOOK_AGAIN_MS)
  }
}

async function untilAllUseIt(membership: Membership, until: number): Promise<void> {
  for (;;) {
    const missing = await membership.findMissing().catch(() => undefined)
    if (missing?.length === 0) return
    if (performance.now() > until) {
      throw new StartError(
        `${missing?.length ?? 'Some'} other API processes of this database do not use the store that VALKEY_URL names here. Give all of them the same VALKEY_URL.`,
      )
    }
    await sleep(LOOK_AGAIN_MS)
  }
}

/** Host and port, without user and password. */
function placeOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'VALKEY_URL'
}
