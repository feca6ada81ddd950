import { compareSchemas, compareShapes } from './compare-schemas.ts'
import { breaks, type Change, type Comparison, placeOf } from './comparison.ts'
import type { Contract } from './document.ts'
import { openEnumCatalogues } from './extensions.ts'
import { comparePaths } from './operations.ts'
import { defaultPolicy, type Policy } from './policy.ts'
import { createIsSame } from './sameness.ts'
import { compareScopes } from './security.ts'
import { compareServers } from './servers.ts'
import { refuseUnknownExtensions } from './unknown-extensions.ts'
import { compareWebhooks } from './webhooks.ts'

/** What became of a contract: the changes that break its callers, and those that do not. */
export interface Verdict {
  readonly breaking: readonly Change[]
  readonly harmless: readonly Change[]
}

/**
 * Compares two documents, operation by operation and webhook by webhook. Components that nothing refers to, tags, texts,
 * examples, `callbacks` and `links` are not compared.
 * @param policy whom each kind of change breaks
 * @throws UsageError when a `$ref` in one of them cannot be followed, or the policy does not name an extension
 */
export function compareDocuments(base: Contract, head: Contract, policy: Policy = defaultPolicy): Verdict {
  for (const contract of [base, head]) refuseUnknownExtensions(contract, policy)
  const { openEnums } = policy
  const comparison: Comparison = {
    base: { ...base, openEnums },
    head: { ...head, openEnums },
    policy,
    catalogues: openEnumCatalogues(base, policy),
    openPairs: new Set(),
    recurse: { schemas: compareSchemas, shapes: compareShapes },
    changes: [],
    isSame: createIsSame(base, head),
  }
  compareServers(comparison, placeOf('servers'), base.root.servers, head.root.servers)
  compareScopes(comparison)
  comparePaths(comparison)
  compareWebhooks(comparison)
  return {
    breaking: comparison.changes.filter((change) => breaks(policy, change)),
    harmless: comparison.changes.filter((change) => !breaks(policy, change)),
  }
}
