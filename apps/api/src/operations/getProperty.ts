import { unknownFields } from '@lotline/contract/checks'
import type { App } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { JsonText } from '../engine/operation-result.ts'
import { isRefusal, refuseFor } from '../platform/refusal.ts'
import { parseFields, project } from '../record/fields.ts'
import { parseRecord } from '../record-cache/record-cache.ts'
import { toReso } from '../reso/from-record.ts'
import { deliver, deliverReso, recordUsed } from './deliver.ts'

export function getProperty({ records }: App): HandlerOf<'getProperty'> {
  return ({ params, query }, call) => {
    const fields = query.fields === undefined ? undefined : parseFields(query.fields)
    if (isRefusal(fields)) return fields
    return async () => {
      const cached = await records.find(params.zpid, call)
      if (!cached) return refuseFor('not_found', 'zpid', { value: params.zpid })
      const record = fields || query.shape ? parseRecord(cached) : undefined
      if (record && query.fields) call.ignore(unknownFields(query.fields, [record]))
      if (record && query.shape === 'reso') {
        const used = { record: recordUsed(records, cached), version: cached.json, source: cached.origin }
        return deliverReso([toReso(project(record, fields), new Date())], used)
      }
      return deliver(
        {
          // Sent as it is stored: parsing and printing it again would be most of the work of this call.
          data: record ? project(record, fields) : new JsonText(cached.json),
          cached: cached.storedAt < call.admittedTick,
          fetched_at: cached.origin.fetched_at,
          meta: { source: cached.origin },
        },
        { record: recordUsed(records, cached), version: cached.json },
      )
    }
  }
}
