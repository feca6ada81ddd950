// Searches: filters, areas, order, rows, and what a listing site's URL asks for.

export {
  type AreaSearch,
  type BoundingBox,
  type DaysOnSite,
  findsUnplaced,
  type NumberRange,
  type PlaceArea,
  type SearchArea,
  type SearchStatus,
  WORLD,
} from './search/area-search.ts'
export {
  boxRegion,
  cutIntoRanges,
  type MortonRange,
  mortonCode,
  mortonRanges,
  splitAtAntimeridian,
  touches,
} from './search/morton.ts'
export { findBoxAround, NEARBY_COUNT, rankNearby } from './search/nearby.ts'
export {
  boundaryRegion,
  boundsRegion,
  buildBoundaryRegion,
  EARTH_RADIUS_M,
  getPlaceRegion,
  hasPlaceRegion,
  intersectRegions,
  type PlaceRegion,
  type Region,
  searchRegion,
  setPlaceRegion,
  uniteRegions,
} from './search/region.ts'
export {
  compareKeys,
  NEWEST_FIRST,
  type RowKey,
  type RowOrder,
  type Sort,
  toRowKey,
  toRowOrder,
} from './search/row-order.ts'
export { areaPlaceIn, fromListingsQuery, toAreaSearch } from './search/search-filters.ts'
export { fromSearchUrl } from './search/search-query-state.ts'
export { toMapMarker, toSearchRow } from './search/search-row.ts'
export { toSearchSummary } from './search/search-summary.ts'
export {
  BAND,
  FACT_COLUMNS,
  type FactsByColumn,
  FILTER_ENTRIES,
  FILTERS,
  type Filter,
  type FilterName,
  type FilterValues,
  readSearchableFacts,
  type SearchableFacts,
  spelledWords,
  TIMED_FILTERS,
} from './search/searchable-facts.ts'
export { toParentRow, toUnitRow } from './search/unit-row.ts'
