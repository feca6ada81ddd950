// The log of imports.

export { addImportCounts, type LoggedImport, readImports } from './imports/import-log.ts'
