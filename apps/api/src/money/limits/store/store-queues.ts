// The queue of each key, over all processes. A call's ticket lies in the store; the place in this process is only where its
// call waits to hear that the ticket has come to the front. A slot is a lease: when the lease of this process may have expired,
// or the store has forgotten it, the slot is lost, and its call charges nothing.

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
  /** The losses of slots when this one was given. */
  lossesAtFront: number
  readonly front: PromiseWithResolvers<void>
}

/** Of the script LINE. */
interface TicketRequest {
  readonly act: 'take' | 'release'
  readonly ticket: HeldTicket
}

const MAX_REJOINS = 5
/** In flight for so long, a ticket keeps its queue from expiring by itself (FORGET_QUEUE_MS). */
const LONG_MS = 600_000
const REJOIN: StoreReply = ['rejoin']
const HELD: StoreReply = ['held', '1']

/** Whether the store cannot have it yet: a process that joins brings all its tickets along. */
function isNew({ arrival }: HeldTicket): boolean {
  return arrival === ''
}

/** `registry` is asked for when it is needed: it is made of what these queues hold. */
export function createStoreQueues(registry: () => InstanceRegistry): StoreQueues {
  const tickets = new Map<number, Ticket>()
  let numbers = 0

  function come(ticket: Ticket): void {
    ticket.inFlight = true
    ticket.since = performance.now()
    ticket.lossesAtFront = registry().losses
    ticket.front.resolve()
  }

  /** The requests to the queues in one turn of the event loop, in order. Each answer has the name of its request, too. */
  const inLine = batchPerTurn<TicketRequest, { readonly reply: StoreReply; readonly askedAs: string }>(
    async (group) => {
      const { epoch, name, isOpen, run, push } = registry()
      const [first] = group
      let isPushed = false
      if (group.length === 1 && first!.act === 'take' && isOpen && isNew(first!.ticket)) {
        const { keyId, number } = first!.ticket
        const length = await push(storeKeys.queue(epoch, keyId), `${name}:${number}`)
        // The mark and this ticket: no ticket is before it.
        if (length === 2) return [{ reply: HELD, askedAs: name }]
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
        reply: replies[0] === 'rejoin' ? REJOIN : (replies[at] as StoreReply),
        askedAs: name,
      }))
    },
  )

  async function ask(ticket: Ticket): Promise<void> {
    const isTaken = await poll(() => askOnce(ticket), { attempts: MAX_REJOINS, pauseMs: 0 })
    if (!isTaken) throw new LimitsUnavailable('The store of the rate limits is not at rest.')
  }

  /** undefined: this process had to join the store again first. */
  async function askOnce(ticket: Ticket): Promise<true | undefined> {
    await registry().whenUp()
    const { reply, askedAs } = await inLine({ act: 'take', ticket })
    const [verdict, arrival] = reply
    const store = registry()
    if (verdict === 'rejoin') {
      await store.rejoin()
      return undefined
    }
    // Under an earlier name of this process nothing is held any more: the ticket was brought along as one that waits.
    if (askedAs !== store.name) return true
    // A call that was first at the front needs it too, so it comes with the arrival.
    ticket.arrival = String(arrival)
    if (verdict === 'held' && !ticket.inFlight) come(ticket)
    return true
  }

  function wait(ticket: Ticket, { signal }: QueueWaitOptions): Promise<void> {
    return orAborted(ticket.front.promise, signal)
  }

  function giveBack(ticket: Ticket): void {
    if (!tickets.delete(ticket.number)) return
    // Not awaited. If it fails, also with an answer over a connection that stays up, this process registers again without the
    // ticket: under its present name, a ticket at the front would bar its key for as long as the process lives.
    inLine({ act: 'release', ticket })
      .catch(() => registry().rejoin())
      // Each beat tries again.
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
      // It may reject before anything awaits it.
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
      const long = performance.now() - LONG_MS
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
