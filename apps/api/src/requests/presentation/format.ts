import { FORMAT_BY_MEDIA_TYPE } from '@lotline/contract/checks'
import Negotiator from 'negotiator'

export type ListFormat = 'json' | 'csv' | 'ndjson'

const MEDIA_TYPES = Object.keys(FORMAT_BY_MEDIA_TYPE)
/** Of an Accept header, in characters. More of it says nothing that a client means, and costs time to read. */
const MAX_ACCEPT = 4_096

/**
 * In which format rows are sent. The parameter `format` decides (the contract has refused unknown values before); without
 * it the header `Accept` does, by the rules of RFC 9110; of types that are wanted alike, the first. A format
 * that is not offered is answered with JSON.
 */
export function chooseFormat(format: string | undefined, accept: string | undefined): ListFormat {
  if (format === 'json' || format === 'csv' || format === 'ndjson') return format
  if (accept === undefined) return 'json'
  // Responses are always UTF-8: a client that asks for a charset means the type.
  const types = accept.slice(0, MAX_ACCEPT).replace(/;\s*charset=[^,;]*/gi, '')
  const negotiator = new Negotiator({ headers: { accept: types } })
  return FORMAT_BY_MEDIA_TYPE[negotiator.mediaType(MEDIA_TYPES) ?? ''] ?? 'json'
}
