export {
  type Allowance,
  type AllowedChange,
  applyAllowList,
  readAllowList,
  type Sifted,
} from './allow-list.ts'
export { compareDocuments, type Verdict } from './compare-documents.ts'
export type { Change } from './comparison.ts'
export { type Contract, toContract } from './contract.ts'
export { readDocument } from './read-document.ts'
export { type Direction, isBreaking, type RuleName, ruleNames } from './rules.ts'
export { UsageError } from './usage-error.ts'
