// The figures of each plan. `pnpm generate` writes them into spec/schemas/PlanId.yaml and the guide on authentication.

export const PLANS = ['free', 'monthly', 'annual', 'custom'] as const
export type PlanId = (typeof PLANS)[number]

export interface PlanDefinition {
  /** The name that customers see, for example in a 429. */
  readonly title: string
  readonly creditsPerCycle: number
  /** The number of calls that each key may make per minute. */
  readonly rateLimitPerMinute: number
  /** null: it does not renew, and its credits are granted once in the life of an account. */
  readonly cycleMonths: 1 | 12 | null
  readonly topUps: boolean
  /** Lookups that may find nothing, for the account, in a minute and in 24 hours. */
  readonly failedLookupsPerMinute: number
  readonly failedLookupsPerDay: number
  /** Jobs of the account that are queued or running. */
  readonly maxOpenJobs: number
  /** Result rows, and bytes, of the account's jobs: at this limit, no further job is accepted. */
  readonly maxStoredRows: number
  readonly maxStoredBytes: number
  /** Watches of the account, and homes that one may match when it is created. */
  readonly maxWatches: number
  readonly maxWatchMatches: number
  /** Queries in an hour that the account's watches make to a remote data source. Above them, searches are made later. */
  readonly watchQueriesPerHour: number
}

/** For `custom`, the defaults of figures that the operator does not set. */
export const plans: Readonly<Record<PlanId, PlanDefinition>> = {
  free: {
    title: 'Free',
    creditsPerCycle: 100,
    rateLimitPerMinute: 20,
    cycleMonths: null,
    topUps: false,
    failedLookupsPerMinute: 20,
    failedLookupsPerDay: 500,
    maxOpenJobs: 20,
    maxStoredRows: 10_000,
    maxStoredBytes: 100_000_000,
    maxWatches: 5,
    maxWatchMatches: 100,
    watchQueriesPerHour: 500,
  },
  monthly: {
    title: 'Monthly',
    creditsPerCycle: 1000,
    rateLimitPerMinute: 200,
    cycleMonths: 1,
    topUps: true,
    failedLookupsPerMinute: 200,
    failedLookupsPerDay: 10_000,
    maxOpenJobs: 100,
    maxStoredRows: 500_000,
    maxStoredBytes: 5_000_000_000,
    maxWatches: 50,
    maxWatchMatches: 1_000,
    watchQueriesPerHour: 5_000,
  },
  annual: {
    title: 'Annual',
    creditsPerCycle: 12000,
    rateLimitPerMinute: 300,
    cycleMonths: 12,
    topUps: true,
    failedLookupsPerMinute: 300,
    failedLookupsPerDay: 20_000,
    maxOpenJobs: 200,
    maxStoredRows: 1_000_000,
    maxStoredBytes: 10_000_000_000,
    maxWatches: 200,
    maxWatchMatches: 5_000,
    watchQueriesPerHour: 20_000,
  },
  custom: {
    title: 'Custom',
    creditsPerCycle: 1000,
    rateLimitPerMinute: 300,
    cycleMonths: 1,
    topUps: true,
    failedLookupsPerMinute: 600,
    failedLookupsPerDay: 50_000,
    maxOpenJobs: 1_000,
    maxStoredRows: 10_000_000,
    maxStoredBytes: 100_000_000_000,
    maxWatches: 1_000,
    maxWatchMatches: 20_000,
    watchQueriesPerHour: 50_000,
  },
}
