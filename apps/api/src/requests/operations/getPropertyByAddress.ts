import { unknownFields } from '@lotline/contract/checks'
import type { RecordCache } from '../../data/record-cache.ts'
import type { StandInProvider } from '../../data/sources.ts'
import { parseLookupAddress } from '../../domain/address.ts'
import { parseFields, project } from '../../domain/record.ts'
import { toReso } from '../../domain/reso.ts'
import { isRefusal, refuseFor } from '../../infrastructure/refusals.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { deliver, deliverReso, recordUsed } from './deliver.ts'
import { versionOf, versionOfRecord } from './served-version.ts'

export interface GetPropertyByAddressDeps {
  readonly provider: StandInProvider
  readonly records: RecordCache
}

export function getPropertyByAddress({
  provider,
  records,
}: GetPropertyByAddressDeps): HandlerOf<'getPropertyByAddress'> {
  return ({ query }, call) => {
    const address = parseLookupAddress(query.address)
    if (isRefusal(address)) return address
    const fields = query.fields === undefined ? undefined : parseFields(query.fields)
    if (isRefusal(fields)) return fields
    return async () => {
      const match = await provider.findByAddress(address, query.status, call)
      if (match.found === 'none') return refuseFor('not_found', 'address', {})
      if (match.found === 'several') {
        return refuseFor(
          'not_found',
          'several_homes',
          {},
          {
            candidates: [...match.candidates],
          },
        )
      }
      const kept = await records.keep(match.listing, query.status, call)
      const { record } = match.listing
      if (query.fields) call.ignore(unknownFields(query.fields, [record]))
      if (query.shape === 'reso') {
        const used = { record: recordUsed(records, kept), isTagged: true, source: kept.origin }
        return deliverReso([toReso(project(record, fields), new Date())], used)
      }
      const body = { data: project(record, fields), meta: { source: kept.origin } }
      const version = fields ? versionOf(body) : versionOfRecord(kept)
      return deliver(body, { record: recordUsed(records, kept), version })
    }
  }
}
