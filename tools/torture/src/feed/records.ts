// What is recorded of the feed, one JSON line each. Deliveries are recorded as those of the main service are.

import type { DeliveryRecord } from '../records.ts'
import type { FeedHome } from './homes.ts'
import type { RemoteWatchName, WatchName } from './watches.ts'

/** Homes that were imported or removed. It is written when the command has ended well: the change is in the data set. */
export interface ChangeRecord {
  readonly kind: 'change'
  readonly homes: readonly FeedHome[]
  readonly removed: readonly string[]
  /** Commands that were killed before one ended. */
  readonly kills: number
  /** Whether it is the first or second half of changes that are reversed while the watch `flipped` is paused. */
  readonly isFlip: boolean
}

/** The watches were created, after the changes that were recorded before. */
export interface CreatedRecord {
  readonly kind: 'created'
  readonly ids: Readonly<Record<WatchName, string>>
}

/** A page of the events of a watch, as the service sent it. */
export interface EventsRecord {
  readonly kind: 'events'
  readonly watchId: string
  readonly after: number
  readonly events: readonly SeenEvent[]
  /** Whether it is of the last reading, after all was evaluated. */
  readonly isLast: boolean
}

/** The watches over the remote data source were created. */
export interface RemoteCreatedRecord {
  readonly kind: 'remoteCreated'
  readonly ids: Readonly<Record<RemoteWatchName, string>>
}

/** All watches over the remote data source were searched to the end, while it had these homes. */
export interface RemoteSearchRecord {
  readonly kind: 'remoteSearch'
  readonly homes: readonly FeedHome[]
}

/** A page of the events of such a watch, in the end. */
export interface RemoteEventsRecord {
  readonly kind: 'remoteEvents'
  readonly name: RemoteWatchName
  readonly events: readonly SeenEvent[]
}

export interface SeenEvent {
  readonly id: string
  readonly seq: number
  readonly watch_id: string
  readonly zpid: string
  readonly type: string
  readonly reason: string | null
  readonly changed: readonly string[]
  readonly previous: Readonly<Record<string, unknown>>
  readonly current: Readonly<Record<string, unknown>>
  readonly change?: { readonly amount: number; readonly percent: number | null } | null
}

/** A record that the server of the replicated source has in the end, and shows. */
export interface ReplicaRecord {
  readonly key: string
  readonly price: number
}

/** The replicated source was read to its end, after the last change. */
export interface ReplicatedRecord {
  readonly kind: 'replicated'
  readonly records: readonly ReplicaRecord[]
}

/** What was shown of homes of the replicated source, after it was read to its end. */
export interface ShownRecord {
  readonly kind: 'shown'
  /** A lookup of the home, or all results of the job that found it when everything of it was shown. */
  readonly answers: readonly { readonly zpid: string; readonly status: number; readonly text: string }[]
  readonly jobRows: readonly Readonly<Record<string, unknown>>[]
}

export type FeedRecord =
  | ChangeRecord
  | CreatedRecord
  | EventsRecord
  | ReplicatedRecord
  | ShownRecord
  | RemoteCreatedRecord
  | RemoteSearchRecord
  | RemoteEventsRecord
  | DeliveryRecord

export interface FeedRecords {
  readonly change: ChangeRecord[]
  readonly created: CreatedRecord[]
  readonly events: EventsRecord[]
  readonly remoteCreated: RemoteCreatedRecord[]
  readonly remoteSearch: RemoteSearchRecord[]
  readonly remoteEvents: RemoteEventsRecord[]
  readonly replicated: ReplicatedRecord[]
  readonly shown: ShownRecord[]
  readonly delivery: DeliveryRecord[]
}
