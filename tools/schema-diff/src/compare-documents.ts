import { breaks, type Change, type Comparison } from './comparison.ts'
import type { Contract } from './contract.ts'
import { errorCatalogueOf } from './error-codes.ts'
import { comparePaths } from './paths.ts'
import { compareWebhooks } from './webhooks.ts'

/** What became of a contract, the changes that break its callers apart from those that do not. */
export interface Verdict {
  readonly breaking: readonly Change[]
  readonly harmless: readonly Change[]
}

/**
 * Compares two contracts, operation by operation and webhook by webhook. Components that nothing refers to,
 * `servers`, tags, texts and examples are no part of what is promised to a caller and are not looked at;
 * `callbacks` and `links` do not occur in this contract and are not looked at either.
 * @throws UsageError when a `$ref` in one of them cannot be followed
 */
export function compareDocuments(base: Contract, head: Contract): Verdict {
  const comparison: Comparison = {
    base,
    head,
    errorCatalogue: errorCatalogueOf(base),
    openPairs: new Set(),
    changes: [],
  }
  comparePaths(comparison)
  compareWebhooks(comparison)
  return {
    breaking: comparison.changes.filter(breaks),
    harmless: comparison.changes.filter((change) => !breaks(change)),
  }
}
