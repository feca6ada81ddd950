// Pages of a search, for every job type that searches. The area is searched tile by tile, and each page is stored with the checkpoint that
// follows it.

import { affordableRows, type JobCoverage, type Property } from '@lotline/contract'
import {
  type AreaListings,
  beginSurvey,
  type FoundRows,
  MAX_TILES,
  type Permit,
  type Survey,
  surveyNext,
} from '../../../data/sources.ts'
import type { AreaSearch } from '../../../domain/search.ts'
import type { JobRun } from '../run/run.ts'

/** Rows of one page and of its checkpoint. */
const PAGE_ROWS = 1_000

export interface JobSearchPage {
  readonly records: readonly Property[]
  /** The provider's last answer, which the records belong to. */
  readonly found: FoundRows
  /** The checkpoint to store with the rows. */
  readonly survey: Survey
}

/** A page together with the job's prepared rows. */
export interface PreparedPage<T> extends JobSearchPage {
  readonly prepared: T
}

/** A page whose query is running, or that is in memory. */
interface PendingPage<T> {
  readonly page: Promise<PreparedPage<T>>
  /** The permit of the page in memory. */
  readonly place: Permit
  /** Aborts a page that is no longer needed. */
  drop(): void
}

/**
 * Yields pages from the checkpoint until the area is searched. `wanted` returns how many more rows the job can use; 0 ends the search.
 * If rows and credits reach beyond the current page, the data set is searched for the next page while this one is stored. The queries and
 * their order are the same as without this prefetch, unless the job ends at this page. Queries that cost something (at a remote provider,
 * or of the account's failed lookups) are never prefetched.
 * @param prepare prepares a page before the pages before it are stored; it is called once for each page, in order
 * @param isUnpaid whether the account may pay nothing for this answer. Each query then reserves a failed lookup. Default: every answer is
 * paid
 * @throws {LookupBudgetExceeded} when the account has no failed lookups left
 */
export async function* searchPages<T>(
  run: JobRun,
  searches: readonly AreaSearch[],
  begun: Survey | null,
  wanted: () => number,
  prepare: (page: JobSearchPage) => Promise<T> | T,
  isUnpaid?: (found: AreaListings) => boolean,
): AsyncGenerator<PreparedPage<T>, void, undefined> {
  const { provider, budget, pages } = run.tools
  // Read for each query: after the first query, the job may be bound to one provider.
  const ask = (search: AreaSearch, limit: number, signal: AbortSignal) => {
    signal.throwIfAborted()
    return provider.search(search, { limit }, { ...run.asking, signal })
  }
  const askCounted =
    budget && isUnpaid
      ? (search: AreaSearch, limit: number, signal: AbortSignal) =>
          budget.spend(run.job.accountId, run.asking, isUnpaid, () => ask(search, limit, signal))
      : ask
  const limits = {
    page: Math.min(PAGE_ROWS, provider.searchCap),
    most: provider.searchCap,
    mostTiles: MAX_TILES,
  }
  const searchNext = async (survey: Survey, rows: number, signal: AbortSignal): Promise<PreparedPage<T>> => {
    let found: FoundRows = { records: [] }
    const page = await surveyNext(searches, survey, limits, rows, async (one, limit) => {
      const answer = await run.ask({ essential: true }, () => askCounted(one, limit, signal))
      found = answer
      return answer
    })
    return { ...page, found, prepared: await prepare({ ...page, found }) }
  }
  const begin = (survey: Survey, place: Permit, rows: number): PendingPage<T> => {
    const dropping = new AbortController()
    const page = searchNext(survey, rows, AbortSignal.any([run.signal, dropping.signal]))
    // The promise is awaited later. Until then, its failure must not count as an unhandled rejection.
    page.catch(() => {})
    return { page, place, drop: () => dropping.abort(new Error('the job no longer needs the page')) }
  }
  /** undefined: the next page may not be needed, or no place in memory is free. */
  const searchAhead = ({ survey, records }: JobSearchPage): PendingPage<T> | undefined => {
    const rows = wanted() - records.length
    const isWanted = survey.pending.length > 0 && rows >= limits.page
    if (provider.knowsAreas !== true || isUnpaid || !isWanted) return undefined
    const { expected } = run
    const reached = run.units + records.length
    if (expected !== null && reached >= affordableRows([run.priceOf(null)], expected)) return undefined
    const place = pages.takeFree(run.asking.owner)
    return place && begin(survey, place, rows)
  }
  let survey = begun ?? beginSurvey(searches)
  let ahead: PendingPage<T> | undefined
  try {
    while (survey.pending.length > 0 && wanted() > 0) {
      // A page stays in memory until its rows are stored. A page of a remote provider can have 30 MB.
      const { page, place } = ahead ?? begin(survey, await pages.take(run.signal, run.asking.owner), wanted())
      ahead = undefined
      try {
        const next = await page
        survey = next.survey
        ahead = searchAhead(next)
        yield next
      } finally {
        place.release()
      }
    }
  } finally {
    // The job ends or fails here, so nothing of it may keep running. Waiting area tests leave their queue, and running statements are
    // short.
    ahead?.drop()
    await ahead?.page.catch(() => {}).finally(ahead.place.release)
  }
}

export function coverageOf({ tiles, cappedTiles, total }: Survey): Omit<JobCoverage, 'rows'> {
  return { tiles, capped_tiles: cappedTiles, total }
}
