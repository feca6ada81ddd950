// Saved searches whose changes become events.

export { type MinChange, WATCH_EVENTS } from './watches/home-event.ts'
export { shownEvent, shownWatch, shownWithoutHomes } from './watches/notify.ts'
export {
  type AllWatchesFilter,
  type ListedWatch,
  readAllWatches,
  type StoredEvent,
  type WatchInfo,
} from './watches/read-watches.ts'
export { updateWatch } from './watches/update-watch.ts'
export type { Watched } from './watches/watch-store.ts'
export { createWatches, type Watches } from './watches/watches.ts'
