// The interface of the watches module: create, find, change, and delete watches, and read their events. A process that runs jobs also
// evaluates watches: from the change log of the data set, or by searching a remote data source at intervals.

import { operations } from '@lotline/contract'
import type { Logger } from 'pino'
import type { Provider } from '../../data/sources.ts'
import type { Database, SignedCursors } from '../../infrastructure/database.ts'
import type { Mailer } from '../../infrastructure/mail.ts'
import {
  type EvaluationOutcome,
  type Interval,
  interval,
  type Observer,
  startChores,
} from '../../infrastructure/platform.ts'
import { deleteWatch } from './delete-watch.ts'
import { type EvaluationStep, evaluateStep } from './evaluate.ts'
import { createNotify, type EventView } from './notify.ts'
import {
  listWatches,
  readWatch,
  readWatchEvents,
  type StoredEvent,
  type StoredWatch,
  type WatchListEntry,
} from './read-watches.ts'
import type { WatchPrice } from './report-changes.ts'
import { type ScanLimits, scanStep } from './scan.ts'
import {
  type ConfirmedSubscriber,
  confirmSubscriber,
  refuseSubscription,
  unsubscribe,
} from './subscribers/confirmation.ts'
import type { SubscriberMails } from './subscribers/mail-texts.ts'
import { UNSUBSCRIBE_SCOPE } from './subscribers/send-digest.ts'
import { subscriberMailsChore } from './subscribers/subscriber-mails.ts'
import { updateWatch, type WatchUpdate, type WatchUpdateResult } from './update-watch.ts'
import {
  createWatch,
  isWatchOfKey,
  type NewWatch,
  type WatchCreateResult,
  type WatchLimits,
} from './watch-store.ts'

/** Interval of the polls of the change log. */
const EVALUATE_EVERY_MS = 500

export interface Watches {
  /** True over a remote data source, which has no change log: watches are searched at their intervals. */
  readonly isRemote: boolean
  create(watch: NewWatch, limits: WatchLimits): Promise<WatchCreateResult>
  /**
   * Lists watches without their homes, latest first, after the given position. The page has fewer than `limit` if its filters are too
   * large.
   */
  list(
    accountId: string,
    after: readonly [micros: number, id: string | number] | null,
    limit: number,
  ): Promise<WatchListEntry[]>
  find(accountId: string, id: string): Promise<StoredWatch | undefined>
  update(
    accountId: string,
    id: string,
    update: WatchUpdate,
    limits: Pick<WatchLimits, 'matches'>,
  ): Promise<WatchUpdateResult>
  /** Whether the account has this watch, and it was created with this key. */
  isOfKey(accountId: string, id: string, keyId: string): Promise<boolean>
  /** True: the watch is deleted, by this or an earlier call. With `keyId`, only a watch that was created with this key. */
  delete(accountId: string, id: string, keyId: string | null): Promise<boolean>
  events(asked: { accountId: string; id: string; after: number; limit: number }): Promise<StoredEvent[]>
  /** undefined: this service sends no mail, so a watch has no subscriber with an address. */
  readonly subscriptions: Subscriptions | undefined
  /** Evaluates changes as they are imported, or at intervals. Several processes may run this; one at a time does a step. */
  start(): Interval
}

/** The links in mails to persons. */
export interface Subscriptions {
  /** undefined: the link was used or has expired. */
  confirm(token: string): Promise<ConfirmedSubscriber | undefined>
  /** The account may not mail the person again. undefined: the link was used or has expired. */
  refuse(token: string): Promise<true | undefined>
  /**
   * Ends the digests of a watch, or with `all` those of all watches of the account, which may not mail the person again. Repeating it is
   * harmless. undefined: this service has not made the link.
   */
  unsubscribe(link: string, options: { readonly all: boolean }): Promise<true | undefined>
  /** Whether this service has made the link. Asks no table. */
  isUnsubscribeLink(link: string): Promise<boolean>
}

export interface WatchParts {
  readonly database: Database
  readonly log: Logger
  readonly observer: Observer
  /** The remote data source to search for watches. */
  readonly provider: Provider
  readonly isRemote: boolean
  readonly limitsOf: (plan: string) => ScanLimits
  /** The site that links of search rows lead to. */
  readonly view: EventView
  /** undefined: this service sends no mail. */
  readonly mail: WatchMailParts | undefined
}

export interface WatchMailParts {
  readonly mailer: Mailer
  readonly publicUrl: string
  readonly mails: () => Promise<SubscriberMails>
  /** Signs the links that unsubscribe. */
  readonly signer: SignedCursors
}

/** Watches that one process searches at a time. Their queries share the provider with jobs. */
const SCANS_AT_A_TIME = 4
const SCAN_EVERY_MS = 1_000

export function createWatches(parts: WatchParts): Watches {
  const { database, log, observer, provider, isRemote, limitsOf, view } = parts
  const { actor, price } = operations.createWatch
  const notify = createNotify(view)

  /** Reads the price of an event for each evaluation, as for calls. */
  const eventPrice = (): WatchPrice => ({
    operation: 'createWatch',
    endpoint: 'watch',
    actor,
    price: price.stages[0]!.price,
    notify,
    onError(error, watch) {
      log.warn(
        { err: error, watch },
        'a watch cannot be evaluated and will be retried; other watches are not affected',
      )
      observer.watchFailed()
    },
  })

  async function evaluate(): Promise<boolean> {
    const changedAt: Date[] = []
    const onEvents = (times: readonly Date[]) => {
      for (const at of times) changedAt.push(at)
    }
    const from = performance.now()
    const end = (outcome: EvaluationOutcome) => observer.watchesEvaluated(outcome, performance.now() - from)
    let step: EvaluationStep
    try {
      const reporting = { ...eventPrice(), onEvents }
      step = await evaluateStep(database, reporting, (plan) => limitsOf(plan).matches)
    } catch (error) {
      end('failed')
      throw error
    }
    // Most polls find nothing to evaluate.
    if (step.isMore) end(step.events > 0 ? 'reported' : 'silent')
    // The changes are committed. The clock of the database may be ahead of this one.
    observer.watchEvents(changedAt.map((at) => Math.max(0, Date.now() - at.getTime()) / 1000))
    return step.isMore
  }

  const complain = (error: unknown) => log.warn({ err: error }, 'cannot evaluate watches')

  function startWatches(): Interval {
    const evaluating = startEvaluating()
    if (!parts.mail) return evaluating
    const mailing = startChores(log, subscriberMailsChore({ ...parts.mail, database, view, observer }))
    return {
      async stop() {
        await Promise.all([evaluating.stop(), mailing.stop()])
      },
    }
  }

  function startEvaluating(): Interval {
    if (!isRemote) return interval(EVALUATE_EVERY_MS, evaluate, complain)
    const leaving = new AbortController()
    const onScan = observer.watchScanned
    const tools = { database, log, provider, price: eventPrice, limitsOf, onScan }
    const scanning = Array.from({ length: SCANS_AT_A_TIME }, () =>
      interval(SCAN_EVERY_MS, () => scanStep(tools, leaving.signal), complain),
    )
    return {
      async stop() {
        leaving.abort(new Error('the process is stopping'))
        await Promise.all(scanning.map((one) => one.stop()))
      },
    }
  }

  return {
    isRemote,
    create: (watch, limits) => createWatch(database, { ...watch, isRemote }, limits),
    list: (accountId, after, limit) => listWatches(database, accountId, after, limit),
    find: (accountId, id) => readWatch(database, accountId, id),
    update: (accountId, id, update, limits) => updateWatch(database, accountId, id, update, limits, isRemote),
    isOfKey: (accountId, id, keyId) => isWatchOfKey(database, accountId, id, keyId),
    delete: (accountId, id, keyId) => deleteWatch(database, accountId, id, keyId),
    events: (asked) => readWatchEvents(database, asked),
    subscriptions: parts.mail && createSubscriptions(database, parts.mail.signer, observer),
    start: startWatches,
  }
}

function createSubscriptions(database: Database, signer: SignedCursors, observer: Observer): Subscriptions {
  const subscriberOf = async (link: string) => {
    const values = (await signer.of(UNSUBSCRIBE_SCOPE)).read(link)
    return typeof values === 'string' ? undefined : String(values[0])
  }
  return {
    async confirm(token) {
      const confirmed = await confirmSubscriber(database, token)
      if (confirmed) observer.watchSubscriber('confirmed')
      return confirmed
    },
    async refuse(token) {
      const refused = await refuseSubscription(database, token)
      if (refused) observer.watchSubscriber('refused')
      return refused
    },
    async unsubscribe(link, { all }) {
      const id = await subscriberOf(link)
      if (id === undefined) return undefined
      const hasEnded = await unsubscribe(database, id, { all })
      if (hasEnded) observer.watchSubscriber(all ? 'refused' : 'unsubscribed')
      return true
    },
    isUnsubscribeLink: async (link) => (await subscriberOf(link)) !== undefined,
  }
}
