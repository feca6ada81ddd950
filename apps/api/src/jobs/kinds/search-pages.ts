// The pages of a search, whichever job wants them: the area tile by tile, each page with the checkpoint that follows it.

import type { JobCoverage, Property } from '@lotline/contract'
import type { AreaSearch } from '../../search/area-search.ts'
import type { FoundRows } from '../../sources/origin.ts'
import type { AreaListings } from '../../sources/provider.ts'
import { beginSurvey, MAX_TILES, type Survey, surveyNext } from '../../sources/tiler.ts'
import type { Run } from '../run/run.ts'

/** Rows of one search, and so of one checkpoint. */
const PAGE_ROWS = 1_000

export interface SearchPage {
  readonly records: readonly Property[]
  /** The last answer of the provider, which the records are of. */
  readonly found: FoundRows
  /** To be written with them. */
  readonly survey: Survey
}

/**
 * From where it was left until the area is searched. `wanted` says how many more rows can be of use; at 0 it ends.
 *
 * @param isUnpaid whether the account may pay nothing for such an answer. Each query then takes a failed lookup, which such
 *   an answer spends. Default: every answer is paid
 * @throws {LookupBudgetExceeded} when the account has none left
 */
export async function* searchPages(
  run: Run,
  searches: readonly AreaSearch[],
  begun: Survey | null,
  wanted: () => number,
  isUnpaid?: (found: AreaListings) => boolean,
): AsyncGenerator<SearchPage, void, undefined> {
  const { provider, budget } = run.tools
  // Read for each query: after the first, it may name the one provider to ask.
  let found: FoundRows = { records: [] }
  const ask = async (search: AreaSearch, limit: number) => {
    const answer = await provider.search(search, { limit }, run.asking)
    found = answer
    return answer
  }
  const askCounted =
    budget && isUnpaid
      ? (search: AreaSearch, limit: number) =>
          budget.spend(run.job.accountId, run.asking, isUnpaid, () => ask(search, limit))
      : ask
  const limits = {
    page: Math.min(PAGE_ROWS, provider.searchCap),
    most: provider.searchCap,
    mostTiles: MAX_TILES,
  }
  let survey = begun ?? beginSurvey(searches)
  while (survey.pending.length > 0 && wanted() > 0) {
    // Until its rows are stored a page is in memory, and a remote provider's may have 30 MB.
    const place = await run.tools.pages.take(run.signal, run.asking.owner)
    try {
      const page = await surveyNext(searches, survey, limits, wanted(), (search, limit) =>
        run.ask({ essential: true }, () => askCounted(search, limit)),
      )
      survey = page.survey
      yield { ...page, found }
    } finally {
      place.release()
    }
  }
}

export function coverageOf({ tiles, cappedTiles, total }: Survey): Omit<JobCoverage, 'rows'> {
  return { tiles, capped_tiles: cappedTiles, total }
}
