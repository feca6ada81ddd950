// Gauges from the database: waiting jobs, the age of undelivered webhook events, and the findings of the last audit. Each statement reads
// an index that contains only open rows, so its cost does not grow over the years. The audit reads every posting, so its last result is
// shown here and it is not run here.

import { type HeldEntry, readHeld } from '../../../data/imports.ts'
import { findLookupsByPlan, type PlanLookups } from '../../../data/record-cache.ts'
import { readStatus, type SourceStatus } from '../../../data/replication.ts'
import { countUndos } from '../../../data/undo.ts'
import type { Database } from '../../../infrastructure/database.ts'
import { singleFlight } from '../../../infrastructure/platform.ts'
import { PLANS, plans } from '../../../money/accounts.ts'
import { findLastAudit } from '../../../money/credits.ts'
import { BOUNDS, findStorageByPlan, jobLimitsOf, type PlanStorage } from '../../../work/jobs.ts'
import { type OpenJobs, readQueues } from '../../../work/loop.ts'
import type { Families } from './families.ts'

/** The minimum interval of queries, however many clients read the metrics. */
const READ_EVERY_MS = 5_000

// Operators choose the names of sources, so only the latest ones become labels.
const SOURCES = `
  select name, extract(epoch from imported_at)::float8 as imported_at, read_rows, rejected_rows, warnings
  from listing_sources where emptied_at is null order by listing_sources.imported_at desc limit 50`

/** Operators connect a few sources; more would be too many labels. */
const MAX_CONNECTED = 50

interface ImportedSource {
  readonly name: string
  readonly imported_at: number
  readonly read_rows: number
  readonly rejected_rows: number
  readonly warnings: number
}

const KEPT_SINCE = `select extract(epoch from nullif(since, '-infinity'))::float8 as since from kept_books`

/** Returns a function that updates the gauges and never rejects. */
export function createDatabaseGauges(families: Families, database: Database): () => Promise<void> {
  let readAt = Number.NEGATIVE_INFINITY

  async function read(): Promise<void> {
    try {
      const [queues, audit, storage, lookups, sources, kept, connected, undos, held] = await Promise.all([
        readQueues(database),
        findLastAudit(database),
        findStorageByPlan(database),
        findLookupsByPlan(database),
        database.query<ImportedSource>(SOURCES),
        database.query<{ since: number | null }>(KEPT_SINCE),
        readStatus(database),
        countUndos(database),
        readHeld(database),
      ])
      const { jobs, outbox, watches, paused } = queues
      families.databaseUp.set(1)
      showJobs(families, jobs)
      showStorage(families, storage)
      showLookups(families, lookups)
      showSources(families, sources.rows)
      showConnected(families, connected)
      families.undoneImports.set(undos.imports)
      families.retractedEvents.set(undos.events)
      families.refundedEventCredits.set(undos.credits)
      showHeld(families, held)
      families.outbox.set(outbox.due)
      families.outboxLag.set(outbox.lag_seconds)
      families.watchChanges.set(watches.changes)
      families.watchesDue.set(watches.due)
      families.watchesPaused.reset()
      for (const { reason, count } of paused) families.watchesPaused.set({ reason }, count)
      families.keptSince.set(kept.rows[0]?.since ?? 0)
      if (audit) {
        families.auditDrift.set(audit.drifts)
        families.auditedAt.set(audit.endedAt.getTime() / 1000)
      }
    } catch {
      families.databaseUp.set(0)
      // Old values would look current.
      const { jobs, oldestJob, outbox, outboxLag, accountUse, accountUseLargest } = families
      const { watchChanges, watchesDue, watchesPaused } = families
      for (const stale of [jobs, oldestJob, outbox, outboxLag, accountUse, accountUseLargest]) stale.reset()
      for (const stale of [watchChanges, watchesDue, watchesPaused]) stale.reset()
    }
    readAt = performance.now()
  }

  const reading = singleFlight(read)

  return async () => {
    const { total, idle, waiting } = database.pool
    families.pool.set({ state: 'busy' }, total - idle)
    families.pool.set({ state: 'idle' }, idle)
    families.poolWaiting.set(waiting)
    if (performance.now() - readAt < READ_EVERY_MS) return
    await reading.run()
  }
}

function showJobs(families: Families, rows: readonly OpenJobs[]): void {
  families.jobs.reset()
  for (const { type, status, jobs } of rows) families.jobs.set({ type, status }, jobs)
  const queued = rows.filter(({ status }) => status === 'queued').map((row) => row.oldest_seconds)
  families.oldestJob.set(Math.max(0, ...queued))
}

function showSources(families: Families, sources: readonly ImportedSource[]): void {
  families.importedAt.reset()
  families.importedRows.reset()
  for (const { name: source, imported_at, read_rows, rejected_rows, warnings } of sources) {
    families.importedAt.set({ source }, imported_at)
    families.importedRows.set({ source, outcome: 'read' }, read_rows)
    families.importedRows.set({ source, outcome: 'rejected' }, rejected_rows)
    families.importedRows.set({ source, outcome: 'warning' }, warnings)
  }
}

/** Few: each source has at most one. */
function showHeld({ importsHeld }: Families, held: readonly HeldEntry[]): void {
  importsHeld.reset()
  for (const source of new Set(held.flatMap(({ sources }) => sources))) importsHeld.set({ source }, 1)
}

function showConnected(families: Families, connected: readonly SourceStatus[]): void {
  const {
    sourceLag,
    sourceFailures,
    sourceRecords,
    sourceCountDifference,
    sourceSweepRefused,
    sourceUnknownLookups,
    sourceQuotaUsed,
    sourceQuotaLimit,
  } = families
  const all = [
    sourceLag,
    sourceFailures,
    sourceRecords,
    sourceCountDifference,
    sourceSweepRefused,
    sourceUnknownLookups,
    sourceQuotaUsed,
    sourceQuotaLimit,
  ]
  for (const gauge of all) gauge.reset()
  for (const { source: row, lagSeconds, quotas } of connected.slice(0, MAX_CONNECTED)) {
    const { name: source, counts } = row
    if (lagSeconds !== null) sourceLag.set({ source }, lagSeconds)
    sourceFailures.set({ source }, row.failures)
    sourceSweepRefused.set({ source }, row.sweepError === null ? 0 : 1)
    if (row.missingRecords !== null)
      sourceCountDifference.set({ source, kind: 'missing' }, row.missingRecords)
    if (row.surplusRecords !== null)
      sourceCountDifference.set({ source, kind: 'surplus' }, row.surplusRecords)
    sourceUnknownLookups.set({ source }, counts.unknown_lookups ?? 0)
    for (const state of ['records', 'withdrawn', 'withheld', 'rejected', 'linked'] as const) {
      sourceRecords.set({ source, state: state === 'records' ? 'listed' : state }, counts[state] ?? 0)
    }
    for (const { window, unit, used, limit } of quotas) {
      sourceQuotaUsed.set({ source, unit, window }, used)
      sourceQuotaLimit.set({ source, unit, window }, limit)
    }
  }
}

function showStorage(families: Families, storage: readonly PlanStorage[]): void {
  for (const { plan, used, largest } of storage) {
    for (const bound of BOUNDS) {
      families.accountUse.set({ plan, bound }, used[bound])
      families.accountUseLargest.set({ plan, bound }, largest[bound])
      families.accountLimit.set({ plan, bound }, jobLimitsOf(plan)[bound])
    }
  }
}

function showLookups(families: Families, lookups: readonly PlanLookups[]): void {
  for (const plan of PLANS) {
    const found = lookups.find((one) => one.plan === plan)
    const limits = { minute: plans[plan].failedLookupsPerMinute, day: plans[plan].failedLookupsPerDay }
    for (const window of ['minute', 'day'] as const) {
      const labels = { plan, bound: `failed_lookups_${window}` }
      families.accountUse.set(labels, found?.used[window] ?? 0)
      families.accountUseLargest.set(labels, found?.largest[window] ?? 0)
      families.accountLimit.set(labels, limits[window])
    }
  }
}
