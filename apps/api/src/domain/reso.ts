// The RESO Data Dictionary: properties read by its names, and records shown under them.

export {
  type Dictionary,
  lookupKey,
  type MappedField,
  OverridesFault,
  readOverrides,
  standardDictionary,
} from './reso/dictionary.ts'
export { toReso } from './reso/from-record.ts'
export {
  flagOf,
  isJsonObject,
  type JsonObject,
  numberOf,
  type PropertyReader,
  readProperty,
  textOf,
  type UnknownLookup,
} from './reso/property-reader.ts'
