// The pages of a search, whichever job wants them: the area tile by tile, each page with the checkpoint that follows it.

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

/** Rows of one search, and so of one checkpoint. */
const PAGE_ROWS = 1_000

export interface JobSearchPage {
  readonly records: readonly Property[]
  /** The last answer of the provider, which the records are of. */
  readonly found: FoundRows
  /** To be written with them. */
  readonly survey: Survey
}

/** A page with what its job has made of it. */
export interface PreparedPage<T> extends JobSearchPage {
  readonly prepared: T
}

/** A page that is being searched for, or that is in memory. */
interface PendingPage<T> {
  readonly page: Promise<PreparedPage<T>>
  /** The place of the page in memory. */
  readonly place: Permit
  /** The page is not wanted any more. */
  drop(): void
}

/**
 * From where it was left until the area is searched. `wanted` says how many more rows can be of use; at 0 it ends.
 *
 * The data set is searched for the next page while this one is stored, where rows and credits reach beyond this one: the queries
 * and their order are those of one page after the other, unless the job ends at this page because its account runs out of
 * credits or it is stopped. Queries that cost something, at a remote provider or of the account's failed lookups, are not made
 * ahead.
 *
 * @param prepare makes of a page what can be made before the pages before it are stored. Called once for each page, in order
 * @param isUnpaid whether the account may pay nothing for such an answer. Each query then takes a failed lookup, which such
 *   an answer spends. Default: every answer is paid
 * @throws {LookupBudgetExceeded} when the account has none left
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
  // Read for each query: after the first, it may name the one provider to ask.
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
    // Awaited later: until then a failure must not count as unhandled.
    page.catch(() => {})
    return { page, place, drop: () => dropping.abort(new Error('the page is not wanted any more')) }
  }
  /** undefined: it is not certain that the next page is wanted, or there is no place for it. */
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
      // Until its rows are stored a page is in memory, and a remote provider's may have 30 MB.
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
    // The job ends here, or fails. Nothing of it may be under way then: waiting areas leave their line, and a statement is short.
    ahead?.drop()
    await ahead?.page.catch(() => {}).finally(ahead.place.release)
  }
}

export function coverageOf({ tiles, cappedTiles, total }: Survey): Omit<JobCoverage, 'rows'> {
  return { tiles, capped_tiles: cappedTiles, total }
}
