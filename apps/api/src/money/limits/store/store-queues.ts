// The queue of each key, over all processes. A call's ticket is in the store; in this process, the call only waits to hear that
// its ticket is at the front. A slot is a lease: when the lease of this process may have expired, or the store has lost the slot,
// the slot is lost, and its call charges nothing.

import { batchPerTurn, orAborted, poll } from '../../../infrastructure/platform.ts'
import { type KeyQueues, LimitsUnavailable, type QueueWaitOptions, type Slot } from '../limits.ts'
import type { StoreReply } from './connection.ts'
import type { HeldTicket, InstanceRegistry } from './instance-registry.ts'
import { storeKeys } from './store-keys.ts'

export interface StoreQueues extends KeyQueues {
  tickets(): readonly HeldTicket[]
  watchedKeys(): readonly string[]
  onFront(ticket: number): void
  onStoreLost(error: LimitsUnavailable): void
}

interface Ticket extends HeldTicket {
  inFlight: boolean
  /** When it came to the front. */
  since: number
  /** The number of lost leases when the slot was given. */
  lossesAtFront: number
  readonly front: PromiseWithResolvers<void>
}

/** A request of the script LINE. */
interface TicketRequest {
  readonly act: 'take' | 'release'
  readonly ticket: HeldTicket
}

const MAX_REJOINS = 5
/** A ticket that is in flight for this long keeps its queue from expiring (FORGET_QUEUE_MS). */
const LONG_WAIT_MS = 600_000
const REJOIN_REPLY: StoreReply = ['rejoin']
const SLOT_HELD_REPLY: StoreReply = ['held', '1']

/** Whether the store cannot have the ticket yet. A process that joins brings all its tickets. */
function isNew({ arrival }: HeldTicket): boolean {
  return arrival === ''
}

/** `registry` is a function, because the registry is created from these queues. */
export function createStoreQueues(registry: () => InstanceRegistry): StoreQueues {
  const tickets = new Map<number, Ticket>()
  let numbers = 0

  function come(ticket: Ticket): void {
    ticket.inFlight = true
    ticket.since = performance.now()
    ticket.lossesAtFront = registry().losses
    ticket.front.resolve()
  }

  /** Batches the queue requests of one event loop turn, in order. Each response has the name under which it was requested. */
  const inLine = batchPerTurn<TicketRequest, { readonly reply: StoreReply; readonly askedAs: string }>(
    async (group) => {
      const { epoch, name, isOpen, run, push } = registry()
      const [first] = group
      let isPushed = false
      if (group.length === 1 && first!.act === 'take' && isOpen && isNew(first!.ticket)) {
        const { keyId, number } = first!.ticket
        const length = await push(storeKeys.queue(epoch, keyId), `${name}:${number}`)
        // The queue has the mark and this ticket, so no ticket is before it.
        if (length === 2) return [{ reply: SLOT_HELD_REPLY, askedAs: name }]
        isPushed = true
      }
      const touched = [storeKeys.epoch, storeKeys.processes(epoch)]
      const values: (string | number)[] = [epoch, name, isOpen ? 1 : 0]
      for (const { act, ticket } of group) {
        touched.push(storeKeys.queue(epoch, ticket.keyId))
        values.push(act === 'take' && (isPushed || !isNew(ticket)) ? 'again' : act, ticket.number)
      }
      const replies = await run('line', touched, values)
      return group.map((_, at) => ({
        reply: replies[0] === 'rejoin' ? REJOIN_REPLY : (replies[at] as StoreReply),
        askedAs: name,
      }))
    },
  )

  async function ask(ticket: Ticket): Promise<void> {
    const isTaken = await poll(() => askOnce(ticket), { attempts: MAX_REJOINS, pauseMs: 0 })
    if (!isTaken) throw new LimitsUnavailable('The store of the rate limits keeps restarting.')
  }

  /** Returns undefined if this process had to join the store again first. */
  async function askOnce(ticket: Ticket): Promise<true | undefined> {
    await registry().whenUp()
    const { reply, askedAs } = await inLine({ act: 'take', ticket })
    const [verdict, arrival] = reply
    const store = registry()
    if (verdict === 'rejoin') {
      await store.rejoin()
      return undefined
    }
    // A ticket under an earlier name of this process holds no slot: the join brought it as a waiting one.
    if (askedAs !== store.name) return true
    // A call that is already at the front needs its arrival too.
    ticket.arrival = String(arrival)
    if (verdict === 'held' && !ticket.inFlight) come(ticket)
    return true
  }

  function wait(ticket: Ticket, { signal }: QueueWaitOptions): Promise<void> {
    return orAborted(ticket.front.promise, signal)
  }

  function giveBack(ticket: Ticket): void {
    if (!tickets.delete(ticket.number)) return
    // Not awaited. If it fails on a live connection, this process joins again without the ticket, which would otherwise block its
    // key for the lifetime of the process.
    inLine({ act: 'release', ticket })
      .catch(() => registry().rejoin())
      // Each heartbeat tries again.
      .catch(() => {})
  }

  function slotOf(ticket: Ticket): Slot {
    return {
      get lost() {
        const { held, losses } = registry()
        return !held || losses !== ticket.lossesAtFront
      },
      release: () => giveBack(ticket),
    }
  }

  return {
    async take(keyId, waitOptions) {
      const front = Promise.withResolvers<void>()
      // It may reject before it is awaited.
      front.promise.catch(() => {})
      const ticket: Ticket = {
        number: ++numbers,
        keyId,
        inFlight: false,
        since: 0,
        arrival: '',
        lossesAtFront: 0,
        front,
      }
      tickets.set(ticket.number, ticket)
      try {
        await ask(ticket)
        if (!ticket.inFlight) await wait(ticket, waitOptions)
        return slotOf(ticket)
      } catch (error) {
        giveBack(ticket)
        throw error
      }
    },
    get size() {
      return tickets.size
    },
    tickets: () => [...tickets.values()],
    watchedKeys() {
      const watched = new Set<string>()
      const long = performance.now() - LONG_WAIT_MS
      for (const { keyId, inFlight, since } of tickets.values())
        if (!inFlight || since < long) watched.add(keyId)
      return [...watched]
    },
    onFront(number) {
      const ticket = tickets.get(number)
      if (ticket && !ticket.inFlight) come(ticket)
    },
    onStoreLost(error) {
      for (const ticket of tickets.values()) if (!ticket.inFlight) ticket.front.reject(error)
    },
  }
}
