// What a client needs to know: where the service is, who it is itself, what there is to be found, and where to write down
// what it sees.

import type { Log } from '../log.ts'
import type { Truth } from '../provider/truth.ts'
import type { Random } from '../random.ts'
import type { Receivers } from '../receivers/receivers.ts'

export interface WorldKey {
  readonly id: string
  readonly accountId: string
  /** The key itself. It is in no record. */
  readonly text: string
}

export interface Origin {
  readonly host: string
  readonly port: number
}

export interface World {
  /** A way to the service over a bad network. */
  readonly origin: Origin
  /** The way without a proxy of faults. */
  readonly direct: Origin
  /** Between two calls of a burst, in milliseconds: longer than the service needs to take one in. */
  readonly burstGapMs: number
  readonly truth: Truth
  readonly receivers: Receivers
  readonly log: Log
  /** Secrets that were shown, by the path of their webhook. */
  readonly secrets: Map<string, string>
  /** Keys that clients have created, by their ids. */
  readonly newKeys: Map<string, string>
  /** True once the clients are to end. */
  readonly stopping: { now: boolean }
  /** Counts calls. */
  nextCall(): number
  /** An id of a home that no client has asked for yet. */
  newZpid(): string
  /** The same, of a home that the provider has to look for. */
  newSlowZpid(): string
}

/** A client does the same kind of thing again and again until it is stopped. */
export interface Client {
  readonly name: string
  /** Once. */
  turn(): Promise<void>
}

export type MakeClient = (world: World, name: string, key: WorldKey, random: Random) => Client
