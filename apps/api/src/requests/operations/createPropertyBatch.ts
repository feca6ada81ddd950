import { cost, costOfRows, MAX_BATCH_ENTRIES } from '@lotline/contract'
import { formatAddress, parseLookupAddress } from '../../domain/address.ts'
import { type ListingSites, parseListingUrl, referenceKey } from '../../domain/site-urls.ts'
import { isRefusal, type Refusal, refuseFor } from '../../infrastructure/refusals.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { type StartJobDeps, startJob } from './start-job.ts'

export type CreatePropertyBatchDeps = StartJobDeps & {
  readonly sites: ListingSites
}

export function createPropertyBatch(deps: CreatePropertyBatchDeps): HandlerOf<'createPropertyBatch'> {
  const { sites } = deps
  return (input, call) => {
    const { body, headers } = input
    const { urls: urlsSent = [], addresses: addressesSent = [] } = body
    const sent = urlsSent.length + addressesSent.length
    if (sent > MAX_BATCH_ENTRIES) {
      return refuseFor(
        'invalid_parameter',
        'too_many_entries',
        { value: sent, bound: MAX_BATCH_ENTRIES },
        { parameter: 'urls', maximum: MAX_BATCH_ENTRIES },
      )
    }
    const urls = collectUniqueEntries('urls', urlsSent, (url, place) => {
      const listing = parseListingUrl(url, sites, place)
      return isRefusal(listing) ? listing : referenceKey(listing)
    })
    if (isRefusal(urls)) return urls
    const addresses = collectUniqueEntries('addresses', addressesSent, (text, place) => {
      const address = parseLookupAddress(text, place)
      return isRefusal(address) ? address : formatAddress(address)
    })
    if (isRefusal(addresses)) return addresses

    const { maxItems } = body
    const entries = urls.length + addresses.length
    const units = body.extractBuildingUnits
    return startJob(deps, call, {
      order: {
        type: 'batch_detail',
        operation: 'createPropertyBatch',
        request: {
          urls,
          addresses,
          prefer: body.propertyStatus,
          units,
          ...(maxItems !== undefined && { maxItems }),
        },
      },
      // Repeated entries are left out, and cost nothing.
      cost: cost('createPropertyBatch', {
        ...input,
        body: { ...body, urls: [...urls], addresses: [...addresses] },
      }),
      // A record for each entry. Where buildings have more units, the hold grows with them.
      firstHold: costOfRows('createPropertyBatch', entries),
      size: entries,
      idempotency: { key: headers['idempotency-key'], input: body },
    })
  }
}

/**
 * Those that are not the same as an earlier one, as they were sent. `keyOf` is the same for entries that mean the same; it
 * gets the place of the entry in the body, such as `urls.3`.
 */
function collectUniqueEntries(
  name: string,
  texts: readonly string[],
  keyOf: (text: string, place: string) => string | Refusal,
): readonly string[] | Refusal {
  const kept = new Map<string, string>()
  for (const [index, text] of texts.entries()) {
    const key = keyOf(text, `${name}.${index}`)
    if (isRefusal(key)) return key
    if (!kept.has(key)) kept.set(key, text)
  }
  return [...kept.values()]
}
