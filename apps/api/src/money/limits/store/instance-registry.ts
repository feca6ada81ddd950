// The registration of this process in the shared store. It sends a heartbeat twice a second, detects when its lease may have
// expired because heartbeats failed, and joins again with everything that it holds whenever the store has changed (a new
// connection or a new epoch). scripts.ts explains epochs and what a join decides.

import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { poll, singleFlight } from '../../../infrastructure/platform.ts'
import type { ApiProcessLease, ProcessLease } from '../../../infrastructure/processes.ts'
import { LimitsUnavailable } from '../limits.ts'
import { connectStore, type RunScript, type StoreConnection } from './connection.ts'
import { DEAD_AFTER_MS } from './scripts.ts'
import { storeKeys } from './store-keys.ts'

/** The tickets and admissions of this process in the store. */
export interface Holdings {
  tickets(): readonly HeldTicket[]
  /** Admitted calls without a usage row yet. */
  admissions(): readonly UnrecordedAdmission[]
  /** Keys for whose slot a call of this process waits, or has been holding it for long. */
  watchedKeys(): readonly string[]
  /** Reports that a ticket is at the front of its queue. */
  onFront(ticket: number): void
  /** Reports that the order of the queues is unknown. */
  onStoreLost(error: LimitsUnavailable): void
}

export interface HeldTicket {
  readonly number: number
  readonly keyId: string
  readonly inFlight: boolean
  /** The time of arrival by the clock of the store. Empty until the store has returned it. */
  arrival: string
}

export interface UnrecordedAdmission {
  readonly keyId: string
  readonly requestId: string
  /** The time of admission by the clock of the store. */
  readonly at: string
}

/** `held` refers to the slots of this process: it is false when the store may have given them to other processes. */
export interface InstanceRegistry extends ProcessLease {
  /** Whether the store responds. */
  readonly isUp: boolean
  readonly epoch: string
  /** The name of this process in the store, which changes with each join. */
  readonly name: string
  readonly lastTrouble: Error | undefined
  /** Resolves when the store responds. Rejects with `LimitsUnavailable` after it has been down for a second. */
  whenUp(): Promise<void>
  /** Whether the epoch admits calls, as far as this process knows. It stays true until the epoch ends. */
  readonly isOpen: boolean
  /** Resolves when the epoch admits calls. */
  whenOpen(): Promise<void>
  /** Joins again after a script has returned `rejoin`. */
  rejoin(): Promise<void>
  readonly run: RunScript
  readonly push: StoreConnection['push']
  /** Names of live processes, according to the database, that have not joined this store. */
  findMissing(): Promise<readonly string[]>
  leave(): Promise<void>
}

const HEARTBEAT_MS = 500
/** After this time without a response, the slots of this process count as lost, before the store gives them to others. */
const HELD_MS = DEAD_AFTER_MS - 500
/** A store that is silent for this long is considered down: calls are refused without asking it. */
const SILENT_MS = 1_500
const WAIT_TIMEOUT_MS = 1_000
/** A heartbeat takes less, because its response is awaited for a second, unless this process was frozen. */
const FROZEN_MS = 2_000
const OPEN_TIMEOUT_MS = 6_000
const POLL_MS = 50

export interface InstanceRegistryOptions {
  readonly url: string
  readonly log: Logger
  readonly processLease: Pick<ApiProcessLease, 'token' | 'findOthers'>
  readonly holdings: Holdings
}

/** `joining`: it has joined, and the epoch does not admit calls yet. */
interface RegistryState {
  readonly stage: 'down' | 'joining' | 'open'
  /** The epoch of the store, which stays known while the store is down. */
  readonly epoch: string
  readonly downSince: number
  /** When the last answered heartbeat was sent. */
  readonly heardAt: number
  readonly losses: number
}

type RegistryEvent =
  /** The connection was lost, or the store has changed. */
  | { readonly type: 'lost'; readonly at: number }
  /** `unbroken`: no slot was given to another process meanwhile. */
  | {
      readonly type: 'joined'
      readonly epoch: string
      readonly opens: boolean
      readonly unbroken: boolean
      readonly at: number
    }
  | { readonly type: 'answered'; readonly opens: boolean; readonly at: number }

/** All transitions between the stages. */
function transition(state: RegistryState, event: RegistryEvent): RegistryState {
  switch (event.type) {
    case 'lost':
      return state.stage === 'down' ? state : { ...state, stage: 'down', downSince: event.at }
    case 'joined': {
      const { epoch, opens, unbroken, at } = event
      const losses = unbroken ? state.losses : state.losses + 1
      return { ...state, stage: opens ? 'open' : 'joining', epoch, losses, heardAt: at }
    }
    case 'answered': {
      const { opens, at } = event
      // Responses to commands from before the loss say nothing about the next epoch.
      const stage = state.stage === 'down' ? 'down' : opens ? 'open' : 'joining'
      return { ...state, stage, heardAt: at }
    }
  }
}

export function joinStore(options: InstanceRegistryOptions): InstanceRegistry {
  const { url, log, processLease, holdings } = options
  const { token } = processLease
  let joins = 0
  let name = `${token}.0`
  let state: RegistryState = {
    stage: 'down',
    epoch: '',
    downSince: performance.now(),
    heardAt: Number.NEGATIVE_INFINITY,
    losses: 0,
  }
  /** When the last heartbeat began. */
  let beatAt = 0
  let upSince = 0
  const joining = singleFlight(join)
  const opening = singleFlight(openEpoch)
  const beating = singleFlight(() =>
    sendHeartbeat().catch((error) =>
      log.debug({ err: error }, 'the store of the rate limits did not answer'),
    ),
  )
  let left = false
  let isReported = false

  const connection = connectStore({
    url,
    log,
    onUp() {
      upSince = performance.now()
      void rejoin().catch(() => {})
    },
    onDown: leaveForNow,
    onMessage(ticket) {
      if (ticketProcess(ticket) === name) holdings.onFront(ticketNumber(ticket))
    },
  })

  function isUp(): boolean {
    return state.stage !== 'down' && connection.isUp && performance.now() - state.heardAt < SILENT_MS
  }

  function isHeld(): boolean {
    return performance.now() - state.heardAt < HELD_MS
  }

  function leaveForNow(): void {
    state = transition(state, { type: 'lost', at: performance.now() })
  }

  function rejoin(): Promise<void> {
    leaveForNow()
    return joining.run()
  }

  async function join(): Promise<void> {
    const run = await connection.readRun()
    await connection.subscribe(storeKeys.wake(token))
    const lastName = name
    name = `${token}.${++joins}`
    const tickets = holdings.tickets()
    const sentAt = performance.now()
    const values = [state.epoch, run, randomUUID(), lastName, name, isHeld() ? 1 : 0, tickets.length]
    for (const { keyId, number, inFlight, arrival } of tickets)
      values.push(keyId, number, inFlight ? 1 : 0, arrival)
    for (const { keyId, requestId, at } of holdings.admissions()) values.push(keyId, requestId, at)
    const [id, opens, unbroken, ...arrivals] = await connection.run('join', [storeKeys.epoch], values)
    for (const [index, ticket] of tickets.entries()) ticket.arrival = String(arrivals[index])
    state = transition(state, {
      type: 'joined',
      epoch: String(id),
      opens: opens === 1,
      unbroken: unbroken === 1,
      at: sentAt,
    })
    releaseEnded(tickets)
    if (isReported) log.info('the store of the rate limits is available again')
    isReported = false
    void beat()
    if (state.stage === 'joining') void opening.run()
  }

  /**
   * Releases tickets whose calls ended during the join. In another epoch, their earlier release named the old epoch and had no
   * effect: at the front, they would block their key for the lifetime of this process.
   */
  function releaseEnded(brought: readonly HeldTicket[]): void {
    const kept = new Set(holdings.tickets())
    for (const ticket of brought) {
      if (kept.has(ticket)) continue
      const { epoch } = state
      const touched = [storeKeys.epoch, storeKeys.processes(epoch), storeKeys.queue(epoch, ticket.keyId)]
      run('line', touched, [epoch, name, 1, 'release', ticket.number])
        .catch(rejoin)
        .catch(() => {})
    }
  }

  function beat(): Promise<void> {
    if (!beating.isUnderWay) beatAt = performance.now()
    return beating.run()
  }

  async function sendHeartbeat(): Promise<void> {
    if (!connection.isUp) return
    if (state.stage === 'down') return rejoin()
    const sentAt = performance.now()
    const sentAs = name
    const { epoch } = state
    const touched = [storeKeys.epoch, storeKeys.processes(epoch)]
    const [verdict, opens, ...front] = await run('beat', touched, [epoch, name, ...holdings.watchedKeys()])
    if (sentAs !== name) return
    if (verdict !== 'ok') return rejoin()
    state = transition(state, { type: 'answered', opens: opens === 1, at: sentAt })
    for (const ticket of front) holdings.onFront(ticketNumber(String(ticket)))
  }

  /** Opens the epoch as soon as all live processes have joined. */
  async function openEpoch(): Promise<void> {
    const isOver = () => state.stage !== 'joining' || left || undefined
    const look = async (): Promise<true | undefined> => {
      if (isOver()) return true
      await findMissing().catch((error) =>
        log.debug({ err: error }, 'cannot open the store of the rate limits'),
      )
      await beating.settled()
      await beat()
      return isOver()
    }
    await poll(look, { pauseMs: POLL_MS })
  }

  async function findMissing(): Promise<readonly string[]> {
    const others = await processLease.findOthers()
    const { epoch } = state
    const touched = [storeKeys.epoch, storeKeys.processes(epoch)]
    const [verdict, ...missing] = await run('open', touched, [epoch, token, ...others])
    return verdict === 'ok' ? missing.map(String) : others
  }

  const ticking = setInterval(() => void tick(), HEARTBEAT_MS)

  async function tick(): Promise<void> {
    const askedAt = performance.now()
    await beat()
    if (isHeld() || left) return
    // A process that was frozen sends a heartbeat before it treats the store as down. A heartbeat that was under way during the
    // freeze has failed, because it timed out before its response was read. The next one counts.
    if (performance.now() - askedAt > FROZEN_MS || askedAt - beatAt > FROZEN_MS) await beat()
    if (!isHeld() && !left) giveUp()
  }

  function giveUp(): void {
    const { lastTrouble } = connection
    if (!isReported)
      log.error({ err: lastTrouble }, 'the store of the rate limits is down: calls are refused with 503')
    isReported = true
    holdings.onStoreLost(
      new LimitsUnavailable('The store of the rate limits is down.', { cause: lastTrouble }),
    )
    // Without this, a connection without responses would count as open until the system closes it.
    if (connection.isUp && performance.now() - upSince > HELD_MS) connection.reconnect()
  }

  const { run, push } = connection

  async function waitUntil(holds: () => boolean, waitTimeoutMs: number): Promise<void> {
    await poll(() => holds() || left || undefined, { timeoutMs: waitTimeoutMs, pauseMs: POLL_MS })
    if (holds()) return
    throw new LimitsUnavailable('The store of the rate limits is down.', { cause: connection.lastTrouble })
  }

  return {
    get isUp() {
      return isUp()
    },
    get held() {
      return isHeld()
    },
    get isOpen() {
      return state.stage === 'open'
    },
    get losses() {
      return state.losses
    },
    get epoch() {
      return state.epoch
    },
    get name() {
      return name
    },
    get lastTrouble() {
      return connection.lastTrouble
    },
    // If the store has been down for long, calls are refused immediately.
    whenUp: () =>
      isUp()
        ? ALREADY_UP
        : waitUntil(
            isUp,
            state.stage === 'down' ? state.downSince + WAIT_TIMEOUT_MS - performance.now() : WAIT_TIMEOUT_MS,
          ),
    whenOpen: () => waitUntil(() => state.stage === 'open', OPEN_TIMEOUT_MS),
    rejoin,
    run,
    push,
    findMissing,
    async leave() {
      left = true
      clearInterval(ticking)
      await opening.settled()
      await beating.settled()
      if (isUp())
        await run('leave', [storeKeys.epoch, storeKeys.processes(state.epoch)], [state.epoch, name]).catch(
          () => {},
        )
      await connection.close()
    },
  }
}

const ALREADY_UP = Promise.resolve()

function ticketProcess(ticket: string): string {
  return ticket.slice(0, ticket.indexOf(':'))
}

function ticketNumber(ticket: string): number {
  return Number(ticket.slice(ticket.indexOf(':') + 1))
}
