// The provider port, its adapters, and the resilience around them.

export { type Cursors, createCursors } from './sources/cursors.ts'
export {
  CHANGES_KEPT_DAYS,
  hasNewPrice,
  type ListingChange,
  type ListingFacts,
  type ReportedStatus,
  readChanges,
  readLatestChanges,
  reportedStatus,
} from './sources/dataset/change-log.ts'
export { type Counts, countListings, countQuickly, sampleHomes } from './sources/dataset/count-listings.ts'
export { createDatasetProvider } from './sources/dataset/dataset-provider.ts'
export { toColumns } from './sources/dataset/listing-columns.ts'
export { matcherOf } from './sources/dataset/matches.ts'
export { openReadReplica, type ReadReplica, searchOnReplica } from './sources/dataset/read-replica.ts'
export { createHttpProvider } from './sources/http/http-provider.ts'
export {
  createPublicNames,
  createSourceDirectory,
  creditOf,
  type DataSource,
  type FoundRows,
  originOf,
  rowsOfBuilding,
  type SourceDirectory,
} from './sources/origin.ts'
export {
  type AreaListings,
  type BuildingListings,
  type Provider,
  ProviderFailure,
  ProviderTimeout,
  type QueryContext,
  type QueryOwner,
  QueryRefused,
} from './sources/provider.ts'
export { makeResilient } from './sources/resilience/resilient-provider.ts'
export type { BreakerState } from './sources/resilience/retry.ts'
export { createSemaphore, type LocalSemaphore, type Permit } from './sources/resilience/semaphore.ts'
export { type AddressBoxes, searchInAreas } from './sources/search-in-areas.ts'
export { firstOf, type StandInProvider, withStandIns } from './sources/stand-ins.ts'
export { beginSurvey, MAX_TILES, type Survey, surveyNext } from './sources/tiler.ts'
