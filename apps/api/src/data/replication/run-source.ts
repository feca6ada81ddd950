// A run of a connected source: a process claims a source that is due, reads it, and releases it. One process at a time reads a source.

import { type Dictionary, OverridesFault, readOverrides } from '../../domain/reso.ts'
import type { Database } from '../../infrastructure/database.ts'
import { keepLease } from '../../infrastructure/platform.ts'
import { ImportHeld } from '../imports/hold-import.ts'
import { tidyListings } from '../ingest/import-listings.ts'
import { toListing } from '../ingest/reso/to-listing.ts'
import { ImportFailure } from '../ingest/source-row.ts'
import { findTypesAt } from '../listings/contract-types.ts'
import { recordCounts } from '../listings/listing-source.ts'
import type { FeedRun, RunTotal } from './apply-page.ts'
import { CallsExhausted } from './call-limiter.ts'
import { DownloadUnderWay, importFeedFile } from './file-source.ts'
import { beginRun, endRun } from './hold-run.ts'
import { type Profile, profileOf } from './profiles.ts'
import { replicate } from './replicate.ts'
import type { FeedRecord } from './reso-feed.ts'
import { readAbilities } from './server-abilities.ts'
import { writeCounts } from './source-status.ts'
import {
  type ConnectedSource,
  claimSource,
  finishRun,
  LEASE_MS,
  postponeRun,
  type ResoSettings,
  readCredential,
  renewLease,
  SourceFailure,
  type SourceLease,
  SourceLost,
} from './source-store.ts'
import { FeedFailure, openUpstream, type Upstream, type UpstreamOptions } from './upstream.ts'

export interface SyncOptions {
  /** Reads everything again, and sweeps the keys. */
  readonly full?: boolean
  /** This many homes may go off the market in any case. */
  readonly allowRemovals?: number
  readonly onPage?: (total: RunTotal) => void
  readonly signal?: AbortSignal
  /** Milliseconds between the attempts of a call. Default: from 1 s on. */
  readonly retryMs?: readonly number[]
  /** Milliseconds until a feed's server must answer. Default: a minute. */
  readonly idleTimeoutMs?: number
  /** Maximum compressed bytes of a file. Default: 8 GB. */
  readonly maxFileBytes?: number
  /** Milliseconds for the download of a file. Default: 6 hours. */
  readonly downloadLimitMs?: number
  /** DATA_DIR, which keeps a downloaded file until it is imported. */
  readonly dataDir?: string
}

export type SyncResult =
  | { readonly outcome: 'synced'; readonly name: string; readonly total: RunTotal }
  /**
   * The limits of the server allow no call before `until`, or this process is busy with another file. The changes so far stay, and the next
   * run continues there.
   */
  | { readonly outcome: 'postponed'; readonly name: string; readonly until: Date }
  | { readonly outcome: 'failed'; readonly name: string; readonly reason: string; readonly error: unknown }
  /** Another process has the source. */
  | { readonly outcome: 'busy'; readonly name: string }

/** A run that has changed more listings than this updates the statistics. */
const TIDY_AFTER = 1_000

/** Synchronizes the named source, or a source that is due. undefined: none is due. */
export async function syncSource(
  database: Database,
  name: string | undefined,
  options: SyncOptions = {},
): Promise<SyncResult | undefined> {
  const heldFrom = performance.now()
  const claimed = await claimSource(database, name)
  if (!claimed) return name === undefined ? undefined : { outcome: 'busy', name }
  const { source, lease } = claimed
  const kept = keepLease({
    leaseMs: LEASE_MS,
    heldFrom,
    renew: () => renewLease(database, lease).then(() => true),
    onError(error) {
      if (error instanceof SourceLost) kept.lose(error)
    },
  })
  const signal = options.signal ? AbortSignal.any([options.signal, kept.signal]) : kept.signal
  try {
    const total = await run(database, source, lease, { ...options, signal })
    await finishRun(database, lease, null)
    if (total.inserted + total.updated + total.withdrawn > TIDY_AFTER) await tidyListings(database)
    return { outcome: 'synced', name: source.name, total }
  } catch (error) {
    return await end(database, lease, options.signal?.aborted ? new SyncInterrupted() : error)
  } finally {
    await kept.stop()
    await writeCounts(database, source.name).catch(() => {
      // These are figures for the metrics. The next run writes them.
    })
  }
}

/** This process is stopping. */
class SyncInterrupted extends Error {}

async function end(database: Database, lease: SourceLease, error: unknown): Promise<SyncResult> {
  const { name } = lease
  if (error instanceof SourceLost) return { outcome: 'busy', name }
  if (
    error instanceof CallsExhausted ||
    error instanceof DownloadUnderWay ||
    error instanceof SyncInterrupted
  ) {
    const until = error instanceof SyncInterrupted ? new Date() : error.retryAt
    await postponeRun(database, lease, until)
    return { outcome: 'postponed', name, until }
  }
  const reason = reasonOf(error)
  await finishRun(database, lease, reason)
  return { outcome: 'failed', name, reason, error }
}

/** The reason in one line. Messages of unknown errors may quote values of records. */
function reasonOf(error: unknown): string {
  const isPlain =
    error instanceof FeedFailure ||
    error instanceof SourceFailure ||
    error instanceof ImportFailure ||
    error instanceof ImportHeld ||
    error instanceof OverridesFault
  if (isPlain) return error.message
  return `an error of the service (${error instanceof Error ? error.name : 'unknown'}); the log has it`
}

async function run(
  database: Database,
  source: ConnectedSource,
  lease: SourceLease,
  {
    full = false,
    allowRemovals = 0,
    onPage = () => {},
    signal,
    retryMs,
    idleTimeoutMs,
    maxFileBytes,
    downloadLimitMs,
    dataDir,
  }: SyncOptions & { readonly signal: AbortSignal },
): Promise<RunTotal> {
  const { settings } = source
  if (settings.kind === 'file') {
    return importFeedFile({
      database,
      lease,
      source,
      settings,
      full,
      allowRemovals,
      signal,
      ...(maxFileBytes !== undefined && { maxBytes: maxFileBytes }),
      ...(downloadLimitMs !== undefined && { downloadLimitMs }),
      ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
      ...(dataDir !== undefined && { dataDir }),
    })
  }
  const { upstream, profile } = openFeed(database, settings, {
    ...(retryMs && { retryMs }),
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
  })
  try {
    await database.query('update connected_sources set credential = $2 where name = $1', [
      source.name,
      upstream.credentialName,
    ])
    const entry = await beginRun(database, source.name, allowRemovals)
    const total = await replicate({
      database,
      lease,
      upstream,
      settings,
      profile,
      signal,
      full,
      allowRemovals,
      onPage,
      entry,
      toListing: listingReader(source.name, settings, profile),
      abilities: await readAbilities(database, source.name),
      maySweepForSurplus: Date.now() - (source.sweptAt ?? source.createdAt).getTime() > SURPLUS_SWEEP_MS,
      sweepIsDue:
        source.sweeping ||
        // A record that leaves the filter is not reported as deleted.
        (profile.deletions === 'swept' || settings.filter !== undefined
          ? isSweepDue(source, profile)
          : await mayLackDeletions(database, source)),
    } satisfies FeedRun)
    await endRun(database, source.name, entry)
    // The pages have recorded their own counts; `listings stats` shows the run.
    if (total.read > 0) {
      await recordCounts(database, source.name, total)
    }
    return total
  } finally {
    await upstream.close()
  }
}

/** A sweep for a record that the feed does not count any more waits this long after the last sweep: it reads all keys. */
const SURPLUS_SWEEP_MS = 60 * 60_000
/** Feeds report a deletion for seven days. */
const REPORTED_MS = 6 * 24 * 60 * 60_000
/** A server that skips a number of records may miss some while others change, so keys are read at least once a week. */
const SWEPT_MS = 7 * 24 * 60 * 60_000

/** Whether a feed that reports deletions may have reported one while no run read it, or its keys were not read for a week. */
async function mayLackDeletions(
  database: Database,
  { name, syncedAt, sweptAt, createdAt }: ConnectedSource,
): Promise<boolean> {
  if (syncedAt !== null) {
    if (Date.now() - syncedAt.getTime() > REPORTED_MS) return true
    return Date.now() - (sweptAt ?? createdAt).getTime() > SWEPT_MS
  }
  // Before the first run, there are the homes of an earlier source of this name, or none.
  const { rows } = await database.query<{ due: boolean }>(
    `select exists (select from source_records where source = $1 and state <> 'withdrawn') as due`,
    [name],
  )
  return rows[0]!.due
}

/** The first sweep is made as long after the source was added as sweeps are apart. */
function isSweepDue({ sweepDueAt, createdAt }: ConnectedSource, { sweepEverySeconds }: Profile): boolean {
  const due = sweepDueAt?.getTime() ?? createdAt.getTime() + sweepEverySeconds * 1_000
  return due <= Date.now()
}

/** @throws {SourceFailure} when its credential is not in the environment of this process */
export function openFeed(
  database: Database,
  settings: ResoSettings,
  times: Pick<UpstreamOptions, 'retryMs' | 'idleTimeoutMs'> = {},
): { readonly upstream: Upstream; readonly profile: Profile } {
  const profile = profileOf(settings)
  const tokenUrl =
    settings.tokenUrl ??
    (profile.tokenPath === undefined ? undefined : new URL(profile.tokenPath, settings.url).href)
  const credential = readCredential(settings, tokenUrl)
  const upstream = openUpstream({
    database,
    url: settings.url,
    credential,
    profile,
    ...times,
  })
  return { upstream, profile }
}

/** Converts the records of a source. */
export function listingReader(name: string, settings: ResoSettings, profile: Profile) {
  const { authority, notice, use } = settings
  const overrides =
    settings.overrides === undefined
      ? undefined
      : parseOverrides(settings.overrides, `the overrides of ${name}`)
  const options = {
    profile,
    source: {
      name,
      ...(authority !== undefined && { authority }),
      ...(notice !== undefined && { notice }),
      ...(use !== undefined && { use }),
    },
    ...(overrides !== undefined && { overrides }),
  }
  return (record: FeedRecord) => toListing(record, options)
}

/** @throws {OverridesFault} when the text is no file of overrides */
export function parseOverrides(yaml: string, name: string): Dictionary {
  return readOverrides(yaml, name, (path) => findTypesAt(path) !== undefined)
}
