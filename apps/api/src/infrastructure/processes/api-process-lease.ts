// Decides which processes may serve calls on this database. Each holds a lease, a row that it renews. A process that counts calls
// in its own memory must be alone, or every limit would apply twice. Processes that count in a shared store can be many, but not
// together with one that does not. A process waits for conflicting ones to stop. A process that lost its lease is not `held`
// until it has the lease again, and keeps trying.

import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { type Database, StartError } from '../database/database.ts'
import { keepLease, type RenewedLease } from '../platform/keep-lease.ts'
import { poll } from '../platform/retry.ts'
import {
  describeProcess,
  identifyThisProcess,
  isKnownDead,
  type ProcessIdentity,
} from './process-identity.ts'

export interface ApiProcessLease extends ProcessLease {
  /** The name of this process. */
  readonly token: string
  /** Names of the other live processes. */
  findOthers(): Promise<string[]>
  /** Ends the lease, so that a waiting process can take it. */
  leave(): Promise<void>
}

export interface ApiProcessLeaseOptions {
  readonly database: Database
  readonly log: Logger
  readonly countsIn: 'memory' | 'store'
  /** How long to wait for other processes to stop. Default: 15 s. */
  readonly waitTimeoutMs?: number
  /** Default: 10 s. */
  readonly leaseMs?: number
}

interface OtherApiProcess {
  readonly token: string
  readonly counts_in: 'memory' | 'store'
  readonly holder: ProcessIdentity
}

/** A process that is being replaced finishes its calls first, which can take 8 s. */
export const START_TIMEOUT_MS = 15_000
const LEASE_MS = 10_000
const POLL_MS = 200
/** Work that was checked under the lease finishes before the lease ends. */
const MARGIN_MS = 500

const JOIN_API_PROCESSES = 'select token, counts_in, holder from join_api_processes($1, $2, $3, $4, $5)'
const RENEW_LEASE = `
  update api_processes set live_until = clock_timestamp() + $2::float8 * interval '1 ms' where token = $1`
const FIND_OTHERS =
  'select token, holder from api_processes where token <> $1 and live_until > clock_timestamp()'
const DELETE_LEASE = 'delete from api_processes where token = $1'

/** @throws {StartError} when a conflicting process does not stop */
export async function joinProcesses(options: ApiProcessLeaseOptions): Promise<ApiProcessLease> {
  const { database, log, countsIn, waitTimeoutMs = START_TIMEOUT_MS, leaseMs = LEASE_MS } = options
  const token = randomUUID()
  const holder = identifyThisProcess()
  let hasComplained = false
  let left = false

  /** Returns the conflicting processes; none if this process has the lease. */
  async function join(): Promise<readonly OtherApiProcess[]> {
    let dead: string[] = []
    for (;;) {
      const values = [token, countsIn, JSON.stringify(holder), leaseMs, dead]
      const { rows: others } = await database.query<OtherApiProcess>(JOIN_API_PROCESSES, values)
      if (others.length === 0) return []
      dead = others.filter((other) => isKnownDead(other.holder)).map((other) => other.token)
      if (dead.length === 0) return others
    }
  }

  let inTheWay: readonly OtherApiProcess[] = []
  let heldFrom = 0
  await poll(
    async (attempt) => {
      heldFrom = performance.now()
      inTheWay = await join()
      if (inTheWay.length === 0) return true
      if (attempt === 1)
        log.info(
          `Another server serves calls on this database: waiting for ${describeAll(inTheWay)} to stop.`,
        )
      return undefined
    },
    { timeoutMs: waitTimeoutMs, pauseMs: POLL_MS },
  )
  if (inTheWay.length > 0) throw new StartError(alreadyRunningText(countsIn, inTheWay))

  async function renew(lease: RenewedLease): Promise<boolean> {
    if (!lease.isLost) {
      const { rowCount } = await database.query(RENEW_LEASE, [token, leaseMs])
      if (rowCount === 1) return true
      lease.lose(new Error('another process removed the lease on the database'))
    }
    const others = await join()
    if (others.length === 0) log.warn('The lease on the database was lost and is held again.')
    else if (!hasComplained) log.error(`Calls are refused: ${alreadyRunningText(countsIn, others)}`)
    hasComplained = others.length > 0
    return others.length === 0
  }

  const lease = keepLease({
    leaseMs,
    marginMs: MARGIN_MS,
    heldFrom,
    renew,
    onError: (error) => log.warn({ err: error }, 'cannot renew the lease on the database'),
  })

  return {
    token,
    get held() {
      return lease.isHeld && !left
    },
    get losses() {
      return lease.losses
    },
    async findOthers() {
      const { rows } = await database.query<Pick<OtherApiProcess, 'token' | 'holder'>>(FIND_OTHERS, [token])
      return rows.filter((other) => !isKnownDead(other.holder)).map((other) => other.token)
    },
    async leave() {
      left = true
      await lease.stop()
      await database.query(DELETE_LEASE, [token]).catch(() => {})
    },
  }
}

function alreadyRunningText(countsIn: 'memory' | 'store', others: readonly OtherApiProcess[]): string {
  const who = `Another server (${describeAll(others)})`
  if (countsIn === 'store') {
    return `${who} answers calls over this database without VALKEY_URL, and so counts them alone. Start it again with the same VALKEY_URL as this one, or stop it.`
  }
  return others.some((other) => other.counts_in === 'store')
    ? `${who} answers calls over this database and shares its rate limits over VALKEY_URL. Set the same VALKEY_URL here.`
    : `${who} answers calls over this database already. Stop it, or give both the same VALKEY_URL, over which several can share the rate limits.`
}

function describeAll(others: readonly OtherApiProcess[]): string {
  const [first, ...more] = others.map((other) => describeProcess(other.holder))
  return more.length > 0 ? `${first} and ${more.length} more` : first!
}

/** A lease that this process holds and can lose to another process. */
export interface ProcessLease {
  readonly held: boolean
  /** Number of losses. Work that began under an earlier count was not protected all the time. */
  readonly losses: number
}

/** The lease of a sole process. */
export const SOLE_PROCESS: ProcessLease = { held: true, losses: 0 }
