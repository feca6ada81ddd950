// CSV and NDJSON.

export { toCsv } from './formats/csv.ts'
export { columnsOf } from './formats/flatten.ts'
export { toNdjson } from './formats/ndjson.ts'
export { parseRows, type Pieces, type RowBytes, SEPARATORS, storedToCsv, storedToJson, storedToNdjson } from './formats/stored-rows.ts'
