// The console's access to the service: the same functions that the `lotline` command uses, with the name of the signed-in operator. Each
// change is recorded in the trail in its own transaction (operator/).

import type { ConsoleApi } from '@lotline/portal/console'
import { listImports } from '../../data/listings.ts'
import { listRejected, readStatus } from '../../data/replication.ts'
import { type BreakerState, countQuickly, type StandInProvider, sampleHomes } from '../../data/sources.ts'
import { type Database, isTimeout } from '../../infrastructure/database.ts'
import {
  findAccount,
  listAccounts,
  listKeys,
  listQueriesByHour,
  type PlanId,
  plans,
} from '../../money/accounts.ts'
import { explainClosedPurchase, listPurchases, type PurchaseDecision } from '../../money/billing.ts'
import { listLatestCalls, listPostings, MAX_REASON_LENGTH, renewIfDue } from '../../money/credits.ts'
import {
  approveCredits,
  approveOrder,
  type CreditDecision,
  createAccount,
  isOwnRequest,
  listOperators,
  listPendingCredits,
  listSessions,
  type Operator,
  type OperatorSession,
  type PendingCredits,
  readAudits,
  readConsoleAccess,
  readTrail,
  refuseCredits,
  refuseOrder,
  revokeSessions,
  setPlan,
  setStatus,
  topUpAccount,
  waitsForApproval,
} from '../../money/operator.ts'
import { listLiveJobs } from '../../work/jobs.ts'
import { readQueues } from '../../work/loop.ts'
import { listFailingWebhooks } from '../../work/webhooks.ts'
import type { AuditRunner } from './audit-runner.ts'
import { SHARED_MS, shared, withBounds } from './bounded-reads.ts'
import { done, once, refused } from './change-result.ts'
import { createImportsApi, type ImportsApiFor } from './imports-api.ts'

export interface ConsoleApiDeps {
  readonly breakers: ReadonlyMap<string, BreakerState>
  readonly database: Database
  readonly provider: StandInProvider
}

/** Rows of each list on the page of an account. */
const LATEST = 20

const MAX_IMPORTS = 50
/** Rejected rows of one source, and approximately of all sources together. Each source has at least two. */
const MAX_REJECTED_OF_SOURCE = 20
const MAX_REJECTED = 200
const MAX_HOMES = 2_000
const MAX_LIVE_JOBS = 50
const MAX_WEBHOOKS = 100
const MAX_AUDITS = 10

const NO_ACCOUNT = 'There is no such account.'

/**
 * Created once for a process; the returned function takes the session of the signed-in operator. @param sharedMs maximum age of the figures of
 * the data set, the queues, and the webhooks, in milliseconds
 */
export function createConsoleApi(
  deps: ConsoleApiDeps,
  audits: AuditRunner,
  sharedMs = SHARED_MS,
): (session: ConsoleActor) => ConsoleApi {
  const database = withBounds(deps.database)
  const readings = {
    dataSet: shared(() => readDataSet(database), sharedMs),
    queues: shared(async () => {
      const [queues, live] = await Promise.all([readQueues(database), listLiveJobs(database, MAX_LIVE_JOBS)])
      return { ...queues, live }
    }, sharedMs),
    webhooks: shared(() => listFailingWebhooks(database, MAX_WEBHOOKS), sharedMs),
  }
  const imports = createImportsApi(database, deps.database)
  return (session) => apiOf({ deps, database, audits, imports, readings }, session)
}

/** The operator of a session. */
export type ConsoleActor = Pick<OperatorSession, 'operator' | 'operatorId' | 'role' | 'signIn'>

interface ConsoleApiParts {
  readonly deps: ConsoleApiDeps
  readonly database: Database
  readonly audits: AuditRunner
  readonly imports: ImportsApiFor
  readonly readings: {
    dataSet(): ReturnType<ConsoleApi['readDataSet']>
    queues(): ReturnType<ConsoleApi['readQueues']>
    webhooks(): ReturnType<ConsoleApi['readFailingWebhooks']>
  }
}

function apiOf(
  { deps, database, audits, imports, readings }: ConsoleApiParts,
  session: ConsoleActor,
): ConsoleApi {
  const { operator: name, operatorId, role, signIn } = session
  const by = (form: string): Operator => ({ name, via: 'console', form, operatorId, role, signIn })
  return {
    plans: Object.entries(plans).map(([id, plan]) => ({ id, ...plan })),
    maxReasonLength: MAX_REASON_LENGTH,

    findAccounts: ({ text, plan, status, limit }) =>
      listAccounts(database, {
        limit,
        ...(text !== '' && { text }),
        ...(plan !== '' && { plan: plan as PlanId }),
        ...(status !== '' && { status: status as 'active' | 'suspended' }),
      }).catch((error) => {
        if (!isTimeout(error)) throw error
        return undefined
      }),

    async getAccount(id) {
      // The next call of the account renews a cycle that has ended. This shows the account as of that renewal.
      await renewIfDue(database, id)
      const account = await findAccount(database, id)
      if (!account) return undefined
      const [keys, calls, postings, trail] = await Promise.all([
        listKeys(database, id),
        listLatestCalls(database, id, LATEST),
        listPostings(database, id, LATEST),
        readTrail(database, { account: id, limit: LATEST }),
      ])
      return { account, keys, calls, postings, trail }
    },

    createAccount: (form, order) =>
      once(async () => {
        const made = await createAccount(database, by(form), { ...order, plan: order.plan as PlanId })
        if ('aboveLimit' in made)
          return refused(
            `Nothing was created: more than ${made.aboveLimit} credits need a second person. Create the account with a smaller plan, then change its plan, which can be approved.`,
          )
        const { accountId, key } = made
        return done({ accountId, key })
      }),

    setPlan: (form, id, order) =>
      once(async () => {
        const changed = await setPlan(database, by(form), id, { ...order, plan: order.plan as PlanId })
        if (!changed) return refused(NO_ACCOUNT)
        if (waitsForApproval(changed)) return done('waiting')
        return done(changed.outcome === 'waiting' ? 'later' : 'now')
      }),

    setStatus: (form, id, status) =>
      once(async () =>
        (await setStatus(database, by(form), id, status)) ? done(undefined) : refused(NO_ACCOUNT),
      ),

    topUp: (form, id, { amount, reason, reference }) =>
      once(async () => {
        const result = await topUpAccount(database, by(form), id, amount, { reason, reference })
        if (waitsForApproval(result)) return done('waiting')
        if (result.toppedUp) return done('credits')
        switch (result.because) {
          case 'no such account':
            return refused(NO_ACCOUNT)
          case 'plan has no top-ups':
            return refused('The free plan takes no top-ups. Change the plan first.')
          case 'reference used': {
            const { operator, amount: added, at } = result.before
            return refused(
              `Nothing was changed: ${operator} added ${added} credits with this reference on ${at.toISOString()}.`,
            )
          }
        }
      }),

    async readPurchases(limit) {
      const [open, all] = await Promise.all([
        listPurchases(database, { state: 'open', limit }),
        listPurchases(database, { limit }),
      ])
      return { open, closed: all.filter(({ state }) => state !== 'open') }
    },

    approvePurchase: (form, id) =>
      once(async () => {
        const decided = await approveOrder(database, by(form), id.toLowerCase())
        if (waitsForApproval(decided)) return done('waiting')
        return decided.done ? done('approved') : refused(explainClosedPurchase(decided))
      }),

    refusePurchase: (form, id, reason) =>
      once(async () => decision(await refuseOrder(database, by(form), id.toLowerCase(), reason))),

    async readApprovals(limit) {
      const waiting = await listPendingCredits(database, limit)
      return waiting.map((pending) => ({ ...pending, obstacle: obstacleTo(session, pending) }))
    },

    approveCredits: (form, id) =>
      once(async () => creditDecision(await approveCredits(database, by(form), id.toLowerCase()))),

    refuseCredits: (form, id) =>
      once(async () => creditDecision(await refuseCredits(database, by(form), id.toLowerCase()))),

    async readOperators() {
      const [operators, sessions, { hasSharedSignIn, creditLimit }] = await Promise.all([
        listOperators(database),
        listSessions(database),
        readConsoleAccess(database),
      ])
      return { operators, sessions, hasSharedSignIn, creditLimit }
    },

    endSession: (form, id) =>
      once(async () => {
        const ended = await revokeSessions(database, by(form), { ids: [id.toLowerCase()] })
        return ended.length > 0 ? done(undefined) : refused('This session has ended already.')
      }),

    async readSources() {
      const statuses = await readStatus(database)
      return statuses.map(({ source, state, held, lagSeconds, quotas, blockedUntil }) => {
        const { syncedAt, dueAt, failures, lastError, sweepError, missingRecords, counts } = source
        return {
          name: source.name,
          kind: source.settings.kind,
          state,
          lagSeconds,
          quotas,
          blockedUntil,
          syncedAt,
          dueAt,
          failures,
          lastError,
          sweepError,
          missingRecords,
          held: held ? { id: held.id, why: held.findings.map(({ text }) => text).join('; ') } : null,
          counts,
        }
      })
    },

    readDataSet: readings.dataSet,

    ...imports(by),

    async readProviders() {
      const { breakers, provider } = deps
      const providers = [...breakers].map(([provider, { state, changedAt }]) => ({
        name: provider,
        circuit: state,
        changedAt,
      }))
      return { providers, fallbacks: provider.fallbacks, hours: await listQueriesByHour(database) }
    },

    readQueues: readings.queues,

    readFailingWebhooks: async (limit) => (await readings.webhooks()).slice(0, limit),

    async readAudits() {
      const { runningSince, failure } = audits
      return { runningSince, failure, ...(await readAudits(database, MAX_AUDITS)) }
    },

    startAudit: (form) => audits.start(by(form)),

    readTrail: ({ before, limit }) => readTrail(database, { beforeId: before, limit }),
  }
}

async function readDataSet(database: Database): ReturnType<ConsoleApi['readDataSet']> {
  const { bySource, estimate } = await countQuickly(database)
  const [imports, records, homes] = await Promise.all([
    listImports(database, MAX_IMPORTS),
    listRejected(database, MAX_REJECTED_OF_SOURCE),
    sampleHomes(database, estimate, MAX_HOMES),
  ])
  const rows = imports.flatMap(({ name: source, rejections }) =>
    rejections.map(({ file, line, reason }) => ({
      source,
      reason,
      place: file === undefined ? `line ${line}` : `line ${line} of ${file}`,
    })),
  )
  const rejected = firstOfEach([
    ...rows,
    ...records.map(({ source, key, reason }) => ({ source, place: key, reason: reason ?? '' })),
  ])
  return { counts: bySource, estimate, imports, rejected, homes }
}

/** The first rows of each source: a source with many rows leaves room for the others. */
function firstOfEach<T extends { readonly source: string }>(rows: readonly T[]): T[] {
  const bySource = Map.groupBy(rows, ({ source }) => source)
  const each = Math.max(2, Math.min(MAX_REJECTED_OF_SOURCE, Math.floor(MAX_REJECTED / bySource.size)))
  return [...bySource.values()].flatMap((of) => of.slice(0, each))
}

function decision(decided: PurchaseDecision) {
  return decided.done ? done(undefined) : refused(explainClosedPurchase(decided))
}

const NO_NAMED_OPERATOR = 'Only a named operator approves: the shared sign-in is no second person.'

/** Why the operator of the session cannot approve a change. undefined: he can. */
function obstacleTo(session: ConsoleActor, pending: PendingCredits): string | undefined {
  if (session.operatorId === undefined) return NO_NAMED_OPERATOR
  return isOwnRequest(session, pending) ? OWN_REQUEST : undefined
}

const OWN_REQUEST = 'You asked for this change. Another operator approves it.'

function creditDecision(decided: CreditDecision) {
  if (decided.done) return done(undefined)
  switch (decided.because) {
    case 'unknown':
      return refused('This change was decided already.')
    case 'own request':
      return refused(OWN_REQUEST)
    case 'no named operator':
      return refused(NO_NAMED_OPERATOR)
    case 'impossible':
      return refused(`The change is no longer possible, and still waits: ${decided.why}`)
  }
}
