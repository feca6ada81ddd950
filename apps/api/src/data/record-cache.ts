// Records and misses that are kept for a time.

export {
  createLookupBudget,
  findLookupsByPlan,
  findLookupsUsed,
  type LookupBudget,
  LookupBudgetExceeded,
  type PlanLookups,
} from './record-cache/lookup-budget.ts'
export { countUnpaidSearches, createLookups, rememberMisses } from './record-cache/lookups.ts'
export {
  type CachedRecord,
  createRecordCache,
  type FoundRecord,
  isCached,
  parseRecord,
  type RecordCache,
} from './record-cache/record-cache.ts'
