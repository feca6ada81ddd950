// Connected sources in the database: their settings, the process that synchronizes each of them, and the results of their runs.

import { randomUUID } from 'node:crypto'
import { readSecretVariable } from '../../infrastructure/config.ts'
import type { Queryable } from '../../infrastructure/database.ts'
import { Secret } from '../../infrastructure/platform.ts'
import { identifyThisProcess, isKnownDead, type ProcessIdentity } from '../../infrastructure/processes.ts'
import type { ProfileChanges } from './profiles.ts'
import type { Credential } from './upstream.ts'

/** The settings of a feed. */
export interface ResoSettings extends ProfileChanges {
  readonly kind: 'reso'
  readonly url: string
  /** The environment variable that has the bearer token. */
  readonly tokenEnv?: string
  /** The environment variable that has `client_id:client_secret`. */
  readonly clientCredentialsEnv?: string
  /** Default: the profile's. */
  readonly tokenUrl?: string
  readonly originatingSystem?: string
  readonly filter?: string
  /** The permitted use that a listing must have, such as `IDX`. */
  readonly use?: string
  /** The public name of the MLS, if the feed does not state it. */
  readonly authority?: string
  /** The notice that must be shown with each listing. */
  readonly notice?: string
  /** The text of the operator's YAML for local fields and lookups. */
  readonly overrides?: string
}

/** A file on a server or on this machine. */
export interface FileSettings {
  readonly kind: 'file'
  /** An https URL, or a path on the machine of the process that synchronizes it. */
  readonly location: string
  /** The environment variable that has a bearer token for the server. */
  readonly tokenEnv?: string
  /** The environment variable that has the query of the URL, which may hold a token. */
  readonly queryEnv?: string
  /** The text of the mapping for CSV; undefined: NDJSON. */
  readonly mapping?: string
  /** The file has all homes of the source. */
  readonly complete: boolean
  /** Its rows change only the fields that they have, even if the mapping does not say so. */
  readonly merge?: boolean
  /** The permitted use that a row with `MlgCanUse` must have, such as `IDX`. */
  readonly use?: string
}

export type SourceSettings = ResoSettings | FileSettings

export interface ConnectedSource {
  readonly name: string
  readonly settings: SourceSettings
  readonly everySeconds: number
  readonly createdAt: Date
  readonly pausedAt: Date | null
  readonly dueAt: Date
  readonly leaseUntil: Date | null
  readonly failures: number
  readonly lastError: string | null
  readonly failedAt: Date | null
  readonly syncedAt: Date | null
  readonly sweep: number
  readonly sweeping: boolean
  readonly sweepDueAt: Date | null
  readonly sweptAt: Date | null
  /** Why the latest sweep was refused, until a sweep succeeds. null: it was not. */
  readonly sweepError: string | null
  readonly sweepFailedAt: Date | null
  /** The last comparison with the feed's own count. null: none was made. */
  readonly comparedAt: Date | null
  /** Records that the feed states. null: it states no number. */
  readonly statedRecords: number | null
  /** Records that the feed states and that are not stored. null: not known. */
  readonly missingRecords: number | null
  /** Stored records that the feed does not count. The next sweep asks for them by key. null: not known. */
  readonly surplusRecords: number | null
  readonly fileVersion: string | null
  /** A digest of the rules by which the file was read. */
  readonly fileRules: string | null
  readonly counts: Readonly<Record<string, number>>
}

/** The configuration of the source does not work here. The message has the reason in one line. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure'
}

/** Another process synchronizes the source by now, or it was removed. This process must not write any more. */
export class SourceLost extends Error {
  override readonly name = 'SourceLost'
}

const COLUMNS = `name, settings, every_seconds as "everySeconds", created_at as "createdAt", paused_at as "pausedAt",
  due_at as "dueAt", lease_until as "leaseUntil", failures, last_error as "lastError", failed_at as "failedAt",
  synced_at as "syncedAt", sweep, sweeping, sweep_due_at as "sweepDueAt", swept_at as "sweptAt",
  sweep_error as "sweepError", sweep_failed_at as "sweepFailedAt", compared_at as "comparedAt",
  stated_records as "statedRecords", missing_records as "missingRecords", surplus_records as "surplusRecords",
  file_version as "fileVersion", file_rules as "fileRules", counts`

// Homes of a removed source of this name may have vanished from the feed before it is read again, so sweeps must find them missing.
const ADD = `
  with added as (
    insert into connected_sources (name, kind, settings, every_seconds) values ($1, $2, $3, $4)
    on conflict (name) do nothing returning name, kind
  ), known as (
    insert into source_records (source, source_key, state, sweep)
      select a.name, i.source_key, 'listed', 0
      from added a join record_identities i on i.source = a.name
        join listings l on l.zpid = i.zpid and l.source = a.name
      -- Each home has its zpid as a second key, which no feed lists.
      where a.kind = 'reso' and l.kind <> 'off_market' and i.source_key <> i.zpid
  )
  select name from added`

/** Adds a source. The homes of an earlier source of this name belong to it. False: there already is one of this name. */
export async function addSource(
  database: Queryable,
  name: string,
  settings: SourceSettings,
  everySeconds: number,
): Promise<boolean> {
  const { rowCount } = await database.query(ADD, [
    name,
    settings.kind,
    JSON.stringify(settings),
    everySeconds,
  ])
  return rowCount === 1
}

/** All sources, in alphabetical order. */
export async function listConnected(database: Queryable): Promise<ConnectedSource[]> {
  return (await database.query<ConnectedSource>(`select ${COLUMNS} from connected_sources order by name`))
    .rows
}

export async function findConnected(database: Queryable, name: string): Promise<ConnectedSource | undefined> {
  const { rows } = await database.query<ConnectedSource>(
    `select ${COLUMNS} from connected_sources where name = $1`,
    [name],
  )
  return rows[0]
}

/** False: there is no such source. A running run ends with its page. */
export async function pauseSource(database: Queryable, name: string): Promise<boolean> {
  const { rowCount } = await database.query(
    `update connected_sources set paused_at = coalesce(paused_at, now()), lease_token = null, lease_until = null
     where name = $1`,
    [name],
  )
  return rowCount === 1
}

/** Makes its next run due now. False: there is no such source. */
export async function resumeSource(database: Queryable, name: string): Promise<boolean> {
  const { rowCount } = await database.query(
    'update connected_sources set paused_at = null, due_at = now() where name = $1',
    [name],
  )
  return rowCount === 1
}

/**
 * Deletes the settings and the position of a source. Its listings stay, and so do the zpids of its records, so a source that is added again
 * under this name continues with them. False: there is no such source.
 */
export async function removeSource(database: Queryable, name: string): Promise<boolean> {
  return (await database.query('delete from connected_sources where name = $1', [name])).rowCount === 1
}

/** The lease of this process on a source. */
export interface SourceLease {
  readonly name: string
  readonly token: string
}

/** Longer than any wait within a run. The lease is renewed every minute and with every page. */
export const LEASE_MS = 5 * 60_000
const LEASE = `interval '${LEASE_MS} ms'`

const CANDIDATES = `
  select name, lease_token as token, lease_holder as holder, coalesce(lease_until > now(), false) as held
  from connected_sources
  where case when $1::text is null then paused_at is null and due_at <= now() else name = $1 end
  order by due_at, name`

const TAKE = `
  update connected_sources set lease_token = $3, lease_until = now() + ${LEASE}, lease_holder = $4
  where name = $1 and lease_token is not distinct from $2 and (paused_at is null or $5)
  returning ${COLUMNS}`

interface Candidate {
  readonly name: string
  readonly token: string | null
  readonly holder: ProcessIdentity | null
  readonly held: boolean
}

/** Whether a source is due, even if a process has it. */
export async function isAnyDue(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ due: boolean }>(
    'select exists (select from connected_sources where paused_at is null and due_at <= now()) as due',
  )
  return rows[0]!.due
}

/** Claims the named source, whether it is due or not, or a source that is due. undefined: none is free. */
export async function claimSource(
  database: Queryable,
  name?: string,
): Promise<{ readonly source: ConnectedSource; readonly lease: SourceLease } | undefined> {
  const { rows } = await database.query<Candidate>(CANDIDATES, [name ?? null])
  for (const { name: free, token, holder, held } of rows) {
    // A process that was killed leaves its lease behind.
    if (held && !(holder && isKnownDead(holder))) continue
    const own = randomUUID()
    const values = [free, token, own, JSON.stringify(identifyThisProcess()), name !== undefined]
    const { rows: taken } = await database.query<ConnectedSource>(TAKE, values)
    if (taken[0]) return { source: taken[0], lease: { name: free, token: own } }
  }
  return undefined
}

/** @throws {SourceLost} when another process has the source, or when it was paused or removed */
export async function renewLease(tx: Queryable, { name, token }: SourceLease): Promise<void> {
  const { rowCount } = await tx.query(
    `update connected_sources set lease_until = now() + ${LEASE} where name = $1 and lease_token = $2`,
    [name, token],
  )
  if (rowCount !== 1)
    throw new SourceLost(`another process synchronizes ${name}, or it was paused or removed`)
}

// A failed run is repeated after a minute, and then after twice as long each time, but not later than the usual next run.
const FINISH = `
  update connected_sources set lease_token = null, lease_until = null, lease_holder = null,
    failures = case when $3::text is null then 0 else failures + 1 end,
    last_error = $3, failed_at = case when $3::text is null then failed_at else now() end,
    synced_at = case when $3::text is null then now() else synced_at end,
    due_at = case
      when $3::text is null then now() + every_seconds * interval '1 second'
      else now() + least(every_seconds, 60 * 2 ^ least(failures, 10)) * interval '1 second' end
  where name = $1 and lease_token = $2`

/** Ends a run. `error` is the reason for its failure, in one line. */
export async function finishRun(
  database: Queryable,
  lease: SourceLease,
  error: string | null,
): Promise<void> {
  await database.query(FINISH, [lease.name, lease.token, error])
}

/** Ends a run that stopped without a failure, and continues there at a later time. */
export async function postponeRun(database: Queryable, lease: SourceLease, until: Date): Promise<void> {
  await database.query(
    `update connected_sources set lease_token = null, lease_until = null, lease_holder = null, due_at = $3
     where name = $1 and lease_token = $2`,
    [lease.name, lease.token, until],
  )
}

/**
 * The credential of a source, from the environment of this process.
 *
 * @throws {SourceFailure} when a variable is not set, or has not the required form
 */
export function readCredential(settings: SourceSettings, tokenUrl: string | undefined): Credential {
  if (settings.tokenEnv !== undefined) {
    return { kind: 'token', token: readVariable(settings.tokenEnv), variable: settings.tokenEnv }
  }
  const variable = settings.kind === 'reso' ? settings.clientCredentialsEnv : undefined
  if (variable === undefined) return { kind: 'none' }
  if (tokenUrl === undefined)
    throw new SourceFailure('The source has no --token-url, which client credentials need.')
  const secret = readVariable(variable)
  const [, clientId, clientSecret] = /^([^:\s]+):(\S+)$/.exec(secret.reveal()) ?? []
  if (clientId === undefined || clientSecret === undefined) {
    throw new SourceFailure(`The environment variable ${variable} needs the form client_id:client_secret.`)
  }
  return { kind: 'client', clientId, clientSecret: new Secret(clientSecret), tokenUrl, variable }
}

/**
 * The URL of a file, with its query from the environment of this process.
 *
 * @throws {SourceFailure} when the variable is not set
 */
export function fileUrl({ location, queryEnv }: FileSettings): URL {
  const url = new URL(location)
  if (queryEnv !== undefined) url.search = readVariable(queryEnv).reveal()
  return url
}

function readVariable(name: string) {
  const secret = readSecretVariable(name)
  if (secret === undefined) {
    throw new SourceFailure(
      `The environment variable ${name}, which the settings of the source name, is not set here.`,
    )
  }
  return secret
}
