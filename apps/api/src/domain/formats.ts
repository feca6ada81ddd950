// CSV and NDJSON.

export { toCsv } from './formats/csv.ts'
export { findColumns } from './formats/flatten.ts'
export { toNdjson } from './formats/ndjson.ts'
export {
  parseRows,
  type RowBytes,
  SEPARATORS,
  storedToCsv,
  storedToJson,
  storedToNdjson,
  type TextPieces,
} from './formats/stored-rows.ts'
