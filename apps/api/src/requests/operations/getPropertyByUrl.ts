import type { RecordCache } from '../../data/record-cache.ts'
import type { SourceDirectory, StandInProvider } from '../../data/sources.ts'
import { type ListingSites, parseListingUrl } from '../../domain/site-urls.ts'
import { isRefusal, refuseFor } from '../../infrastructure/refusals.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { presentUnitRecords } from '../presentation/building.ts'
import { readForm } from '../presentation/form.ts'
import { presentHome } from '../presentation/home.ts'

export interface GetPropertyByUrlDeps {
  readonly provider: StandInProvider
  readonly records: RecordCache
  readonly sites: ListingSites
  readonly sources: SourceDirectory
}

export function getPropertyByUrl(deps: GetPropertyByUrlDeps): HandlerOf<'getPropertyByUrl'> {
  const { records, provider, sites } = deps
  return ({ query }, call) => {
    const listing = parseListingUrl(query.url, sites)
    if (isRefusal(listing)) return listing
    const form = readForm(query)
    if (isRefusal(form)) return form
    const kind = query.extract_units

    if (listing.kind === 'building' && kind !== 'disabled') {
      return async () => {
        const building = await provider.findUnits(listing, kind, call)
        if (!building) return refuseFor('not_found', 'building_url', {})
        return presentUnitRecords(deps, building, form, call)
      }
    }

    return async () => {
      const found =
        listing.kind === 'home'
          ? await records.findPreferred(listing.zpid, query.status, call)
          : await provider
              .findByUrl(listing, query.status, call)
              .then((source) => source && records.keep(source, query.status, call))
      if (found) return presentHome(deps, found, form, call)
      return listing.kind === 'building'
        ? refuseFor('not_found', 'building_record', {})
        : refuseFor('not_found', 'home_url', {})
    }
  }
}
