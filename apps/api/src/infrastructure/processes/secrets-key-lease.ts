// Ensures that the processes of a database have compatible SECRETS_KEYs. Each process holds a lease, a row with the ids of its
// keys that it renews. A process does not start if it cannot decrypt what a running one encrypts, or the other way round: one
// could not sign the webhooks of the other.

import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { type Database, StartError } from '../database/database.ts'
import { keepLease } from '../platform/keep-lease.ts'
import { poll } from '../platform/retry.ts'
import {
  describeProcess,
  identifyThisProcess,
  isKnownDead,
  type ProcessIdentity,
} from './process-identity.ts'

export interface SecretsKeyLease {
  /** Ends the lease. Call it when the process encrypts nothing any more. */
  leave(): Promise<void>
}

export interface SecretsKeyLeaseOptions {
  readonly database: Database
  readonly log: Logger
  /** The ids of the keys of this process; it encrypts with the first. Empty: it has created none yet. */
  readonly keyIds: () => readonly string[]
  /** How long to wait for other processes to stop, in milliseconds. Default: 15 s. */
  readonly waitTimeoutMs?: number
  /** The duration of the lease, in milliseconds. Default: 10 s. */
  readonly leaseMs?: number
}

interface OtherKeyHolder {
  readonly token: string
  readonly holder: ProcessIdentity
}

/** A process that is being replaced finishes its calls first, which can take 8 s. */
const WAIT_TIMEOUT_MS = 15_000
const LEASE_MS = 10_000
const POLL_MS = 200

const JOIN_KEY_HOLDERS = 'select token, holder from join_secrets_key_holders($1, $2, $3, $4, $5, $6)'
// The file of a key may be created while the process runs. After a pause longer than the lease, the row is gone.
const RENEW_LEASE = `
  insert into secrets_key_holders (token, seals_with, key_ids, holder, live_until)
    values ($1, $2, $3, $4, clock_timestamp() + $5::float8 * interval '1 ms')
    on conflict (token) do update
      set seals_with = excluded.seals_with, key_ids = excluded.key_ids, live_until = excluded.live_until`
const DELETE_LEASE = 'delete from secrets_key_holders where token = $1'

/** @throws {StartError} when a running process with other keys does not stop in time */
export async function joinSecretsKeyHolders(options: SecretsKeyLeaseOptions): Promise<SecretsKeyLease> {
  const { database, log, keyIds, waitTimeoutMs = WAIT_TIMEOUT_MS, leaseMs = LEASE_MS } = options
  const token = randomUUID()
  const holder = identifyThisProcess()

  function values(): unknown[] {
    const ids = keyIds()
    return [token, ids[0] ?? null, ids, JSON.stringify(holder), leaseMs]
  }

  /** Returns the processes with other keys; none if this process has the lease. */
  async function join(): Promise<readonly OtherKeyHolder[]> {
    let dead: string[] = []
    for (;;) {
      const { rows: others } = await database.query<OtherKeyHolder>(JOIN_KEY_HOLDERS, [...values(), dead])
      dead = others.filter((other) => isKnownDead(other.holder)).map((other) => other.token)
      if (dead.length === 0) return others
    }
  }

  let other: OtherKeyHolder | undefined
  let heldFrom = 0
  await poll(
    async (attempt) => {
      heldFrom = performance.now()
      ;[other] = await join()
      if (other === undefined) return true
      if (attempt > 1) return undefined
      const name = describeProcess(other.holder)
      log.info(
        `Another Lotline process uses this database with another SECRETS_KEY: waiting for ${name} to stop.`,
      )
      return undefined
    },
    { timeoutMs: waitTimeoutMs, pauseMs: POLL_MS },
  )
  if (other) throw new StartError(otherKeyText(other.holder))

  const lease = keepLease({
    leaseMs,
    heldFrom,
    renew: async () => (await database.query(RENEW_LEASE, values())).rowCount === 1,
    onError: (error) => log.warn({ err: error }, 'cannot renew the lease on SECRETS_KEY'),
  })
  return {
    async leave() {
      await lease.stop()
      await database.query(DELETE_LEASE, [token]).catch(() => {})
    },
  }
}

function otherKeyText(other: ProcessIdentity): string {
  return (
    `Another Lotline (${describeProcess(other)}) runs over this database with another SECRETS_KEY or without one. Give all ` +
    'processes the same SECRETS_KEY. To replace a key, start every process with OLD,NEW first, and only then any of them ' +
    'with NEW,OLD.'
  )
}
