// Whether the processes of this database have a common SECRETS_KEY. Each one that runs holds a lease, a row with the ids of
// its keys that it keeps renewing. A process that cannot decrypt what a running one encrypts, or the other way round, does
// not start: webhooks made by one could not be signed by the other.

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
  /** Ends the lease. Call it when nothing is encrypted any more. */
  leave(): Promise<void>
}

export interface SecretsKeyLeaseOptions {
  readonly database: Database
  readonly log: Logger
  /** The ids of the keys that this process has now; it encrypts with the first. Empty: it has made none yet. */
  readonly keyIds: () => readonly string[]
  /** How long to wait for others to leave, in milliseconds. Default: 15 s. */
  readonly waitTimeoutMs?: number
  /** In milliseconds. Default: 10 s. */
  readonly leaseMs?: number
}

interface OtherKeyHolder {
  readonly token: string
  readonly holder: ProcessIdentity
}

/** A process that is being replaced finishes its calls first, which may take it 8 s. */
const WAIT_TIMEOUT_MS = 15_000
const LEASE_MS = 10_000
const POLL_MS = 200

const JOIN = 'select token, holder from join_secrets_key_holders($1, $2, $3, $4, $5, $6)'
// The file of a key may be made while the process runs. After a pause that was longer than the lease, the row is gone.
const RENEW = `
  insert into secrets_key_holders (token, seals_with, key_ids, holder, live_until)
    values ($1, $2, $3, $4, clock_timestamp() + $5::float8 * interval '1 ms')
    on conflict (token) do update
      set seals_with = excluded.seals_with, key_ids = excluded.key_ids, live_until = excluded.live_until`
const LEAVE = 'delete from secrets_key_holders where token = $1'

/** @throws {StartError} when a running process has other keys and does not stop in time. */
export async function joinSecretsKeyHolders(options: SecretsKeyLeaseOptions): Promise<SecretsKeyLease> {
  const { database, log, keyIds, waitTimeoutMs = WAIT_TIMEOUT_MS, leaseMs = LEASE_MS } = options
  const token = randomUUID()
  const holder = identifyThisProcess()

  function values(): unknown[] {
    const ids = keyIds()
    return [token, ids[0] ?? null, ids, JSON.stringify(holder), leaseMs]
  }

  /** Returns the processes with other keys. None: the lease is ours. */
  async function join(): Promise<readonly OtherKeyHolder[]> {
    let dead: string[] = []
    for (;;) {
      const { rows: others } = await database.query<OtherKeyHolder>(JOIN, [...values(), dead])
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
      log.info(`Another Lotline runs over this database with other keys: waiting for ${name} to stop.`)
      return undefined
    },
    { timeoutMs: waitTimeoutMs, pauseMs: POLL_MS },
  )
  if (other) throw new StartError(refusalText(other.holder))

  const lease = keepLease({
    leaseMs,
    heldFrom,
    renew: async () => (await database.query(RENEW, values())).rowCount === 1,
    onError: (error) => log.warn({ err: error }, 'cannot renew the lease on SECRETS_KEY'),
  })
  return {
    async leave() {
      await lease.stop()
      await database.query(LEAVE, [token]).catch(() => {})
    },
  }
}

function refusalText(other: ProcessIdentity): string {
  return (
    `Another Lotline (${describeProcess(other)}) runs over this database with another SECRETS_KEY or without one. Give all ` +
    'processes the same SECRETS_KEY. To replace a key, start every process with OLD,NEW first, and only then any of them ' +
    'with NEW,OLD.'
  )
}
