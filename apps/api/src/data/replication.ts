// Connected sources: feeds and files that Lotline reads by itself.

export { type CheckedFile, checkFile } from './replication/check-file.ts'
export { checkFeed, requireFitting } from './replication/check-source.ts'
export {
  PROFILE_NAMES,
  PROFILES,
  type ProfileName,
  profileOf,
  RELATED_NAMES,
  type RelatedName,
} from './replication/profiles.ts'
export { parseOverrides, type SyncResult, syncSource } from './replication/run-source.ts'
export {
  countSource,
  listRejected,
  readStatus,
  readUnknownLookups,
  type SourceStatus,
} from './replication/source-status.ts'
export {
  addSource,
  type ConnectedSource,
  findConnected,
  pauseSource,
  removeSource,
  resumeSource,
  type SourceSettings,
} from './replication/source-store.ts'
export { startSyncing } from './replication/start-syncing.ts'
