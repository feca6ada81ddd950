// The principals of calls: each key and its account, at most MAX_AGE_MS old. Because of that bound, a revoked key, a suspended
// account, or a top-up takes effect in every process within a second, without notifications. Two kinds of keys are read for each
// call: a key that was refused because its account is suspended, so that it works immediately after a resume; and the key of a
// connector, so that a revoked connector or a replaced token gets 401 with its next call in every process. Balances that this
// process's own charges return are used immediately.

// Why: decisions/money/keys-are-always-looked-up.md
// Why: decisions/money/connector-keys-are-read-for-each-call.md

import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../infrastructure/database.ts'
import { batch, type Chore, collectFor, singleFlights } from '../../infrastructure/platform.ts'
import { renewIfDue } from '../credits/cycles.ts'
import type { Balance } from '../credits/ledger.ts'
import type { KeyAllowance, LimitPeriod } from './key-limits.ts'
import type { PlanId } from './plans.ts'

export const MAX_AGE_MS = 500
const MAX_KEYS = 20_000
const MAX_UNKNOWN = 5_000
const READ_BATCH_SIZE = 256
const GUESS_BATCH_MS = 20

export interface Principal {
  readonly keyId: string
  readonly accountId: string
  /** null for keys that were issued to an OAuth client, and for accounts without one. */
  readonly email: string | null
  /** Whether the key was issued to an OAuth client. Such a key cannot change or stop what other keys of the account started. */
  readonly isOfClient: boolean
  readonly revoked: boolean
  readonly suspended: boolean
  readonly plan: PlanId
  readonly rateLimitPerMinute: number
  readonly deniedOperations: readonly string[]
  /** operationIds that the key may use; null: all. */
  readonly allowedOperations: readonly string[] | null
  /** Credits, shared by all keys of the account. */
  readonly credits: PrincipalCredits
  /** undefined: the key has no limit. Its `remaining` follows the charges of this process immediately. */
  readonly keyLimit: KeyAllowance | undefined
}

export interface PrincipalCredits {
  balance: number
  held: number
}

export interface Principals {
  /**
   * The principal of a key's hash (`hashKey`), or undefined if the key was never issued. At most MAX_AGE_MS old; that of a
   * connector is read during this call.
   */
  find(keyHash: string): Promise<Principal | undefined>
  /**
   * Like `find`, for a key that is probably invalid: unknown keys that arrive within GUESS_BATCH_MS are looked up together. A
   * flood of guesses is a few dozen small queries per second.
   */
  findGuess(keyHash: string): Promise<Principal | undefined>
  /**
   * Reads the principal from the database, so that a refusal does not rest on old data. Later charges do not change the result.
   * Concurrent calls share one query.
   */
  readAgain(keyHash: string): Promise<Principal | undefined>
  /** Sets the balance of an account, and what the limit of the key leaves, to the values that a charge returned. */
  updateBalance(accountId: string, balance: Balance, keyId?: string): void
}

/** `changedAt`: the number of the charge that changed it last. */
type Changing<T> = { -readonly [Name in keyof T]: T[Name] } & { changedAt: number }

interface CachedPrincipal {
  readonly principal: Principal
  readonly readAt: number
}

interface PrincipalRow {
  hash: string
  key_id: string
  account_id: string
  email: string | null
  is_of_client: boolean
  revoked: boolean
  /** Whether the key is an access token that has made no call yet. */
  is_new_token: boolean
  suspended: boolean
  plan: PlanId
  rate_limit_per_minute: number
  denied_operations: string[]
  allowed_operations: string[] | null
  balance: number
  held: number
  renewal_due: boolean
  limit: KeyAllowance['credits'] | null
  limit_per: LimitPeriod
  limit_used: number
  limit_remaining: number
  limit_resets_at: Date | null
}

const FIND_PRINCIPALS = `
  select encode(k.hash, 'hex') as hash, k.id as key_id, a.id as account_id,
    case when k.oauth_client is null then a.email end as email, k.oauth_client is not null as is_of_client,
    coalesce(least(k.revoked_at, k.expires_at, k.token_expires_at) <= now(), false) as revoked, k.allowed_operations,
    k.oauth_grant is not null and k.token_used_at is null as is_new_token,
    a.status = 'suspended' as suspended,
    a.plan, a.rate_limit_per_minute, a.denied_operations, a.balance, a.held,
    coalesce(a.renews_at <= now(), false) as renewal_due,
    l.credits as limit, l.per as limit_per, l.used as limit_used, l.remaining as limit_remaining, l.resets_at as limit_resets_at
  from unnest($1::text[]) as asked (hash)
  join api_keys k on k.hash = decode(asked.hash, 'hex')
  join accounts a on a.id = k.account_id
  left join key_allowances l on l.key_id = k.id`

// A call proves that the client got its token, so it cannot repeat the refresh (oauth/records.ts).
const NOTE_FIRST_USE = `
  update api_keys set token_used_at = now() where hash = decode($1, 'hex') and token_used_at is null`

export function createPrincipals(database: Database): Principals {
  const known = new LRUCache<string, CachedPrincipal>({ max: MAX_KEYS })
  // A cache of their own, so that guessed keys do not displace valid ones.
  const unknown = new LRUCache<string, number>({ max: MAX_UNKNOWN })
  const reading = singleFlights<string, Principal | undefined>()
  /** One object per account, so that all keys of the account see each charge. */
  const credits = new LRUCache<string, PrincipalCredits & { changedAt: number }>({ max: MAX_KEYS })
  /** One object per key, so that waiting calls see its charges. */
  const limits = new LRUCache<string, Changing<KeyAllowance>>({ max: MAX_KEYS })
  let changes = 0

  // Keys that were read together expire together, and are read together again.
  const readRow = batch<string, PrincipalRow | undefined>(READ_BATCH_SIZE, async (hashes) => {
    const { rows } = await database.query<PrincipalRow>(FIND_PRINCIPALS, [hashes], {
      name: 'find_principals',
    })
    const found = new Map(rows.map((row) => [row.hash, row]))
    return hashes.map((hash) => found.get(hash))
  })

  async function read(keyHash: string): Promise<Principal | undefined> {
    return (await readBoth(keyHash)).shared
  }

  /** `shared` follows the charges of this process; `now` is a snapshot. */
  async function readBoth(keyHash: string): Promise<{ shared?: Principal; now?: Principal }> {
    let asOf = changes
    let row = await readRow(keyHash)
    if (row?.renewal_due) {
      await renewIfDue(database, row.account_id)
      asOf = changes
      row = await readRow(keyHash)
    }
    if (row?.is_new_token && !row.revoked) {
      const { rowCount } = await database.query(NOTE_FIRST_USE, [keyHash])
      // Another call was first, or the token has ended.
      if (rowCount === 0) row = await readRow(keyHash)
    }
    if (!row) {
      // A refresh has replaced the text of the connector's key.
      known.delete(keyHash)
      unknown.set(keyHash, performance.now())
      return {}
    }
    const shared = toPrincipal(row, creditsOf(row, asOf), limitOf(row, asOf))
    known.set(keyHash, { principal: shared, readAt: performance.now() })
    return { shared, now: toPrincipal(row, { balance: row.balance, held: row.held }, readAllowance(row)) }
  }

  function creditsOf(row: PrincipalRow, asOf: number): PrincipalCredits {
    const entry = credits.get(row.account_id) ?? { balance: 0, held: 0, changedAt: -1 }
    // A charge that returned while this row was read has the newer balance.
    if (entry.changedAt <= asOf) {
      entry.balance = row.balance
      entry.held = row.held
    }
    credits.set(row.account_id, entry)
    return entry
  }

  function limitOf(row: PrincipalRow, asOf: number): KeyAllowance | undefined {
    const { key_id } = row
    const read = readAllowance(row)
    if (!read) {
      limits.delete(key_id)
      return undefined
    }
    const entry = limits.get(key_id) ?? { ...read, changedAt: -1 }
    if (entry.changedAt <= asOf) Object.assign(entry, read)
    limits.set(key_id, entry)
    return entry
  }

  async function find(keyHash: string): Promise<Principal | undefined> {
    const entry = known.get(keyHash)
    // An ended key is read as often as other keys, however often it is sent.
    if (entry && shouldReadAgain(entry.principal)) return read(keyHash)
    if (entry && performance.now() - entry.readAt < MAX_AGE_MS) return entry.principal
    const unknownAt = unknown.get(keyHash)
    if (unknownAt !== undefined && performance.now() - unknownAt < MAX_AGE_MS) return undefined
    let isOwn = false
    const principal = await reading.run(keyHash, () => {
      isOwn = true
      return read(keyHash)
    })
    // A query of another call may have begun before the change that this call must see.
    return !isOwn && principal && shouldReadAgain(principal) ? read(keyHash) : principal
  }

  const gathered = collectFor(GUESS_BATCH_MS)

  return {
    find,
    async findGuess(keyHash) {
      if (known.peek(keyHash)?.principal.revoked !== false) await gathered()
      return find(keyHash)
    },
    // A query under way may have begun before the change that matters, so a new one is needed.
    readAgain: async (keyHash) => (await readBoth(keyHash)).now,
    updateBalance(accountId, { balance, held, keyLeft = null }, keyId) {
      const entry = credits.get(accountId)
      if (!entry) return
      entry.balance = balance
      entry.held = held
      entry.changedAt = ++changes
      if (keyLeft === null || keyId === undefined) return
      const limit = limits.get(keyId)
      if (limit) Object.assign(limit, { remaining: keyLeft, changedAt: changes })
    },
  }
}

function shouldReadAgain({ isOfClient, suspended, revoked }: Principal): boolean {
  return !revoked && (isOfClient || suspended)
}

function readAllowance(row: PrincipalRow): KeyAllowance | undefined {
  if (row.limit === null) return undefined
  return {
    credits: row.limit,
    per: row.limit_per,
    used: row.limit_used,
    resetsAt: row.limit_resets_at,
    remaining: row.limit_remaining,
  }
}

function toPrincipal(
  row: PrincipalRow,
  credits: PrincipalCredits,
  keyLimit: KeyAllowance | undefined,
): Principal {
  return {
    keyId: row.key_id,
    accountId: row.account_id,
    email: row.email,
    isOfClient: row.is_of_client,
    revoked: row.revoked,
    suspended: row.suspended,
    plan: row.plan,
    rateLimitPerMinute: row.rate_limit_per_minute,
    deniedOperations: row.denied_operations,
    allowedOperations: row.allowed_operations,
    credits,
    keyLimit,
  }
}

/** SHA-256 of the key in hexadecimal digits. The database stores it as bytes. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex')
}

// Records when keys were last used, to the minute. Uses are collected in memory and written once a minute, so that a call costs
// no statement.

const WRITE_INTERVAL_MS = 60_000

// Rows are locked in one order, because other processes write the same keys.
const WRITE_KEY_USE = `
  with used as (
    select id from api_keys
    where id = any ($1) and last_used_at is distinct from date_trunc('minute', now())
    order by id for no key update
  )
  update api_keys k set last_used_at = date_trunc('minute', now()) from used where k.id = used.id`

export interface KeyUse {
  note(keyId: string): void
  /** Writes every minute, and once more when it is stopped. */
  readonly chore: Chore
  /** Writes what was noted since the last time. */
  write(): Promise<void>
}

export function createKeyUse(database: Database): KeyUse {
  let used = new Set<string>()

  async function write(): Promise<void> {
    if (used.size === 0) return
    const written = used
    used = new Set()
    try {
      await database.query(WRITE_KEY_USE, [[...written]])
    } catch (error) {
      for (const keyId of written) used.add(keyId)
      throw error
    }
  }

  return {
    note: (keyId) => void used.add(keyId),
    write,
    chore: { name: 'write when keys were used', everyMs: WRITE_INTERVAL_MS, run: write, runsAtStop: true },
  }
}
