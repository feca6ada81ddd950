// One lookup, before it reaches the provider. A query that found nothing within the last 10 minutes is answered from the
// cache and does not use the budget. Everything else is a provider query, for which the account must have a failed lookup
// left.
// Why: decisions/data/search-takes-a-lookup-first.md

import type { AddressMatch } from '../../domain/address.ts'
import type { Database } from '../../infrastructure/database.ts'
import { type Observer, type ProviderQuery, SILENT_OBSERVER } from '../../infrastructure/platform.ts'
import type { Provider, QueryContext } from '../sources/provider.ts'
import type { StandInProvider } from '../sources/stand-ins.ts'
import type { LookupBudget } from './lookup-budget.ts'
import { createMissedLookups } from './missed-lookups.ts'

/** Everything that the provider's result depends on. */
export type LookupQuery = readonly [ProviderQuery, ...unknown[]]

export interface Lookups {
  /**
   * The result of the query: a remembered miss, unless a fresh result is required, or the result of `ask`.
   *
   * @throws {LookupBudgetExceeded} when the account has no failed lookup left; then `ask` did not run
   */
  attempt<T>(
    query: LookupQuery,
    asking: QueryContext,
    isMiss: (answer: T) => boolean,
    ask: () => Promise<T>,
  ): Promise<T>
}

/** @param budget undefined: lookups do not count */
export function createLookups(
  database: Database,
  provider: Provider,
  observer: Observer = SILENT_OBSERVER,
  budget?: LookupBudget,
): Lookups {
  const misses = createMissedLookups(database, provider.name)
  const { members: [first] = [provider.name] } = provider
  const countFallbacks = () => provider.fallbacks ?? 0

  return {
    async attempt(query, asking, isMiss, ask) {
      asking.signal.throwIfAborted()
      const { provider: pinned } = asking
      // If a job uses another provider than the first, its misses are remembered only for jobs with the same provider.
      const asked = pinned === undefined || pinned === first ? query : [...query, pinned]
      const { version, miss } = await misses.find(asked)
      if (miss && !asking.fresh) {
        observer.recordFound('missed_before')
        return miss.answer as Awaited<ReturnType<typeof ask>>
      }
      const before = countFallbacks()
      const answer = await spendLookup(budget, asking, isMiss, ask)
      // If a fallback found nothing, the first provider may still know the home, so the miss is not remembered for all.
      if (isMiss(answer) && countFallbacks() === before) await misses.keep(asked, version, answer)
      return answer
    },
  }
}

function spendLookup<T>(
  budget: LookupBudget | undefined,
  asking: QueryContext,
  isMiss: (answer: T) => boolean,
  ask: () => Promise<T>,
): Promise<T> {
  const { accountId } = asking
  return budget && accountId !== undefined ? budget.spend(accountId, asking, isMiss, ask) : ask()
}

export const isAbsent = (answer: unknown): boolean => answer === undefined
const isNoMatch = (match: AddressMatch): boolean => match.found !== 'one'

/** Adds remembered misses and the budget to all queries for single homes and buildings. */
export function rememberMisses(provider: StandInProvider, lookups: Lookups): StandInProvider {
  return {
    ...provider,
    get fallbacks() {
      return provider.fallbacks
    },
    findByZpid: (zpid, asking) =>
      lookups.attempt(['findByZpid', zpid], asking, isAbsent, () => provider.findByZpid(zpid, asking)),
    findByUrl: (listing, prefer, asking) =>
      lookups.attempt(['findByUrl', listing, prefer], asking, isAbsent, () =>
        provider.findByUrl(listing, prefer, asking),
      ),
    findByAddress: (address, prefer, asking) =>
      lookups.attempt(['findByAddress', address, prefer], asking, isNoMatch, () =>
        provider.findByAddress(address, prefer, asking),
      ),
    findUnits: (building, kind, asking) =>
      lookups.attempt(['findUnits', building, kind], asking, isAbsent, () =>
        provider.findUnits(building, kind, asking),
      ),
  }
}

/**
 * Adds the budget to searches. The search of a synchronous call is charged even if it finds nothing. It counts as a failed lookup if it is
 * not paid for because the client disconnected. Searches of jobs pass through: a job that can end without a charge counts them itself
 * (jobs/kinds/chained-search-detail.ts).
 */
export function countUnpaidSearches(provider: Provider, budget: LookupBudget): Provider {
  return {
    ...provider,
    async search(search, page, asking) {
      if (asking.owner?.background) return provider.search(search, page, asking)
      asking.signal.throwIfAborted()
      return spendLookup(
        budget,
        asking,
        () => false,
        () => provider.search(search, page, asking),
      )
    },
  }
}
