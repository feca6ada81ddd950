import { unknownFields } from '@lotline/contract/checks'
import { parseRecord, type RecordCache } from '../../data/record-cache.ts'
import type { SourceDirectory, StandInProvider } from '../../data/sources.ts'
import { parseFields, project, zpidOf } from '../../domain/record.ts'
import { toReso } from '../../domain/reso.ts'
import { type ListingSites, parseListingUrl } from '../../domain/site-urls.ts'
import { isRefusal, refuseFor } from '../../infrastructure/refusals.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { deliver, deliverReso, recordUsed } from './deliver.ts'
import { versionOf, versionOfRecord } from './served-version.ts'

export interface GetPropertyByUrlDeps {
  readonly provider: StandInProvider
  readonly records: RecordCache
  readonly sites: ListingSites
  readonly sources: SourceDirectory
}

export function getPropertyByUrl({
  records,
  provider,
  sites,
  sources,
}: GetPropertyByUrlDeps): HandlerOf<'getPropertyByUrl'> {
  return ({ query }, call) => {
    const listing = parseListingUrl(query.url, sites)
    if (isRefusal(listing)) return listing
    const fields = query.fields === undefined ? undefined : parseFields(query.fields)
    if (isRefusal(fields)) return fields
    const kind = query.extract_units

    if (listing.kind === 'building' && kind !== 'disabled') {
      return async () => {
        const building = await provider.findUnits(listing, kind, call)
        if (!building) return refuseFor('not_found', 'building_url', {})
        const { parent, units } = building
        const { one: source, besideOne } = sources.describeBuilding(building, new Date())
        if (query.fields) call.ignore(unknownFields(query.fields, [...(parent ? [parent] : []), ...units]))
        if (query.shape === 'reso') {
          const all = [...(units.length === 0 && parent ? [parent] : []), ...units]
          return deliverReso(
            all.map((record) => {
              const own = besideOne(zpidOf(record), fields === undefined)
              return { ...toReso(project(record, fields), new Date()), ...(own && { X_Source: own }) }
            }),
            { source, isTagged: true },
          )
        }
        const body = (granted: number) => ({
          data: [...(parent ? [parent] : []), ...units.slice(0, granted)].map((record) => {
            const own = besideOne(zpidOf(record), fields === undefined)
            return { ...project(record, fields), ...(own && { source: own }) }
          }),
          meta: { count: Math.min(granted, units.length), ...(source && { source }) },
        })
        return {
          status: 200,
          // The building's own record comes first. It is free beside units, and charged as a row where there are none.
          units: units.length || (parent ? 1 : 0),
          body,
          data: { version: versionOf(body(units.length)) },
        }
      }
    }

    return async () => {
      const found =
        listing.kind === 'home'
          ? await records.findPreferred(listing.zpid, query.status, call)
          : await provider
              .findByUrl(listing, query.status, call)
              .then((source) => source && records.keep(source, query.status, call))
      if (!found) {
        return listing.kind === 'building'
          ? refuseFor('not_found', 'building_record', {})
          : refuseFor('not_found', 'home_url', {})
      }
      const record = parseRecord(found)
      if (query.fields) call.ignore(unknownFields(query.fields, [record]))
      if (query.shape === 'reso') {
        const used = { record: recordUsed(records, found), isTagged: true, source: found.origin }
        return deliverReso([toReso(project(record, fields), new Date())], used)
      }
      const body = { data: project(record, fields), meta: { source: found.origin } }
      const version = fields ? versionOf(body) : versionOfRecord(found)
      return deliver(body, { record: recordUsed(records, found), version })
    }
  }
}
