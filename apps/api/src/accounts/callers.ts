// Who is calling: the key and its account, as the database has them or had them less than MAX_AGE_MS ago. That bound is
// what makes a revoked key, a suspended account or a topped-up balance take effect everywhere within a second, with no
// notification needed. Balances that this process's own charges return are taken over at once.

import { LRUCache } from 'lru-cache'
import { renewIfDue } from '../credits/cycles.ts'
import type { Balance } from '../credits/ledger.ts'
import type { Database } from '../database/database.ts'
import type { PlanId } from './plans.ts'

const MAX_AGE_MS = 500
const MOST_CALLERS = 20_000

export interface Caller {
  readonly keyId: string
  readonly accountId: string
  /** null for keys issued to an OAuth client, and where the operator gave none. */
  readonly email: string | null
  readonly revoked: boolean
  readonly suspended: boolean
  readonly plan: PlanId
  readonly rateLimitPerMinute: number
  readonly deniedOperations: readonly string[]
  /** Credits, shared by all keys of the account. */
  readonly credits: Credits
}

export interface Credits {
  balance: number
  held: number
}

export interface Callers {
  /** The caller behind a key's hash, or undefined when no such key was ever issued. At most MAX_AGE_MS old. */
  find(hash: Buffer): Promise<Caller | undefined>
  /** Takes over what a charge has just left of an account. */
  noteBalance(accountId: string, balance: Balance): void
}

interface Known {
  readonly caller: Caller | undefined
  readonly readAt: number
}

interface CallerRow {
  key_id: string
  account_id: string
  email: string | null
  revoked: boolean
  suspended: boolean
  plan: PlanId
  rate_limit_per_minute: number
  denied_operations: string[]
  balance: number
  held: number
  renewal_due: boolean
}

const FIND_CALLER = `
  select k.id as key_id, a.id as account_id,
    case when k.oauth_client is null then a.email end as email,
    coalesce(k.revoked_at <= now(), false) as revoked,
    a.status = 'suspended' as suspended,
    a.plan, a.rate_limit_per_minute, a.denied_operations, a.balance, a.held,
    coalesce(a.renews_at <= now(), false) as renewal_due
  from api_keys k join accounts a on a.id = k.account_id
  where k.hash = $1`

export function createCallers(database: Database): Callers {
  const known = new LRUCache<string, Known>({ max: MOST_CALLERS })
  const reading = new Map<string, Promise<Caller | undefined>>()
  /** One object an account, so that a charge through one key is seen by all its keys. */
  const credits = new LRUCache<string, Credits & { changedAt: number }>({ max: MOST_CALLERS })
  let changes = 0

  async function read(id: string, hash: Buffer): Promise<Caller | undefined> {
    let asOf = changes
    let row = await readRow(hash)
    if (row?.renewal_due) {
      await renewIfDue(database, row.account_id)
      asOf = changes
      row = await readRow(hash)
    }
    const caller = row && callerOf(row, creditsOf(row, asOf))
    known.set(id, { caller, readAt: performance.now() })
    return caller
  }

  async function readRow(hash: Buffer): Promise<CallerRow | undefined> {
    const { rows } = await database.query<CallerRow>(FIND_CALLER, [hash], { name: 'find_caller' })
    return rows[0]
  }

  function creditsOf(row: CallerRow, asOf: number): Credits {
    const entry = credits.get(row.account_id) ?? { balance: 0, held: 0, changedAt: -1 }
    // A charge that was answered while this row was being read knows better than the row.
    if (entry.changedAt <= asOf) {
      entry.balance = row.balance
      entry.held = row.held
    }
    credits.set(row.account_id, entry)
    return entry
  }

  return {
    async find(hash) {
      const id = hash.toString('base64')
      const entry = known.get(id)
      if (entry && performance.now() - entry.readAt < MAX_AGE_MS) return entry.caller
      const underWay = reading.get(id)
      if (underWay) return underWay
      const read_ = read(id, hash).finally(() => reading.delete(id))
      reading.set(id, read_)
      return read_
    },
    noteBalance(accountId, { balance, held }) {
      const entry = credits.get(accountId)
      if (!entry) return
      entry.balance = balance
      entry.held = held
      entry.changedAt = ++changes
    },
  }
}

function callerOf(row: CallerRow, credits: Credits): Caller {
  return {
    keyId: row.key_id,
    accountId: row.account_id,
    email: row.email,
    revoked: row.revoked,
    suspended: row.suspended,
    plan: row.plan,
    rateLimitPerMinute: row.rate_limit_per_minute,
    deniedOperations: row.denied_operations,
    credits,
  }
}
