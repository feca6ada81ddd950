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
  cutIntoRanges,
  type MortonRange,
  mortonCode,
  mortonRanges,
  regionOfBox,
  splitAtAntimeridian,
  touches,
} from './search/morton.ts'
export { findBoxAround, NEARBY_COUNT, rankNearby } from './search/nearby.ts'
export {
  buildRegionOfBoundary,
  EARTH_RADIUS_M,
  hasPlaceRegion,
  intersectionOf,
  type PlaceRegion,
  placeRegionOf,
  type Region,
  regionOfBoundary,
  regionOfBounds,
  regionOfSearch,
  setPlaceRegion,
  unionOf,
} from './search/region.ts'
export {
  compareKeys,
  NEWEST,
  type RowKey,
  type RowOrder,
  rowKeyOf,
  rowOrderOf,
  type Sort,
} from './search/row-order.ts'
export { areaPlaceIn, fromListingsQuery, toAreaSearch } from './search/search-filters.ts'
export { fromSearchUrl } from './search/search-query-state.ts'
export { toMapMarker, toSearchRow } from './search/search-row.ts'
export { summaryOf } from './search/search-summary.ts'
export {
  BAND,
  FACT_COLUMNS,
  type FactsByColumn,
  FILTER_ENTRIES,
  FILTERS,
  type Filter,
  type FilterName,
  type FilterValues,
  type SearchableFacts,
  searchableFactsOf,
  spelledWords,
  TIMED_FILTERS,
} from './search/searchable-facts.ts'
export { toParentRow, toUnitRow } from './search/unit-row.ts'
