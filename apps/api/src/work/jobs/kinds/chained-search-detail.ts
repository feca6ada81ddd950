// `chained_search_detail`: searches, then looks up the full record of each home found. The search rows are charged but not kept. The search
// stops when the hold cannot pay for more rows and their records.
// Why: decisions/work/empty-details-search-counts.md

import { affordableRows, type Property, priceOfStage } from '@lotline/contract'
import { prepareSearches } from '../../../data/places.ts'
import type { Survey } from '../../../data/sources.ts'
import { type ListingSites, lookupUrl } from '../../../domain/site-urls.ts'
import { type ChainedRequest, cutBy, type Ending } from '../job.ts'
import type { JobRun } from '../run/run.ts'
import type { LookupEntry } from './look-up.ts'
import { lookUpAll } from './look-up-all.ts'
import { coverageOf, searchPages } from './search-pages.ts'

/** A home found by the search. */
interface FoundHome {
  readonly zpid: string
  /** Set only for buildings, which are not looked up by zpid. */
  readonly url?: string
}

/** The checkpoint contains the homes found so far until the search stage ends. */
interface SearchCheckpoint {
  readonly survey: Survey
  readonly homes: readonly FoundHome[]
  readonly isCut: boolean
}

interface SearchedHomes {
  readonly homes: readonly FoundHome[]
  readonly isCut: boolean
}

export async function runChained(run: JobRun): Promise<Ending | 'unfinished'> {
  const { prefer, units } = run.job.request as ChainedRequest
  const found = run.job.chainStage === 'detail' ? (run.job.found as SearchedHomes) : await searchStage(run)
  if (found === 'unfinished') return 'unfinished'
  const entries: LookupEntry[] = found.homes.map(({ zpid, url }) =>
    url === undefined ? { by: 'zpid', text: zpid } : { by: 'url', text: url, input: zpid },
  )
  const ending = await lookUpAll(run, entries, {
    prefer,
    units,
    stage: 'detail',
    maxItems: Number.POSITIVE_INFINITY,
    reserved: priceOfStage(run.priceOf('search'), found.homes.length),
  })
  return ending !== 'unfinished' && ending.status === 'succeeded' && found.isCut
    ? cutBy(run.shortOf(run.prices, found.homes.length))
    : ending
}

async function searchStage(run: JobRun): Promise<SearchedHomes | 'unfinished'> {
  const { search, method, maxItems } = run.job.request as ChainedRequest
  await prepareSearches(run.tools.database, [search])
  const begun = run.job.checkpoint as SearchCheckpoint | null
  const homes = new Map((begun?.homes ?? []).map((home) => [home.zpid, home]))
  const most = Math.min(maxItems, affordableRows(run.prices, run.held))
  let isCut = begun?.isCut ?? false
  for await (const { records, survey } of searchPages(
    run,
    [search],
    begun?.survey ?? null,
    // Requests one home more than the hold pays for, which shows whether the search has more.
    () => (isCut ? 0 : Math.min(maxItems, most + 1) - homes.size),
    () => undefined,
    // This search has no minimum price: a job that finds nothing is free, although it has queried the provider.
    ({ records }) => records.length === 0 && homes.size === 0,
  )) {
    for (const record of records) {
      const home = foundHome(record, run.tools.sites)
      if (homes.has(home.zpid) || homes.size >= maxItems) continue
      if (homes.size < most) homes.set(home.zpid, home)
      else isCut = true
    }
    const checkpoint: SearchCheckpoint = { survey, homes: [...homes.values()], isCut }
    await run.store({
      done: homes.size,
      searchUnits: homes.size,
      total: Math.min(survey.total, maxItems),
      checkpoint,
      ...(method === 'PAGINATION_WITH_ZOOM_IN' && { coverage: coverageOf(survey) }),
    })
    if (run.stopping) return 'unfinished'
  }
  const found: SearchedHomes = { homes: [...homes.values()], isCut }
  await run.store({
    chainStage: 'detail',
    found,
    searchUnits: homes.size,
    done: 0,
    total: homes.size,
    checkpoint: { next: 0 },
  })
  return found
}

function foundHome(record: Property, sites: ListingSites): FoundHome {
  const zpid = String(record.zpid)
  const isBuilding = (record as { isBuilding?: unknown }).isBuilding === true
  const url = isBuilding ? lookupUrl(record, sites) : undefined
  return url === undefined ? { zpid } : { zpid, url }
}
