// Watches: saved searches whose changes become events.

export { type MinChange, WATCH_EVENTS } from './watches/home-event.ts'
export { shownEvent, shownWatch, shownWithoutHomes } from './watches/notify.ts'
export {
  type AllWatchesFilter,
  readAllWatches,
  type StoredEvent,
  type WatchInfo,
  type WatchListEntry,
} from './watches/read-watches.ts'
export type { NewSubscriber, SubscriberRefusal } from './watches/subscribers/subscriber-store.ts'
export { type ImportUndo, refundEventsOfImport, undoImport } from './watches/undo-import.ts'
export { updateWatch } from './watches/update-watch.ts'
export type { WatchTarget } from './watches/watch-store.ts'
export { createWatches, type Subscriptions, type Watches } from './watches/watches.ts'
