import type { Property } from '@lotline/contract'
import { unknownFields } from '@lotline/contract/checks'
import { type CachedRecord, parseRecord, type RecordCache } from '../../data/record-cache.ts'
import { parseFields, project } from '../../domain/record.ts'
import { toReso } from '../../domain/reso.ts'
import { isRefusal, refuseFor } from '../../infrastructure/refusals.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { JsonText } from '../engine/operation-result.ts'
import { deliver, deliverReso, recordUsed } from './deliver.ts'
import { versionOf, versionOfRecord } from './served-version.ts'

export interface GetPropertyDeps {
  readonly records: RecordCache
}

export function getProperty({ records }: GetPropertyDeps): HandlerOf<'getProperty'> {
  const bodies = new WeakMap<CachedRecord, ReturnType<typeof makeBody>>()

  /** The same for all calls but the one that the entry was stored for, so it is made once. */
  function bodyOf(entry: CachedRecord): ReturnType<typeof makeBody> {
    const known = bodies.get(entry)
    if (known) return known
    const body = makeBody(entry, new JsonText(entry.json), true)
    bodies.set(entry, body)
    return body
  }

  return ({ params, query }, call) => {
    const fields = query.fields === undefined ? undefined : parseFields(query.fields)
    if (isRefusal(fields)) return fields
    return async () => {
      const cached = await records.find(params.zpid, call)
      if (!cached) return refuseFor('not_found', 'zpid', { value: params.zpid })
      const record = fields || query.shape ? parseRecord(cached) : undefined
      if (record && query.fields) call.ignore(unknownFields(query.fields, [record]))
      if (record && query.shape === 'reso') {
        const used = { record: recordUsed(records, cached), isTagged: true, source: cached.origin }
        return deliverReso([toReso(project(record, fields), new Date())], used)
      }
      const wasCached = cached.storedAt < call.admittedTick
      // Sent as it is stored: parsing and printing it again would be most of the work of this call.
      const body =
        record || !wasCached
          ? makeBody(cached, record ? project(record, fields) : new JsonText(cached.json), wasCached)
          : bodyOf(cached)
      const version = fields ? versionOf(body) : versionOfRecord(cached)
      return deliver(body, { record: recordUsed(records, cached), version })
    }
  }
}

function makeBody({ origin }: CachedRecord, data: Property | JsonText, cached: boolean) {
  return { data, cached, fetched_at: origin.fetched_at, meta: { source: origin } }
}
