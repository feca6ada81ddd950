// THE HOUSE: everything that exists in one process, built by hand in one place. The server and the `lotline` command
// share it; tests build one with other parts.

import type { Logger } from 'pino'
import { type Callers, createCallers } from './accounts/callers.ts'
import type { Config } from './config.ts'
import { createLedger, type Ledger } from './credits/ledger.ts'
import type { Database } from './database/database.ts'
import { createJobs, type Jobs } from './jobs/jobs.ts'
import type { PatienceOptions } from './jobs/patience.ts'
import { siteOrigin } from './listings/detail-url.ts'
import { createRecordCache, type RecordCache } from './listings/record-cache.ts'
import { createProvider } from './providers/create-provider.ts'
import { guardProvider } from './providers/guard/guard-provider.ts'
import type { Provider } from './providers/provider.ts'
import { createKeyQueues, type KeyQueues } from './traffic/key-queue.ts'
import { createRateWindows, type RateWindows } from './traffic/rate-windows.ts'
import { createWebhooks, type WebhookParts, type Webhooks } from './webhooks/webhooks.ts'

export interface House {
  readonly config: Config
  readonly log: Logger
  readonly database: Database
  readonly callers: Callers
  readonly ledger: Ledger
  readonly windows: RateWindows
  readonly queues: KeyQueues
  readonly provider: Provider
  readonly records: RecordCache
  readonly jobs: Jobs
  readonly webhooks: Webhooks
  /** Where the rows' `detailUrl` leads: the first of the listing hosts. */
  readonly siteOrigin: string
  /** Set when the process has been told to stop: /readyz says so, and no new work is begun. */
  stopping: boolean
}

/** What a test may bring instead of the real part. */
export interface Parts {
  readonly provider?: Provider
  /** Monotonic clock of the rate windows, in milliseconds. */
  readonly now?: () => number
  /** How long jobs wait for the provider. */
  readonly patience?: PatienceOptions
  /** Where webhooks are sent. */
  readonly network?: NonNullable<WebhookParts['network']>
}

export function buildHouse(config: Config, log: Logger, database: Database, parts: Parts = {}): House {
  const callers = createCallers(database)
  const provider = guardProvider(parts.provider ?? createProvider(config, database), {
    timeoutMs: config.providerTimeoutMs,
    onDropped: (count, fault) => log.warn({ count, fault }, 'provider sent listings that cannot be used'),
    onCircuit: (state) => log.warn({ state }, 'circuit of the provider changed'),
  })
  const records = createRecordCache(database, provider)
  const listings = { listingHosts: config.listingHosts, siteOrigin: siteOrigin(config.listingHosts) }
  const jobs = createJobs({
    ...{ database, log, provider, records, ...listings, ...config.jobs, onBalance: callers.noteBalance },
    ...(parts.patience && { patience: parts.patience }),
  })
  return {
    config,
    log,
    database,
    callers,
    ledger: createLedger(database, callers.noteBalance),
    windows: createRateWindows(database, parts.now),
    queues: createKeyQueues(),
    provider,
    records,
    jobs,
    webhooks: createWebhooks({ config, database, log, ...(parts.network && { network: parts.network }) }),
    siteOrigin: listings.siteOrigin,
    stopping: false,
  }
}
