export { compareDocuments, type Verdict } from './compare-documents.ts'
export type { Change } from './comparison.ts'
export {
  type Contract,
  findBase,
  readDocument,
  readJsonOrYaml,
  readSpec,
  toContract,
  UsageError,
} from './document.ts'
export type { JsonObject, JsonValue } from './json.ts'
export {
  type Breaks,
  type Direction,
  defaultPolicy,
  defaultRules,
  type Extension,
  isBreaking,
  type Policy,
  type RuleName,
} from './policy.ts'
export { readPolicy, toPolicy } from './policy-file.ts'
