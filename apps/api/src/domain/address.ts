// Addresses: how they are read, compared, and matched.

export { type AddressMatch, isInAnotherState, MAX_CANDIDATES, matchAddress } from './address/match-address.ts'
export { findRecordPlace, findRecordPremise } from './address/record-address.ts'
export {
  formatAddress,
  parseAddress,
  parseLookupAddress,
  type StreetAddress,
} from './address/street-address.ts'
export { findStateByZip } from './address/zip-states.ts'
