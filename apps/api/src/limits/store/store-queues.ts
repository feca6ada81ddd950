// The queue of each key, over all processes. A call's ticket lies in the store; the place in this process is only where its
// call waits to hear that the ticket has come to the front. A slot is a lease: when this process may have been given up,
// or the store has forgotten it, the slot is lost, and its call charges nothing.

import { orAborted } from '../../platform/or-aborted.ts'
import { type KeyQueues, LimitsUnavailable, type Slot, type WaitOptions } from '../limits.ts'
import type { HeldTicket, InstanceRegistry } from './instance-registry.ts'
import { EPOCH_KEY, storeKeys } from './scripts.ts'

export interface StoreQueues extends KeyQueues {
  tickets(): readonly HeldTicket[]
  awaitedKeys(): readonly string[]
  onFront(ticket: number): void
  onStoreLost(error: LimitsUnavailable): void
}

interface Ticket extends HeldTicket {
  inFlight: boolean
  /** The losses of slots when this one was given. */
  lossesAtFront: number
  readonly front: PromiseWithResolvers<void>
}

const MAX_REJOINS = 5

/** `membership` is asked for when it is needed: it is made of what these queues hold. */
export function createStoreQueues(registry: () => InstanceRegistry): StoreQueues {
  const tickets = new Map<number, Ticket>()
  let numbers = 0

  function come(ticket: Ticket): void {
    ticket.inFlight = true
    ticket.lossesAtFront = registry().losses
    ticket.front.resolve()
  }

  async function ask(ticket: Ticket): Promise<void> {
    for (let attempt = 0; attempt < MAX_REJOINS; attempt++) {
      const store = registry()
      await store.whenUp()
      const { epoch, name, isOpen } = store
      const keys = [EPOCH_KEY, storeKeys.processes(epoch), storeKeys.queue(epoch, ticket.keyId)]
      const [verdict, arrival] = await store.run('take', keys, [epoch, name, ticket.number, isOpen ? 1 : 0])
      if (verdict === 'rejoin') {
        await store.rejoin()
        continue
      }
      // Under an earlier name of this process nothing is held any more: the ticket was brought along as one that waits.
      if (name !== store.name) return
      // Needed by one that was told first that it is at the front, too: it is brought along with its arrival.
      ticket.arrival = String(arrival)
      if (verdict === 'held' && !ticket.inFlight) come(ticket)
      return
    }
    throw new LimitsUnavailable('The store of the rate limits is not at rest.')
  }

  function wait(ticket: Ticket, { signal }: WaitOptions): Promise<void> {
    return orAborted(ticket.front.promise, signal)
  }

  function giveBack(ticket: Ticket): void {
    if (!tickets.delete(ticket.number)) return
    const store = registry()
    const { epoch, name } = store
    const keys = [EPOCH_KEY, storeKeys.processes(epoch), storeKeys.queue(epoch, ticket.keyId)]
    // Not awaited. If it does not arrive, this process registers again without the ticket.
    store.run('release', keys, [epoch, `${name}:${ticket.number}`]).catch(() => {})
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
    async take(keyId, patience) {
      const front = Promise.withResolvers<void>()
      // It may reject before anything awaits it.
      front.promise.catch(() => {})
      const ticket: Ticket = {
        number: ++numbers,
        keyId,
        inFlight: false,
        arrival: '',
        lossesAtFront: 0,
        front,
      }
      tickets.set(ticket.number, ticket)
      try {
        await ask(ticket)
        if (!ticket.inFlight) await wait(ticket, patience)
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
    awaitedKeys() {
      const waiting = new Set<string>()
      for (const { keyId, inFlight } of tickets.values()) if (!inFlight) waiting.add(keyId)
      return [...waiting]
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
