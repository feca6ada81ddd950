// Finds the homes of a watch at a remote data source: by an exhaustive search, or by looking up each home of its list. The result is always
// complete: a failed query is thrown, and an incomplete result is returned as `incomplete`, with the reason.

import type { Property } from '@lotline/contract'
import {
  beginSurvey,
  type ListingFacts,
  MAX_TILES,
  type Provider,
  type QueryContext,
  surveyNext,
  toColumns,
} from '../../data/sources.ts'
import type { AreaSearch } from '../../domain/search.ts'

/** Maximum queries of one scan, which bounds the cost of a source that never returns an area completely. */
const MAX_QUERIES = 2_000
const FEWEST_QUERIES = 100
/** Queries for each full answer that the whole area would take: quarters hold unequal parts of it. */
const QUERIES_PER_ANSWER = 20
/** Concurrent lookups of one scan. */
const LOOKUPS_AT_A_TIME = 8

/** A home as the source returns it. */
export interface SeenHome {
  readonly zpid: string
  readonly facts: Pick<ListingFacts, 'kind' | 'is_pending' | 'sale_type' | 'price'>
  readonly listedAt: Date | null
  readonly sourceUpdatedAt: Date | null
  /** The provider that has it, or the one of several listing sources behind it. */
  readonly source: string
  /** The home as JSON, from which its search row is built. */
  readonly summary: string
}

/** The homes by zpid, or the reason why they are incomplete. */
export type Scan = { readonly homes: ReadonlyMap<string, SeenHome> } | { readonly incomplete: string }

/** Finds all homes of a search. */
export async function scanSearch(
  provider: Provider,
  search: AreaSearch,
  asking: QueryContext,
): Promise<Scan> {
  const limits = { page: provider.searchCap, most: provider.searchCap, mostTiles: MAX_TILES }
  const seen = new Map<string, SeenHome>()
  let survey = beginSurvey([search])
  let queries = 0
  let dropped = 0
  let sourceOf = (_record: Property) => provider.name
  while (survey.pending.length > 0) {
    const page = await surveyNext([search], survey, limits, Number.POSITIVE_INFINITY, async (tile, limit) => {
      queries += 1
      const found = await provider.search(tile, { limit }, asking)
      dropped += found.dropped ?? 0
      const { sources, provider: answeredBy = provider.name } = found
      sourceOf = ({ zpid }) => sources?.get(String(zpid))?.name ?? answeredBy
      return found
    })
    survey = page.survey
    const answers = Math.ceil(survey.total / provider.searchCap)
    const most = Math.min(MAX_QUERIES, FEWEST_QUERIES + QUERIES_PER_ANSWER * answers)
    // The content of an unusable row is unknown, so its home may be among the missing ones.
    if (dropped > 0) return { incomplete: `${dropped} listings cannot be used` }
    if (survey.cappedTiles > 0) return { incomplete: 'the source has more listings than it sends' }
    if (queries > most) return { incomplete: `the search takes more than ${most} queries` }
    for (const home of page.records.flatMap((record) => toSeen(record, sourceOf(record)) ?? []))
      seen.set(home.zpid, home)
  }
  return { homes: seen }
}

/** Looks homes up. Homes that the source does not have, and homes that are off the market, are not in the result. */
export async function scanHomes(
  provider: Provider,
  zpids: readonly string[],
  asking: QueryContext,
): Promise<ReadonlyMap<string, SeenHome>> {
  const seen = new Map<string, SeenHome>()
  for (let from = 0; from < zpids.length; from += LOOKUPS_AT_A_TIME) {
    const some = zpids.slice(from, from + LOOKUPS_AT_A_TIME)
    const found = await Promise.all(some.map((zpid) => provider.findByZpid(zpid, asking)))
    for (const [at, one] of found.entries()) {
      const home = one && toSeen(one.record, one.source ?? provider.name)
      // The query had this zpid, so the home is reported under it.
      if (home) seen.set(some[at]!, { ...home, zpid: some[at]! })
    }
  }
  return seen
}

function toSeen(record: Property, source: string): SeenHome | undefined {
  const columns = toColumns(record, source)
  if (columns.isBuilding) return undefined
  const { zpid, kind, isPending, saleType, price, listedAt, sourceUpdatedAt, summary } = columns
  return {
    zpid,
    facts: { kind, is_pending: isPending, sale_type: saleType, price },
    listedAt: listedAt === null ? null : new Date(listedAt),
    sourceUpdatedAt: sourceUpdatedAt === null ? null : new Date(sourceUpdatedAt),
    source,
    summary,
  }
}

/** The provider for one scan. `onQuery` is called before each query, and can throw to end the scan. */
export function countQueries(provider: Provider, onQuery: () => Promise<void>): Provider {
  return {
    ...provider,
    async search(search, page, asking) {
      await onQuery()
      return provider.search(search, page, asking)
    },
    async findByZpid(zpid, asking) {
      await onQuery()
      return provider.findByZpid(zpid, asking)
    },
  }
}
