// Named areas: built-in states and counties, and imported boundaries.

export { findZipBoxes, prepareSearches } from './places/boundary.ts'
export { boxesOfState } from './places/built-in.ts'
export { checkPlaces, findPlaces, placesOf } from './places/find-places.ts'
export {
  type ImportedKind,
  importPlaces,
  listPlaces,
  type PlaceReport,
  removePlaces,
} from './places/import-places.ts'
export { infoOf, type PlaceInfo } from './places/place.ts'
