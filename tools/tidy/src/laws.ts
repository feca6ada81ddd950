// All laws of the code, one list: beside each its check, and the plants that prove the check. The test of this package writes all plants into
// a copy of the tree, runs `pnpm tidy` there, and expects a report of each. Promises, types, and variables are judged by biome.json.

import { CODE_LAWS } from './code-laws.ts'
import { DECISION_LAWS } from './decision-laws.ts'
import { LOG_LAWS } from './log-laws.ts'
import { MODULE_LAWS } from './module-breaches.ts'
import { PATH_LAWS } from './named-paths.ts'
import { README_LAWS } from './readme-laws.ts'
import { MIGRATION_LAWS } from './released-migrations.ts'
import { TABLE_LAWS } from './table-laws.ts'
import type { Law } from './tree.ts'
import { EXPORT_LAWS } from './unused-exports.ts'
import { WORD_LAWS } from './words.ts'

export const LAWS: readonly Law[] = [
  ...MODULE_LAWS,
  ...TABLE_LAWS,
  ...MIGRATION_LAWS,
  ...CODE_LAWS,
  ...LOG_LAWS,
  ...EXPORT_LAWS,
  ...WORD_LAWS,
  ...PATH_LAWS,
  ...DECISION_LAWS,
  ...README_LAWS,
]
