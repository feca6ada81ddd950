// Judges the input of a call as the service does, as far as the contract decides: by the schemas, the keywords of the
// contract, and its checks in code. What needs a key, credits, or data is not judged.

import { type OperationId, operations } from '@lotline/contract'
import {
  findOrderFault,
  inputReader,
  namePlacesIn,
  type OrderedSearch,
  readAreas,
  readEstimatedInput,
  readListingsPlace,
} from '@lotline/contract/checks'
import { createInputCheck, type Input } from '@lotline/contract/input'
import type { CallVerdict, RecordedCall } from './call.ts'

type JsonObject = Readonly<Record<string, unknown>>

const check = createInputCheck({ useDefaults: true })

export function judge(call: RecordedCall): CallVerdict {
  const { params = {}, query = {}, headers = {}, body } = structuredClone(call)
  if (!hasOperation(call.id)) return { code: 'no such operation' }
  const id = call.id
  const input: Input = { params, query, headers, body }
  const ignored = [...(inputReader(id)(input) ?? [])]
  const code = codeOf(id, input)
  if (code !== undefined) return { code }
  if (id === 'estimateCall') {
    const estimated = judgeEstimated(input)
    if ('code' in estimated) return estimated
    ignored.push(...(estimated.ignored ?? []))
  }
  return ignored.length === 0 ? {} : { ignored }
}

function hasOperation(id: string): id is OperationId {
  return Object.hasOwn(operations, id)
}

function judgeEstimated({ body, headers }: Input): CallVerdict {
  const { operation, input = {} } = body as { readonly operation: string; readonly input?: object }
  if (!hasOperation(operation) || operation === 'estimateCall') return { code: 'invalid_parameter' }
  const { input: asked, ignored } = readEstimatedInput(operation, input, { ...headers })
  const code = codeOf(operation, asked)
  return code === undefined ? { ignored } : { code }
}

function codeOf(id: OperationId, input: Input): string | undefined {
  return (check(id, input) ?? findFaultTogether(id, input))?.code
}

/** Finds fields that are valid on their own but not together. */
function findFaultTogether(id: OperationId, { query, body }: Input): { readonly code: string } | undefined {
  if (id === 'listListings') {
    const place = readListingsPlace(query)
    if ('fault' in place) return place.fault
    return (
      faultOfArea(place.area, place.placeOf) ??
      findOrderFault({ ...(query as OrderedSearch), filters: { area: place.area } })
    )
  }
  // In a PATCH, the operation itself judges null.
  const { filters } = (body ?? {}) as { readonly filters?: JsonObject | null }
  if (filters === undefined || filters === null) return undefined
  return faultOfArea(filters.area, namePlacesIn('filters.area')) ?? findOrderFault(body as OrderedSearch)
}

function faultOfArea(area: unknown, placeOf: Parameters<typeof readAreas>[1]) {
  if (area === undefined) return undefined
  const read = readAreas(area, placeOf)
  return 'fault' in read ? read.fault : undefined
}
