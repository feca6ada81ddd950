import type { App } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { inParameter, isRefusal, refuse } from '../platform/refusal.ts'
import { parseFields, project } from '../record/fields.ts'
import { parseRecord } from '../record-cache/record-cache.ts'
import { parseListingUrl } from '../site-urls/listing-url.ts'
import { deliver, recordUsed } from './deliver.ts'

const NO_RECORD_OF_BUILDING =
  'No record of its own is known for the building at this URL. To get its units, repeat the call with ' +
  'extract_units=all, or call GET /v1/buildings/by-url with the same url.'

export function getPropertyByUrl({ records, provider, config }: App): HandlerOf<'getPropertyByUrl'> {
  return ({ query }, call) => {
    const listing = parseListingUrl(query.url, config.listingHosts)
    if (isRefusal(listing)) return inParameter('url', listing)
    const fields = query.fields === undefined ? undefined : parseFields(query.fields)
    if (isRefusal(fields)) return fields
    const kind = query.extract_units

    if (listing.kind === 'building' && kind !== 'disabled') {
      return async () => {
        const building = await provider.findUnits(listing, kind, call)
        if (!building) return refuse('not_found', 'No building is known by this URL.')
        const { parent, units } = building
        return {
          status: 200,
          // The building's own record comes first. It is free beside units, and charged as a row where there are none.
          units: units.length || (parent ? 1 : 0),
          body: (granted) => ({
            data: [...(parent ? [parent] : []), ...units.slice(0, granted)].map((record) =>
              project(record, fields),
            ),
            meta: { count: Math.min(granted, units.length) },
          }),
        }
      }
    }

    return async () => {
      const found =
        listing.kind === 'home'
          ? await records.findPreferred(listing.zpid, query.status, call)
          : await provider
              .findByUrl(listing, query.status, call)
              .then((source) => source && records.keep(source, query.status))
      if (!found) {
        return listing.kind === 'building'
          ? refuse('not_found', NO_RECORD_OF_BUILDING)
          : refuse('not_found', 'No home is known by this URL.')
      }
      return deliver({ data: project(parseRecord(found), fields) }, { record: recordUsed(records, found) })
    }
  }
}
