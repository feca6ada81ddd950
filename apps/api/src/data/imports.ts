// The log of imports.

export { type LoggedImport, readImports } from './imports/import-log.ts'
