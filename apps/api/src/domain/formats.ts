// CSV and NDJSON.

export { toCsv } from './formats/csv.ts'
export { columnsOf } from './formats/flatten.ts'
export { toNdjson } from './formats/ndjson.ts'
export {
  type Pieces,
  parseRows,
  type RowBytes,
  SEPARATORS,
  storedToCsv,
  storedToJson,
  storedToNdjson,
} from './formats/stored-rows.ts'
