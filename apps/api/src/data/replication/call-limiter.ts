// The limits of a feed's server, kept 20% below the vendor's own. Calls are counted in the database for each credential, so all processes
// together stay within them (the function take_feed_call of the migrations).

import { createHash } from 'node:crypto'
import type { Queryable } from '../../infrastructure/database.ts'
import type { Profile } from './profiles.ts'

/** The share of the vendor's limits that is used. */
export const USED_SHARE = 0.8

/** The server allows no call before a certain time: its limit is used up, or it asked for a pause. */
export class CallsExhausted extends Error {
  override readonly name = 'CallsExhausted'
  /** On the database's clock, as all times of the limits. */
  readonly retryAt: Date
  /** Milliseconds until that time. */
  readonly waitMs: number

  constructor(retryAt: Date, now: Date) {
    super(`the server's limit allows the next call at ${retryAt.toISOString()}`)
    this.retryAt = retryAt
    this.waitMs = retryAt.getTime() - now.getTime()
  }
}

/**
 * The name of a credential in the table of calls, from which the credential cannot be recovered.
 *
 * @param identity the token, or the id of the client
 */
export function credentialName(origin: string, identity: string): string {
  const digest = createHash('sha256').update('lotline feed credential').update(origin).update('\n')
  return digest.update(identity).digest('hex').slice(0, 16)
}

interface CallGrant {
  readonly granted: boolean
  readonly at: Date
  readonly current_at: Date
}

const TAKE = `
  select granted, at, current_at
  from take_feed_call($1, $2::float8 * interval '1 ms', $3, $4)`

/**
 * Reserves one call. Returns the milliseconds to wait before it.
 *
 * @param now the time in a simulation
 * @throws {CallsExhausted} when a window is used up or the server asked for a pause
 */
export async function takeCall(
  database: Queryable,
  credential: string,
  { callsPerSecond, windows }: Pick<Profile, 'callsPerSecond' | 'windows'>,
  now?: Date,
): Promise<number> {
  const spacingMs = Math.ceil(1_000 / (callsPerSecond * USED_SHARE))
  const bounds = windows.map(({ seconds, calls, bytes }) => ({
    seconds,
    calls: Math.floor(calls * USED_SHARE),
    bytes: bytes === undefined ? Number.MAX_SAFE_INTEGER : Math.floor(bytes * USED_SHARE),
  }))
  const { rows } = await database.query<CallGrant>(TAKE, [
    credential,
    spacingMs,
    JSON.stringify(bounds),
    now ?? null,
  ])
  const { granted, at, current_at } = rows[0]!
  if (!granted) throw new CallsExhausted(at, current_at)
  return at.getTime() - current_at.getTime()
}

const COUNT_BYTES = `
  insert into feed_calls as f (credential, minute, calls, bytes) values ($1, date_trunc('minute', coalesce($3, now())), 0, $2)
  on conflict (credential, minute) do update set bytes = f.bytes + excluded.bytes`

/** Adds the compressed size of a body. */
export async function countBytes(
  database: Queryable,
  credential: string,
  bytes: number,
  now?: Date,
): Promise<void> {
  await database.query(COUNT_BYTES, [credential, bytes, now ?? null])
}

// It also inserts a row for a credential that has made no call yet.
const BLOCK = `
  insert into feed_credentials as c (credential, blocked_until) values ($1, $2)
  on conflict (credential) do update set blocked_until = greatest(c.blocked_until, excluded.blocked_until)`

/** No process calls with this credential before `until`. */
export async function blockCalls(database: Queryable, credential: string, until: Date): Promise<void> {
  await database.query(BLOCK, [credential, until])
}

const SILENCE = `
  select blocked_until as at, clock_timestamp() as current_at from feed_credentials
  where credential = $1 and blocked_until > clock_timestamp()`

/**
 * Call it before a call that was reserved earlier.
 *
 * @throws {CallsExhausted} when the server has asked for a pause since
 */
export async function requireNoSilence(database: Queryable, credential: string): Promise<void> {
  const { rows } = await database.query<Pick<CallGrant, 'at' | 'current_at'>>(SILENCE, [credential])
  if (rows[0]) throw new CallsExhausted(rows[0].at, rows[0].current_at)
}

// Concurrent calls that are refused together count as one refusal.
const REFUSE = `
  insert into feed_credentials as c (credential, refusals) values ($1, 1)
  on conflict (credential) do update set refusals = greatest(1, c.refusals + (c.blocked_until <= now())::integer)
  returning refusals, now() as now`

/** Counts a 429. Returns the number of consecutive 429 responses, in all processes and runs, and the database's time. */
export async function countRefusal(
  database: Queryable,
  credential: string,
): Promise<{ readonly refusals: number; readonly now: Date }> {
  return (await database.query<{ refusals: number; now: Date }>(REFUSE, [credential])).rows[0]!
}

/** Call it after a call that was not refused. */
export async function forgetRefusals(database: Queryable, credential: string): Promise<void> {
  await database.query('update feed_credentials set refusals = 0 where credential = $1 and refusals > 0', [
    credential,
  ])
}

/** A clock that is behind the server's by less than this still waits for the server's new hour. */
const HOUR_MARGIN_MS = 5_000
const BACKOFF_MS = 60_000
const MAX_BACKOFF_MS = 3_600_000
/** No vendor has a window longer than a day. A server that states more has a mistake in its header. */
const MAX_STATED_MS = 86_400_000

/**
 * The end of the pause after a 429.
 *
 * @param headers of the response, in lower case
 * @param attempts the number of consecutive 429 responses, from 1
 */
export function silenceAfter429(
  headers: Readonly<Record<string, string | undefined>>,
  { after429 }: Pick<Profile, 'after429'>,
  now: Date,
  attempts: number,
): Date {
  const stated = retryAfterMs(headers, now)
  if (after429 === 'hour') {
    // The hour on the server's clock, which may differ from ours.
    const server = Date.parse(headers.date ?? '')
    const serverMs = Number.isNaN(server) ? now.getTime() : server
    const untilHour = 3_600_000 - (serverMs % 3_600_000) + HOUR_MARGIN_MS
    return new Date(now.getTime() + Math.max(untilHour, stated ?? 0))
  }
  const backoff = Math.min(BACKOFF_MS * 2 ** (attempts - 1), MAX_BACKOFF_MS)
  // The stated time may be 0, or in the past.
  return new Date(now.getTime() + Math.max(stated ?? backoff, BACKOFF_MS))
}

/** The time that the server states, at most a day. undefined: it states none that can be read. */
function retryAfterMs(headers: Readonly<Record<string, string | undefined>>, now: Date): number | undefined {
  const stated = statedMs(headers, now)
  return stated === undefined ? undefined : Math.min(stated, MAX_STATED_MS)
}

/** `Retry-After` in seconds or as a date, or else the reset time of a quota: in milliseconds from now, or since 1970 in either unit. */
function statedMs(headers: Readonly<Record<string, string | undefined>>, now: Date): number | undefined {
  const after = headers['retry-after']
  if (after !== undefined && /^\s*\d{1,9}\s*$/.test(after)) return Number(after) * 1_000
  const date = after === undefined ? Number.NaN : Date.parse(after)
  // A date is on the server's clock.
  const server = Date.parse(headers.date ?? '')
  if (!Number.isNaN(date)) return Math.max(0, date - (Number.isNaN(server) ? now.getTime() : server))
  const reset = Number(headers['hour-quota-resettime'] ?? headers['minute-quota-resettime'] ?? Number.NaN)
  if (!Number.isFinite(reset) || reset < 0) return undefined
  if (reset < 1e9) return reset
  // Seconds since 1970 have ten digits from 2001 to 2286. Milliseconds have more.
  const at = reset < 1e11 ? reset * 1_000 : reset
  return Math.max(0, at - now.getTime())
}
