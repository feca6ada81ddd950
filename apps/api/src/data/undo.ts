// Undoes imports.

export { countReplaced } from './undo/count-replaced.ts'
export { countUndos } from './undo/count-undos.ts'
export { type ImportFate, readImportFates } from './undo/import-fate.ts'
export {
  IMPORT_UNDO_DAYS,
  type Revert,
  type RevertRefusal,
  revertImport,
} from './undo/revert-import.ts'
