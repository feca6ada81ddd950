// The composition root: builds all components of a process that serves calls or runs jobs. Tests build it with other parts. The `lotline`
// command does not use it: it calls the domain functions with a database.
// Why: decisions/process/no-app-below-process.md

import type { Logger } from 'pino'
import { boxesOfState, findZipBoxes } from '../data/places.ts'
import {
  countUnpaidSearches,
  createLookupBudget,
  createLookups,
  createRecordCache,
  type LookupBudget,
  type RecordCache,
  rememberMisses,
} from '../data/record-cache.ts'
import {
  type AddressBoxes,
  type BreakerState,
  type Cursors,
  createCursors,
  createDatasetProvider,
  createHttpProvider,
  createPublicNames,
  createSourceDirectory,
  firstOf,
  makeResilient,
  type Provider,
  type ReadReplica,
  type SourceDirectory,
  type StandInProvider,
  searchInAreas,
  searchOnReplica,
  withStandIns,
} from '../data/sources.ts'
import { type ListingSites, listingSites } from '../domain/site-urls.ts'
import type { Config, ProviderConfig } from '../infrastructure/config.ts'
import {
  createDatabaseClock,
  createSignedCursors,
  type Database,
  type DatabaseClock,
  type SignedCursors,
} from '../infrastructure/database.ts'
import { createMailer, type Mailer } from '../infrastructure/mail.ts'
import type { Network } from '../infrastructure/net.ts'
import type { Observer, Secret } from '../infrastructure/platform.ts'
import {
  createFailedKeys,
  createKeyUse,
  createMessageLimit,
  createPortalSessions,
  createPrincipals,
  createProviderUsage,
  createVisitorLimits,
  type FailedKeys,
  type KeyUse,
  type MessageLimit,
  type PlanId,
  type PortalSessions,
  type Principals,
  type ProviderUsage,
  plans,
  type VisitorLimits,
} from '../money/accounts.ts'
import { type Billing, createBilling, readPriceList } from '../money/billing.ts'
import { createLedger, type Ledger } from '../money/credits.ts'
import {
  createKeyQueues,
  createMemoryLimits,
  createWaitingInputs,
  type KeyQueues,
  type Limits,
  type RateWindows,
  type WaitingInputs,
} from '../money/limits.ts'
import {
  createExternalTokens,
  type ExternalIssuer,
  type ExternalTokens,
  mcpResourceUrl,
} from '../money/oauth.ts'
import { createRunOnce, type RunOnce } from '../work/idempotency.ts'
import { createJobs, type Jobs, type ProviderRetryOptions } from '../work/jobs.ts'
import { createWatches, type Watches } from '../work/watches.ts'
import { createSecretBox, createWebhooks, type WebhookParts, type Webhooks } from '../work/webhooks.ts'
import { createMetrics, type Metrics } from './telemetry/metrics/metrics.ts'

export interface App {
  readonly config: Config
  readonly log: Logger
  readonly database: Database
  readonly clock: DatabaseClock
  readonly principals: Principals
  readonly ledger: Ledger
  readonly limits: Limits
  readonly windows: RateWindows
  readonly queues: KeyQueues
  /** Memory that waiting calls hold in this process. */
  readonly waiting: WaitingInputs
  readonly provider: StandInProvider
  readonly records: RecordCache
  /** Failed-lookup budgets of the accounts. */
  readonly budget: LookupBudget
  /** The circuit breakers of this process, by provider name. */
  readonly breakers: ReadonlyMap<string, BreakerState>
  readonly cursors: Cursors
  /** Attribution of sources in responses. */
  readonly sources: SourceDirectory
  /** Cursors of lists that are sorted by time. */
  readonly listCursors: SignedCursors
  readonly jobs: Jobs
  readonly watches: Watches
  readonly webhooks: Webhooks
  /** Calls that create something, with their Idempotency-Key. */
  readonly once: RunOnce
  /** Dials addresses that customers choose. */
  readonly network: Network
  /** undefined: this service sends no mail. */
  readonly mailer: Mailer | undefined
  readonly metrics: Metrics
  /** Plans and packs for sale. undefined: none. */
  readonly billing: Billing | undefined
  /**
   * The queue of a key's requests to pages of plans and payment, which do not pass the engine and its limit of one call for each key.
   * Without it, the requests of one session could take all database connections of the process.
   */
  readonly billingQueues: KeyQueues
  /** Sessions of the portal. */
  readonly portalSessions: PortalSessions
  readonly failedKeys: FailedKeys
  /** Access tokens of OAUTH_ISSUER. undefined: it is not configured. */
  readonly externalTokens: ExternalTokens | undefined
  /** Limits by source address at the portal and OAuth. */
  readonly visitorLimits: VisitorLimits
  /** The limit by key on messages to /mcp other than tool calls. */
  readonly messageLimit: MessageLimit
  readonly providerUsage: ProviderUsage
  /** Last-use times of keys. */
  readonly keyUse: KeyUse
  /** Receives measurements, for the metrics and, if enabled, for traces. */
  readonly observer: Observer
  /** The listing sites: their URLs are accepted, and the rows' `detailUrl` leads to them. */
  readonly sites: ListingSites
  /** Set when the process is asked to stop: /readyz reports it, and no new work begins. */
  stopping: boolean
  /** The demo key of the first start, for the reference on this machine. Set once, at the start. */
  demoKey: Secret | undefined
}

/** Replacements of built parts: parts that the start has already opened, or fakes of a test. */
export interface AppParts {
  readonly provider?: Provider
  /** The replica that is searched if it is up to date. Default: the database is searched. */
  readonly replica?: ReadReplica | undefined
  /** The store of the rate limits. Default: the memory of this process, for a single process. */
  readonly limits?: Limits | undefined
  /** Monotonic clock of the rate windows, in milliseconds. */
  readonly now?: () => number
  /** Monotonic clock of the keys of OAUTH_ISSUER, in milliseconds. */
  readonly issuerNow?: () => number
  /** Maximum memory of waiting calls, in bytes. Default: 64 MiB. */
  readonly maxWaitingBytes?: number
  /** How long jobs retry the provider. */
  readonly providerRetry?: ProviderRetryOptions
  /** The limit on failed authentication by source address. */
  readonly failedKeys?: FailedKeys | undefined
  /** Limits by source address at the portal and OAuth. */
  readonly visitorLimits?: VisitorLimits | undefined
  /** The limit by key on messages to /mcp other than tool calls. */
  readonly messageLimit?: MessageLimit | undefined
  /** Timeout of one request to Stripe, in milliseconds. Default: 10 seconds. */
  readonly stripeTimeoutMs?: number
  /** Maximum concurrent jobs of one process. */
  readonly jobsAtATime?: number
  /** Replaces the network of webhooks. */
  readonly network?: NonNullable<WebhookParts['network']>
  /** The mail sender. Default: the server in SMTP_URL. */
  readonly mailer?: Mailer | undefined
  /** Wraps the metrics' observer to record traces as well. */
  readonly watch?: (metrics: Observer) => Observer
}

/** @throws {ConfigError} if the price list cannot be used */
export function buildApp(config: Config, log: Logger, database: Database, parts: AppParts = {}): App {
  const prices = config.billing && readPriceList(config.billing.file)
  const waiting = createWaitingInputs(parts.maxWaitingBytes)
  const metrics = createMetrics(
    config,
    database,
    () => Number(limits.available),
    () => waiting.bytes,
  )
  const observer = parts.watch?.(metrics.observer) ?? metrics.observer
  const principals = createPrincipals(database)
  const listCursors = createSignedCursors(database)
  const limits = parts.limits ?? createMemoryLimits(database, { now: parts.now })
  const providerUsage = createProviderUsage(database)
  const { replica } = parts
  const searched = (one: ProviderConfig): Provider => {
    const own = createProvider(one, database)
    return replica && one.kind === 'dataset'
      ? searchOnReplica(own, { primary: database, replica, log, observer })
      : own
  }
  const sources = parts.provider ? [parts.provider] : [config.provider, ...config.standIns].map(searched)
  const breakers = new Map<string, BreakerState>(
    sources.map(({ name }) => [name, { state: 'closed', changedAt: undefined }]),
  )
  const guarded = sources.map((source, at) =>
    makeResilient(source, {
      // All providers together share the time of one call.
      timeoutMs: config.providerTimeoutMs / sources.length,
      observer,
      onQuery: providerUsage.count,
      onDropped(count, fault) {
        observer.providerDropped(count)
        log.warn({ count, fault }, 'the provider sent unusable listings')
      },
      onCircuit(state) {
        breakers.set(source.name, { state, changedAt: new Date() })
        // The metric has no label: it is about the preferred provider.
        if (at === 0) observer.circuit(state)
        log.warn({ state, provider: source.name }, "the provider's circuit breaker changed its state")
      },
    }),
  )
  const budget = createLookupBudget(database, plans)
  const addressBoxes: AddressBoxes = {
    ofState: boxesOfState,
    ofZips: (zips) => findZipBoxes(database, zips),
  }
  // A search uses one provider for all its queries.
  const asked = withStandIns(
    guarded.map((one) => searchInAreas(countUnpaidSearches(one, budget), addressBoxes)),
    (name, failure) => {
      observer.fellBack()
      log.warn({ provider: name, err: failure }, 'another provider answered')
    },
  )
  const lookups = createLookups(database, asked, observer, budget)
  const provider = rememberMisses(asked, lookups)
  const publicName = createPublicNames(config.sourceAliases)
  const records = createRecordCache(database, asked, {
    observer,
    lookups,
    publicName,
    timeoutMs: config.providerTimeoutMs,
  })
  const mailer = parts.mailer ?? (config.mail && createMailer(config.mail, { log, observer }))
  const sites = listingSites(config.listingHosts, config.listingUrlTemplate)
  const directory = createSourceDirectory(asked.name, publicName)
  const jobs = createJobs({
    database,
    log,
    provider,
    records,
    budget,
    sites,
    sources: directory,
    ...config.jobs,
    onBalance: principals.updateBalance,
    observer,
    ...(parts.providerRetry && { providerRetry: parts.providerRetry }),
    atATime: parts.jobsAtATime,
  })
  return {
    config,
    log,
    database,
    clock: createDatabaseClock(database),
    principals,
    ledger: createLedger(database, principals.updateBalance, observer),
    limits,
    windows: limits.windows,
    queues: limits.queues,
    waiting,
    provider,
    records,
    budget,
    breakers,
    cursors: createCursors(listCursors),
    listCursors,
    sources: directory,
    jobs,
    watches: createWatches({
      database,
      log,
      observer,
      provider: firstOf(provider),
      view: { sites, publicName },
      // Settings with a mail server have a public URL.
      mail:
        mailer && config.publicUrl !== undefined
          ? {
              mailer,
              publicUrl: config.publicUrl,
              mails: () => import('@lotline/portal/mails'),
              signer: listCursors,
            }
          : undefined,
      isRemote: config.provider.kind !== 'dataset',
      limitsOf(plan) {
        const { maxWatchMatches: matches, watchQueriesPerHour: queriesPerHour } = plans[plan as PlanId]
        return { matches, queriesPerHour }
      },
    }),
    network: { allowPrivateNetworks: config.webhooks.allowPrivateNetworks, ...parts.network },
    once: createRunOnce(database, createSecretBox(config)),
    webhooks: createWebhooks({
      config,
      database,
      log,
      observer,
      ...(parts.network && { network: parts.network }),
    }),
    mailer,
    metrics,
    billing:
      prices &&
      createBilling({
        database,
        log,
        observer,
        prices,
        stripe: config.billing?.stripe,
        stripeTimeoutMs: parts.stripeTimeoutMs,
      }),
    billingQueues: createKeyQueues(),
    portalSessions: createPortalSessions(database),
    providerUsage,
    keyUse: createKeyUse(database),
    failedKeys: parts.failedKeys ?? createFailedKeys(),
    externalTokens: openExternalTokens(config, { log, database, observer }, parts),
    visitorLimits: parts.visitorLimits ?? createVisitorLimits(),
    messageLimit: parts.messageLimit ?? createMessageLimit(),
    observer,
    sites,
    stopping: false,
    demoKey: undefined,
  }
}

function openExternalTokens(
  { oauthIssuer, publicUrl }: Config,
  { log, database, observer }: Pick<App, 'log' | 'database' | 'observer'>,
  { network, issuerNow }: AppParts,
): ExternalTokens | undefined {
  if (!oauthIssuer) return undefined
  const { issuer, allowPrivateNetworks } = oauthIssuer
  // Loaded with the first token.
  let loading: Promise<ExternalIssuer> | undefined
  const load = () => {
    loading ??= import('../money/external-issuer.ts').then(({ createExternalIssuer }) =>
      createExternalIssuer({
        issuer,
        audience: mcpResourceUrl(publicUrl!),
        now: issuerNow,
        network: { ...network, allowPrivateNetworks },
        onProblem: (error) => log.warn({ err: error, issuer }, 'the external authorization server failed'),
      }),
    )
    return loading
  }
  return createExternalTokens(database, load, (event) => observer.oauth(event))
}

/** The operator's provider without resilience; the caller wraps it in `makeResilient`. */
function createProvider(provider: ProviderConfig, database: Database): Provider {
  switch (provider.kind) {
    case 'dataset':
      return createDatasetProvider(database)
    case 'http':
      return createHttpProvider(provider)
  }
}
