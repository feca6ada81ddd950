// What the header Accept says of an answer (RFC 9110, section 12.5.1): whether a response of the operation will do, and whether its
// client wants records under standard names. The service and the mock share it. Errors are JSON, whatever was asked for.

import { type OperationId, operations } from '../generated/operations.ts'
import { isCharged } from '../price-in-words.ts'

export const RESO_TYPE = 'application/vnd.reso+json'
export const ESTIMATE_TYPE = 'application/vnd.lotline.estimate+json'

/** Every name that clients use for a format. */
export const FORMAT_BY_MEDIA_TYPE: Readonly<Record<string, 'json' | 'csv' | 'ndjson'>> = {
  'application/json': 'json',
  'text/csv': 'csv',
  'application/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/x-jsonlines': 'ndjson',
}

/** Of an Accept header, in characters. More of it says nothing that a client means, and costs time to read. */
const MAX_ACCEPT_LENGTH = 4_096

interface MediaRange {
  readonly type: string
  readonly quality: number
}

export interface AcceptedCall {
  readonly accept: string | undefined
  /** The header Prefer. */
  readonly isDryRun: boolean
}

/** The types of which the client accepts none. undefined: it accepts one, or the operation has nothing to send. */
export function refusedTypes(
  operationId: OperationId,
  { accept, isDryRun }: AcceptedCall,
): readonly string[] | undefined {
  // What nearly all clients send.
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

/** Whether the client would rather have records under standard names than in any format of ours. */
export function prefersReso(operationId: OperationId, accept: string | undefined): boolean {
  if (accept === undefined || !supportsShape(operationId) || !/vnd\.reso/i.test(accept)) return false
  const wanted = parseAccept(accept)
  const placeOf = (type: string) => wanted.findIndex((one) => one.type === type)
  const reso = acceptQuality(RESO_TYPE, wanted)
  return (
    reso > 0 &&
    operations[operationId].acceptsFormats.every((type) => {
      const quality = acceptQuality(type, wanted)
      // Of types that are wanted alike, the first; a range such as */* names none.
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

/** The most specific range decides: a type, then `text/*`, then any. */
function acceptQuality(type: string, wanted: readonly MediaRange[]): number {
  for (const range of [type, `${type.split('/', 1)[0]}/*`, '*/*']) {
    const found = wanted.find((one) => one.type === range)
    if (found) return found.quality
  }
  return 0
}
