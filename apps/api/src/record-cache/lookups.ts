// One lookup, before it reaches the provider. A query that found nothing within the last 10 minutes is answered from the
// cache and does not use the budget. Everything else is a provider query, for which the account must have a failed lookup
// left.

import type { AddressMatch } from '../address/match-address.ts'
import type { Database } from '../database/database.ts'
import { type Observer, type ProviderQuery, SILENT } from '../platform/observer.ts'
import type { Asking, Provider } from '../sources/provider.ts'
import type { LookupBudget } from './lookup-budget.ts'
import { createMissedLookups } from './missed-lookups.ts'

/** Everything that the provider's answer depends on. */
export type LookupQuery = readonly [ProviderQuery, ...unknown[]]

export interface Lookups {
  /**
   * The answer to the query: a remembered miss, unless a fresh answer is wanted, or what `ask` brings from the provider.
   *
   * @throws {LookupBudgetExceeded} when the account has no failed lookup left, and nothing was asked
   */
  attempt<T>(
    query: LookupQuery,
    asking: Asking,
    isMiss: (answer: T) => boolean,
    ask: () => Promise<T>,
  ): Promise<T>
  /**
   * The answer to a query of a synchronous call that is charged even if it finds nothing. It counts as a failed lookup if
   * it is not paid for, because the client disconnected.
   *
   * @throws {LookupBudgetExceeded} when the account has no failed lookup left, and nothing was asked
   */
  attemptPaid<T>(asking: Asking, ask: () => Promise<T>): Promise<T>
}

/** Of several providers in order (sources/stand-ins.ts). */
export interface ProviderOrder {
  /** The name of the one that is asked first. */
  readonly first: string
  /**
   * How many answers came from another one. What such a one does not know, the first may know, so that is not remembered for
   * all.
   */
  countFallbacks(): number
}

/** @param source the provider's name, of several the name of all */
export function createLookups(
  database: Database,
  source: string,
  observer: Observer = SILENT,
  budget?: LookupBudget,
  order: ProviderOrder = { first: source, countFallbacks: () => 0 },
): Lookups {
  const misses = createMissedLookups(database, source)

  function spend<T>(asking: Asking, isMiss: (answer: T) => boolean, ask: () => Promise<T>): Promise<T> {
    const { accountId } = asking
    return budget && accountId !== undefined ? budget.spend(accountId, asking, isMiss, ask) : ask()
  }

  return {
    async attempt<T>(
      query: LookupQuery,
      asking: Asking,
      isMiss: (answer: T) => boolean,
      ask: () => Promise<T>,
    ): Promise<T> {
      asking.signal.throwIfAborted()
      const { provider } = asking
      // What only another provider than the first was asked is remembered for jobs that keep to that one.
      const asked = provider === undefined || provider === order.first ? query : [...query, provider]
      const { version, miss } = await misses.find(asked)
      if (miss && !asking.fresh) {
        observer.recordFound('missed_before')
        return miss.answer as T
      }
      const before = order.countFallbacks()
      const answer = await spend(asking, isMiss, ask)
      if (isMiss(answer) && order.countFallbacks() === before) await misses.keep(asked, version, answer)
      return answer
    },
    async attemptPaid<T>(asking: Asking, ask: () => Promise<T>): Promise<T> {
      asking.signal.throwIfAborted()
      return spend(asking, () => false, ask)
    },
  }
}

export const isAbsent = (answer: unknown): boolean => answer === undefined
const isNoMatch = (match: AddressMatch): boolean => match.found !== 'one'

/**
 * The provider for all that looks up single homes and buildings, and searches. Searches are not remembered. Those of jobs
 * pass through: a job that can end without a charge counts them itself (jobs/kinds/chained-search-detail.ts).
 */
export function rememberMisses(provider: Provider, lookups: Lookups): Provider {
  return {
    name: provider.name,
    searchCap: provider.searchCap,
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
    search: (search, page, asking) =>
      asking.owner?.background
        ? provider.search(search, page, asking)
        : lookups.attemptPaid(asking, () => provider.search(search, page, asking)),
  }
}
