// The log of imports, and imports that are held.

export { discardImport, findHeld, type HeldEntry, isOfFeed, readHeld } from './imports/held-imports.ts'
export { ImportHeld } from './imports/hold-import.ts'
export { type LoggedImport, readImports } from './imports/import-log.ts'
export { parseLimits, type SourceLimits } from './imports/limits.ts'
export { type Difference, readDifference } from './imports/show-held.ts'
export { saveLimits } from './imports/source-limits.ts'
export { addImportCounts } from './imports/undone-imports.ts'
