// Records under the names of the RESO Data Dictionary.

export {
  type Dictionary,
  type Lookups,
  lookupKey,
  type MappedField,
  OverridesFault,
  readOverrides,
  standardDictionary,
} from './reso/dictionary.ts'
export { toReso } from './reso/from-record.ts'
