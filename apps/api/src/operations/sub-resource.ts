// The slices of a record: the same lookup and the same cache as the record itself, one credit each.

import type { Property } from '@lotline/contract'
import type { House } from '../app.ts'
import type { Call } from '../engine/call.ts'
import { refuse } from '../platform/refusal.ts'
import { parseRecord } from '../record-cache/record-cache.ts'
import { deliver, recordUsed } from './deliver.ts'

/** A handler that answers with `slice` of the record. */
export function sliceOf<Data, Meta extends object>(
  { records }: House,
  slice: (record: Property) => { readonly data: Data; readonly meta: Meta },
) {
  return ({ params }: { readonly params: { readonly zpid: string } }, call: Call) =>
    async () => {
      const found = await records.find(params.zpid, call)
      if (!found) return refuse('not_found', `No home has the zpid ${params.zpid}.`)
      const { data, meta } = slice(parseRecord(found))
      return deliver(
        { data, meta: { cached: found.storedAt < call.admittedTick, ...meta } },
        { record: recordUsed(records, found) },
      )
    }
}
