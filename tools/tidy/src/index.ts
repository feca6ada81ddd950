export { isMigration } from './folders.ts'
export { type Import, type ImportedName, importsOf } from './imports.ts'
export { positionOf, SOURCE } from './modules.ts'
export { trackedFiles } from './tracked-files.ts'
