// The tables of the data set: the listings of each source.

export {
  countSample,
  isSourceName,
  listImports,
  listSources,
  NAME_RULE,
  SAMPLE_SOURCE,
} from './listings/listing-source.ts'
