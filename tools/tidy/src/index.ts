export { folderOf, isMigration, placeOf, testPlaceOf } from './folders.ts'
export { type Import, importsOf } from './imports.ts'
export { trackedFiles } from './tracked-files.ts'
