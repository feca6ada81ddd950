// Several providers in order (`PROVIDERS`). The first one answers. If it fails (a lost connection, a timeout, a 429, a 5xx, or a response
// that breaks the contract), the next one is asked. "Not found" is an answer, so no other provider is asked. After a refusal (a filter that
// the provider cannot apply) the query fails. Each provider has its own resilience, and its share of the time of a query. One provider
// gives the whole result: a search's further pages and all queries of a job go to the provider that answered first. So a query can name the
// provider that it continues (`provider`). If that provider fails, the query fails.

import type { SourceRecord } from '../../domain/record.ts'
import {
  type PageRequest,
  type Provider,
  ProviderFailure,
  ProviderTimeout,
  type QueryContext,
  QueryRefused,
} from './provider.ts'

export interface StandInProvider extends Provider {
  readonly members: readonly string[]
  readonly fallbacks: number
  readonly knowsAreas: boolean
}

/** @param providers at least one, each made resilient */
export function withStandIns(
  providers: readonly Provider[],
  onFallback: (name: string, failure: Error) => void = () => {},
): StandInProvider {
  const [first] = providers
  if (!first) throw new Error('At least one provider is required.')
  let fallbacks = 0

  async function ask<T>(
    pinned: string | undefined,
    asking: QueryContext,
    query: (provider: Provider) => Promise<T>,
  ): Promise<{ readonly answer: T; readonly by: Provider }> {
    const members = pinned === undefined ? providers : providers.filter(({ name }) => name === pinned)
    let failure: Error | undefined
    for (const by of members) {
      try {
        const answer = await query(by)
        if (by !== first && pinned === undefined) {
          fallbacks++
          onFallback(by.name, failure!)
        }
        if (providers.length > 1) asking.answeredBy?.(by.name)
        return { answer, by }
      } catch (error) {
        asking.signal.throwIfAborted()
        if (error instanceof QueryRefused) throw error
        if (!(error instanceof ProviderFailure || error instanceof ProviderTimeout)) throw error
        failure = error
      }
    }
    throw failure ?? new ProviderFailure(`${pinned} is no longer one of the providers`)
  }

  const named = (listing: SourceRecord, { name }: Provider): SourceRecord => ({
    source: name,
    ...listing,
    ...(providers.length > 1 && { provider: name }),
  })

  return {
    // The key of cached records and misses. A single provider keeps its own name.
    name: providers.map(({ name }) => name).join('|'),
    members: providers.map(({ name }) => name),
    searchCap: Math.min(...providers.map(({ searchCap }) => searchCap)),
    knowsAreas: providers.every(({ knowsAreas }) => knowsAreas === true),
    get fallbacks() {
      return fallbacks
    },

    async findByZpid(zpid, asking) {
      const { answer, by } = await ask(asking.provider, asking, (one) => one.findByZpid(zpid, asking))
      return answer && named(answer, by)
    },

    async findByUrl(listing, prefer, asking) {
      const query = (one: Provider) => one.findByUrl(listing, prefer, asking)
      const { answer, by } = await ask(asking.provider, asking, query)
      return answer && named(answer, by)
    },

    async findByAddress(address, prefer, asking) {
      const query = (one: Provider) => one.findByAddress(address, prefer, asking)
      const { answer, by } = await ask(asking.provider, asking, query)
      return answer.found === 'one' ? { found: 'one', listing: named(answer.listing, by) } : answer
    },

    async findUnits(building, kind, asking) {
      const query = (one: Provider) => one.findUnits(building, kind, asking)
      const { answer, by } = await ask(asking.provider, asking, query)
      return answer && providers.length > 1 ? { ...answer, provider: by.name } : answer
    },

    async search(search, page: PageRequest, asking) {
      const pinned = page.provider ?? asking.provider
      const { answer, by } = await ask(pinned, asking, (one) => one.search(search, page, asking))
      return providers.length > 1 ? { ...answer, provider: by.name } : answer
    },
  }
}

/** Only the first provider: for watches, which would report another provider's rows as changes. */
export function firstOf(provider: StandInProvider): Provider {
  const [first] = provider.members
  return {
    ...provider,
    search: (search, page, asking) => provider.search(search, { ...page, provider: first! }, asking),
  }
}
