// Reads the Accept header (RFC 9110, section 12.5.1): whether the operation can send an acceptable type, and whether
// the client wants records with standard names. The service and the mock share this code. Errors are always JSON.

import { type OperationId, operations } from '../generated/operations.ts'
import { isCharged } from '../price-in-words.ts'

export const RESO_TYPE = 'application/vnd.reso+json'
export const ESTIMATE_TYPE = 'application/vnd.lotline.estimate+json'

/** The media types and short names of each response format. */
export const FORMAT_BY_MEDIA_TYPE: Readonly<Record<string, 'json' | 'csv' | 'ndjson'>> = {
  'application/json': 'json',
  'text/csv': 'csv',
  'application/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/x-jsonlines': 'ndjson',
}

/** The maximum length of an Accept header, in characters. Longer headers are truncated to bound the time to read them. */
const MAX_ACCEPT_LENGTH = 4_096

interface MediaRange {
  readonly type: string
  readonly quality: number
}

export interface AcceptedCall {
  readonly accept: string | undefined
  /** The value of the Prefer header. */
  readonly isDryRun: boolean
}

/**
 * The media types of the operation if the client accepts none of them. undefined if it accepts one, or if the
 * operation sends no body.
 */
export function refusedTypes(
  operationId: OperationId,
  { accept, isDryRun }: AcceptedCall,
): readonly string[] | undefined {
  // Nearly all clients send this value.
  if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json')
    return undefined
  const { acceptsFormats } = operations[operationId]
  if (acceptsFormats.length === 0) return undefined
  const offered = [
    ...acceptsFormats,
    ...(supportsShape(operationId) ? [RESO_TYPE] : []),
    ...(isDryRun && isCharged(operations[operationId]) ? [ESTIMATE_TYPE] : []),
  ]
  const wanted = parseAccept(accept)
  const aliases = Object.keys(FORMAT_BY_MEDIA_TYPE).filter((type) =>
    acceptsFormats.some((format) => FORMAT_BY_MEDIA_TYPE[format] === FORMAT_BY_MEDIA_TYPE[type]),
  )
  return [...offered, ...aliases].some((type) => acceptQuality(type, wanted) > 0) ? undefined : offered
}

/** Whether the client prefers records with standard names to all other formats. */
export function prefersReso(operationId: OperationId, accept: string | undefined): boolean {
  if (accept === undefined || !supportsShape(operationId) || !/vnd\.reso/i.test(accept)) return false
  const wanted = parseAccept(accept)
  const placeOf = (type: string) => wanted.findIndex((one) => one.type === type)
  const reso = acceptQuality(RESO_TYPE, wanted)
  return (
    reso > 0 &&
    operations[operationId].acceptsFormats.every((type) => {
      const quality = acceptQuality(type, wanted)
      // Among equally preferred types, the first one wins. A range such as */* names no type.
      return (
        quality < reso || (quality === reso && !(placeOf(type) >= 0 && placeOf(type) < placeOf(RESO_TYPE)))
      )
    })
  )
}

function supportsShape(operationId: OperationId): boolean {
  return operations[operationId].queryParameters.includes('shape')
}

/** Parameters other than the quality are left out: what is sent is always UTF-8, and a client that asks for more means the type. */
function parseAccept(accept: string): MediaRange[] {
  return accept
    .slice(0, MAX_ACCEPT_LENGTH)
    .split(',')
    .map((entry) => {
      const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return { type, quality: quality === undefined ? 1 : Number(quality) || 0 }
    })
}

/** The most specific range applies: an exact type, then a range such as `text`, then any type. */
function acceptQuality(type: string, wanted: readonly MediaRange[]): number {
  for (const range of [type, `${type.split('/', 1)[0]}/*`, '*/*']) {
    const found = wanted.find((one) => one.type === range)
    if (found) return found.quality
  }
  return 0
}
