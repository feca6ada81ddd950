// Imports and removals of listings.

export type { Completion } from './ingest/complete-source.ts'
export { type ImportProgress, type ImportReport, importListings } from './ingest/import-listings.ts'
export type { ImportWarning } from './ingest/import-notes.ts'
export { loadSample } from './ingest/load-sample.ts'
export { parseMapping, readMapping } from './ingest/mapping.ts'
export { type OpenFiles, openFiles } from './ingest/read-files.ts'
export { readZpids } from './ingest/read-zpids.ts'
export { type Removal, type RemovalReport, removeListings } from './ingest/remove-listings.ts'
export { createReportFile } from './ingest/report-file.ts'
export { sourceOfFile, sourcesOfFiles } from './ingest/source-of-file.ts'
export { placeOf } from './ingest/source-row.ts'
export { suggestMapping } from './ingest/suggest-mapping.ts'
