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
  isJsonObject,
  type JsonObject,
  type PropertyReader,
  readFlag,
  readNumber,
  readProperty,
  readText,
  type UnknownLookup,
} from './reso/property-reader.ts'
