// The metrics of one process, for Prometheus. Counting costs each call some microseconds and no I/O. Values from the database are queried
// only when the metrics are read, and at most every few seconds (database-gauges.ts).

import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Config } from '../../../infrastructure/config.ts'
import type { Database } from '../../../infrastructure/database.ts'
import type { AttemptOutcome, Observer, ReportEnd } from '../../../infrastructure/platform.ts'
import { createDatabaseGauges } from './database-gauges.ts'
import { createFamilies } from './families.ts'
import type { HistogramSeries } from './series.ts'

export interface Metrics {
  /** Receives the measurements. */
  readonly observer: Observer
  /** The text exposition format. Never fails because of the database: without it, its gauges are missing. */
  read(): Promise<{ readonly text: string; readonly contentType: string }>
}

/** The status of a request whose client disconnected. */
const LEFT = '499'
const METHODS = new Set(['GET', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PUT', 'PATCH'])

export function createMetrics(
  config: Pick<Config, 'role' | 'provider' | 'standIns'>,
  database: Database,
  /** Returns the share of keys whose calls can be admitted; called with each read. */
  admittedShare: () => number = () => 1,
  /** Returns the bytes held by calls that wait for their key's slot. */
  waitingBytes: () => number = () => 0,
): Metrics {
  const registry = new Registry()
  const families = createFamilies(registry)
  const { requests, admissions, refusals, settle, provider, attempts } = families
  families.circuit.set(0)
  const kinds = [config.provider, ...config.standIns].map(({ kind }) => kind)
  families.info.set({ role: config.role, provider: kinds.join(','), node: process.version }, 1)
  const readDatabase = createDatabaseGauges(families, database)
  let watchesProcess = false

  /** Starts a timer that records to a histogram whose only label is `outcome`. */
  const timed =
    <O extends string>(histogram: HistogramSeries) =>
    (): ReportEnd<O> => {
      const from = performance.now()
      return (outcome) => histogram.record(secondsSince(from), outcome)
    }

  const observer: Observer = {
    requestOver({ method, route = 'none', status, code, admitted, ms }) {
      const known = METHODS.has(method) ? method : 'other'
      requests.record(ms / 1000, known, route, status === undefined ? LEFT : String(status))
      if (admitted !== undefined) admissions.add(1, admitted ? 'admitted' : (code ?? 'left'))
      if (code !== undefined) refusals.add(1, code)
    },
    unreadableRequest: () => families.unreadable.inc(),
    guessRefused: () => families.guesses.inc(),
    oauth: (event) => families.oauth.inc({ event }),
    paymentEvent: (outcome) => families.paymentEvents.inc({ outcome }),
    journalWritten: (ok) => families.journalFailing.set(ok ? 0 : 1),
    waitForSlot: timed(families.slotWait),
    settle: timed(settle),
    settledGroup(calls, ms) {
      families.groupCalls.record(calls)
      families.groupSeconds.record(ms / 1000)
    },
    charged: (operation, credits) => families.credits.add(credits, operation),
    recordFound: (where) => families.records.add(1, where),
    waitForProvider(background) {
      const from = performance.now()
      const labels = { class: background ? 'job' : 'call' } as const
      return (outcome) => families.providerWait.observe({ ...labels, outcome }, secondsSince(from))
    },
    askProvider(query) {
      const from = performance.now()
      return (outcome) => provider.observe({ query, outcome }, secondsSince(from))
    },
    providerDropped: (rows) => families.dropped.inc(rows),
    fellBack: () => families.fallbacks.inc(),
    searchedOnReplica: (outcome) => families.replicaSearches.inc({ outcome }),
    circuit: (state) => families.circuit.set(state === 'open' ? 1 : 0),
    async runJob(type, run) {
      const from = performance.now()
      const end = (outcome: string) => families.jobRuns.observe({ type, outcome }, secondsSince(from))
      try {
        const outcome = await run()
        end(String(outcome))
        return outcome
      } catch (error) {
        end('broken')
        throw error
      }
    },
    jobEnded: (operation, status) => families.jobsEnded.inc({ operation, status }),
    attemptWebhook() {
      const from = performance.now()
      return (outcome: AttemptOutcome) => attempts.observe({ outcome }, secondsSince(from))
    },
    watchEvents(lagSeconds) {
      for (const seconds of lagSeconds) families.watchLag.record(seconds)
    },
    watchesEvaluated: (outcome, ms) => families.watchEvaluations.record(ms / 1000, outcome),
    watchFailed: () => families.watchFailures.inc(),
    mail: (kind, outcome) => families.mails.inc({ kind, outcome }),
    watchSubscriber: (event) => families.watchSubscribers.inc({ event }),
    watchScanned: (outcome, ms) => families.watchScans.observe({ outcome }, ms / 1000),
  }

  return {
    observer,
    async read() {
      // Node's default metrics cost a timer and a garbage collection hook, so they start with the first read.
      if (!watchesProcess) collectDefaultMetrics({ register: registry })
      watchesProcess = true
      if (config.role !== 'worker') families.limitsAvailable.set(admittedShare())
      families.waitingBytes.set(waitingBytes())
      await readDatabase()
      return { text: await registry.metrics(), contentType: registry.contentType }
    },
  }
}

function secondsSince(from: number): number {
  return (performance.now() - from) / 1000
}
