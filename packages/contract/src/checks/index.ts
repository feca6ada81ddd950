/** Judging input by the contract: what its validators find, and the form of its keys. For Node, not for browsers. */
export { FORMAT_BY_MEDIA_TYPE, prefersReso, RESO_TYPE, refusedTypes } from './accept.ts'
export { API_KEY_PREFIX, API_KEY_SECRET_LENGTH, formatApiKey, isApiKey } from './api-key.ts'
export {
  type Area,
  MAX_AREAS,
  MAX_BOUNDARY_POSITIONS,
  MAX_RADIUS_M,
  MAX_VERTICES,
  PLACE_KINDS,
  type PlaceKind,
  type Position,
  type Ring,
  readAreas,
  readAreasBefore,
  readBoundary,
} from './area.ts'
export { type NamePlace, namePlacesIn } from './area-fault.ts'
export { describeFinding, type Fault, type Finding } from './finding.ts'
export {
  ESTIMATED_BODY,
  type EstimatedInput,
  ignoredHeader,
  inputReader,
  MAX_IGNORED,
  MAX_IGNORED_LENGTH,
  type ReadInput,
  readEstimatedInput,
  shortenFieldName,
} from './input-reader.ts'
export { type JsonType, nameTypes } from './json-types.ts'
export { readListingsPlace } from './listings-place.ts'
export { addContractKeywords } from './needs-one-of.ts'
export { markInside, runToEnd } from './polygon-sweep.ts'
export { findOrderFault, type OrderedSearch } from './row-order.ts'
export {
  BOX_KEYS,
  HOME_TYPE_KEYS,
  OTHER_KEYS,
  RANGE_KEYS,
  RENT_KEY,
  SALE_TYPE_KEYS,
  STATE_KEYS,
  STATUS_KEYS,
  SWITCH_KEYS,
  type UrlKey,
} from './search-url-keys.ts'
export { findChangedReadOnlyField } from './sent-back.ts'
export { findUnstorable, hasStorableTexts, isStorable } from './storable-text.ts'
export { boxDetails, findSwappedBox, looksSwapped } from './swapped.ts'
export { TIMED_FILTERS } from './timed-filters.ts'
export { unknownFields } from './unknown-fields.ts'
