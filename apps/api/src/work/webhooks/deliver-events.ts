// Delivers webhook events: claims due deliveries, sends them, and records the results, with the same loop as jobs (work/loop). Delivery is
// at least once: an attempt is recorded before its connection is opened and closed after its response, so an attempt of a killed process is
// found and repeated.

import type { Logger } from 'pino'
import { EVENT_WITH_HOMES, type HomeEventData, maskEvents } from '../../data/rights.ts'
import type { Config } from '../../infrastructure/config.ts'
import { type Database, DatabaseUnavailable } from '../../infrastructure/database.ts'
import { createReceiverConnections, type Network } from '../../infrastructure/net.ts'
import { type Observer, retry, SILENT_OBSERVER, startChores } from '../../infrastructure/platform.ts'
import type { Lease } from '../loop/lease.ts'
import { startWorkLoop, type WorkLoop, type WorkSource } from '../loop/work-loop.ts'
import {
  type AttemptResult,
  type ClaimedDelivery,
  createDeliveryQueue,
  DELIVERIES_CHANNEL,
  type DeliveryBounds,
  type DeliveryQueue,
  outcomeName,
} from './delivery-queue.ts'
import type { SecretBox } from './secret-box.ts'
import { openSecrets } from './secrets.ts'
import { createSendLock } from './send-lock.ts'
import { createSender, type Message, type Sender } from './send-message.ts'
import { REVOKED_CHANNEL } from './webhook-store.ts'

/** Maximum concurrent attempts, so that the slow receivers of one account leave room for other accounts. */
export const BOUNDS: DeliveryBounds = { perAccount: 64, perWebhook: 16 }
/** Attempts at a time in this process. */
export const AT_A_TIME = 512

const REAP_EVERY_MS = 1_000
/** The wait before a failure on our side is retried. */
const REPAIR_PAUSE_MS = 60_000
const RECORD_PAUSE_MS = 250
/** SQLSTATE codes. */
const DEADLOCK = '40P01'
/** A retry that is due before the next poll gets its own timer. */
const SOON_MS = 1_000

/** The webhook was revoked before anything was written to it. */
class WebhookRevoked extends Error {}

export interface DelivererParts {
  readonly config: Pick<Config, 'webhooks' | 'jobs' | 'secretsKeys' | 'dataDir'>
  readonly database: Database
  readonly log: Logger
  readonly box: SecretBox
  /** Replaces the real network in tests. */
  readonly network?: Partial<Network>
  readonly bounds?: DeliveryBounds
  readonly observer?: Observer
}

export interface Deliverer {
  /** Resolves when nothing is being sent and all leases are returned. */
  stop(): Promise<void>
}

/** Delivers events until it is stopped. */
export function startDeliverer(parts: DelivererParts): Deliverer {
  const { config, database, log, network, bounds = BOUNDS } = parts
  const { allowPrivateNetworks, timeoutMs } = config.webhooks
  const queue = createDeliveryQueue(database, parts.box.keyIds)
  const connections = createReceiverConnections({ allowPrivateNetworks, ...network })
  const sender = createSender(connections, createSendLock(database), timeoutMs)
  const source = new DeliverySource(parts, queue, sender, bounds)
  const loop = startWorkLoop(source, { leaseMs: config.jobs.leaseMs, atATime: AT_A_TIME, log })
  source.wake = loop.wake
  // Removes expired leases even when this process has nothing to deliver.
  const sweeping = startChores(log, {
    name: 'sweep webhook deliveries',
    everyMs: REAP_EVERY_MS,
    run: () => queue.reap(),
  })
  // A lost notification only delays the work, so starting and stopping do not wait for the listener.
  const listening = Promise.all([
    database.listen(DELIVERIES_CHANNEL, loop.wake),
    database.listen(REVOKED_CHANNEL, (webhookId) => source.abortUnsent(webhookId)),
  ])
  listening.catch((error: unknown) => log.debug({ err: error }, 'deliveries are found by polling alone'))
  return {
    async stop() {
      void listening.then((all) => Promise.all(all.map((unlisten) => unlisten()))).catch(() => {})
      await Promise.all([loop.stop(), sweeping.stop()])
      sender.close()
    },
  }
}

class DeliverySource implements WorkSource<ClaimedDelivery> {
  readonly name = 'webhook deliveries'
  wake: WorkLoop['wake'] = () => {}
  readonly #config: DelivererParts['config']
  readonly #database: Database
  readonly #log: Logger
  readonly #box: SecretBox
  readonly #queue: DeliveryQueue
  readonly #sender: Sender
  readonly #bounds: DeliveryBounds
  readonly #observer: Observer
  /** Unsent attempts, by webhook. */
  readonly #unsent = new Map<string, Set<AbortController>>()

  constructor(
    { config, database, log, box, observer = SILENT_OBSERVER }: DelivererParts,
    queue: DeliveryQueue,
    sender: Sender,
    bounds: DeliveryBounds,
  ) {
    this.#config = config
    this.#database = database
    this.#log = log
    this.#box = box
    this.#queue = queue
    this.#sender = sender
    this.#bounds = bounds
    this.#observer = observer
  }

  claim(room: number): Promise<readonly ClaimedDelivery[]> {
    return this.#queue.claim(room, this.#config.jobs.leaseMs, this.#bounds)
  }

  renew(work: readonly ClaimedDelivery[]): Promise<ReadonlySet<string>> {
    return this.#queue.renew(work, this.#config.jobs.leaseMs)
  }

  async run(work: ClaimedDelivery, lease: Lease): Promise<'done' | 'unfinished'> {
    const body = await permittedBody(this.#database, work)
    const message = messageOf({ ...work, body }, openSecrets(this.#box, work.webhookId, work.secrets))
    const unsent = this.#enter(work.webhookId)
    const abort = () => unsent.abort(lease.signal.reason)
    lease.signal.addEventListener('abort', abort, { once: true })
    try {
      const outcome = await this.#send(message, unsent)
      if (outcome === undefined) return 'unfinished'
      // A receiver that answers 429 gets nothing more before its Retry-After, whatever the schedule says.
      const scheduledMs = retryDelayMs(triesOf(work), this.#config.webhooks.backoffMs)
      const retryAfterMs = Math.max(scheduledMs, outcome.pauseMs ?? 0)
      await this.#record(work, lease, outcome, retryAfterMs)
      if (!outcome.delivered && retryAfterMs < SOON_MS) setTimeout(this.wake, retryAfterMs + 1).unref()
      return 'done'
    } catch (error) {
      if (error instanceof WebhookRevoked) return 'unfinished'
      throw error
    } finally {
      lease.signal.removeEventListener('abort', abort)
      this.#leave(work.webhookId, unsent)
    }
  }

  async #send(message: Message, unsent: AbortController): Promise<AttemptResult | undefined> {
    const end = this.#observer.attemptWebhook()
    try {
      const outcome = await this.#sender.send(message, unsent.signal, () =>
        this.#leave(message.webhookId, unsent),
      )
      end(outcomeName(outcome))
      return outcome
    } catch (error) {
      end(error instanceof WebhookRevoked ? 'not_sent' : 'broken')
      throw error
    }
  }

  /** Retries as long as the lease is held: a lost result costs the receiver a duplicate. */
  async #record(
    work: ClaimedDelivery,
    lease: Lease,
    outcome: AttemptResult,
    retryAfterMs: number,
  ): Promise<void> {
    await retry(() => this.#queue.record(work, outcome, retryAfterMs), {
      pauseMs: RECORD_PAUSE_MS,
      // Not the lease's signal, which would skip the last attempt.
      mayPass: (error) => passes(error) && !lease.signal.aborted,
    })
  }

  handBack(work: ClaimedDelivery): Promise<void> {
    return this.#queue.abort(work)
  }

  async fail(work: ClaimedDelivery, error: unknown): Promise<void> {
    this.#log.error(
      { webhook: work.webhookId, event: work.eventId, err: error },
      'a delivery failed unexpectedly',
    )
    await this.#queue.abort(work, REPAIR_PAUSE_MS)
  }

  /** Aborts attempts that have written nothing to a revoked webhook. */
  abortUnsent(webhookId: string): void {
    for (const unsent of this.#unsent.get(webhookId) ?? []) unsent.abort(new WebhookRevoked())
  }

  #enter(webhookId: string): AbortController {
    const unsent = new AbortController()
    const all = this.#unsent.get(webhookId) ?? new Set()
    this.#unsent.set(webhookId, all.add(unsent))
    return unsent
  }

  #leave(webhookId: string, unsent: AbortController): void {
    const all = this.#unsent.get(webhookId)
    all?.delete(unsent)
    if (all?.size === 0) this.#unsent.delete(webhookId)
  }
}

/** Whether the same statement may succeed later: the database is unavailable, or has aborted the statement because of a deadlock. */
function passes(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || (error as { code?: unknown }).code === DEADLOCK
}

/** Consecutive failed attempts of this delivery or redelivery, including this one. */
function triesOf({ attemptsLeft }: ClaimedDelivery): number {
  return MAX_ATTEMPTS - attemptsLeft
}

/** The body with only the data that may be shown now. Homes may have been withheld since the event was written. */
async function permittedBody(
  database: Database,
  { type, body }: Pick<ClaimedDelivery, 'type' | 'body'>,
): Promise<Buffer> {
  if (type !== EVENT_WITH_HOMES) return body
  const event = JSON.parse(body.toString()) as { readonly data: HomeEventData }
  const data = await maskEvents(database, event.data)
  return data ? Buffer.from(JSON.stringify({ ...event, data })) : body
}

function messageOf(work: ClaimedDelivery, secrets: readonly Buffer[]): Message {
  const { accountId, webhookId, attemptId, attempt, url, eventId, body } = work
  return { accountId, webhookId, attemptId, attempt, url, eventId, body, secrets }
}

/** Attempts of an event before it is dropped. */
export const MAX_ATTEMPTS = 3
/** The maximum random change of a wait, as a fraction, so that simultaneous failures are not retried together. */
const SPREAD = 0.1

/** The wait in milliseconds after the n-th failed attempt (1, 2 …): base × n², plus or minus a tenth. */
export function retryDelayMs(failed: number, baseMs: number, random: () => number = Math.random): number {
  return Math.round(baseMs * failed ** 2 * (1 + SPREAD * (2 * random() - 1)))
}
