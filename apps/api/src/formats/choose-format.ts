// In which format rows are sent. The parameter `format` decides; without it the header `Accept` does, by the rules of
// RFC 9110, and what is asked for but not on offer is answered with JSON.

export const LIST_FORMATS = ['json', 'csv', 'ndjson'] as const
export type ListFormat = (typeof LIST_FORMATS)[number]

/** Every name that clients use for a format, the registered or customary one first. */
const MEDIA_TYPES: Readonly<Record<ListFormat, readonly string[]>> = {
  json: ['application/json'],
  csv: ['text/csv', 'application/csv'],
  ndjson: ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines'],
}

/** How well a media range fits: exactly, by its type, by being a wildcard. */
type Fit = 3 | 2 | 1 | 0

interface MediaRange {
  readonly type: string
  readonly quality: number
}

/** Unknown values of `format` count as absent: the contract has refused them before. */
export function chooseFormat(format: string | undefined, accept: string | undefined): ListFormat {
  const asked = LIST_FORMATS.find((known) => known === format)
  if (asked) return asked
  const ranges = parseAccept(accept ?? '')
  let best = { format: 'json' as ListFormat, quality: 0, fit: 0 }
  for (const offered of LIST_FORMATS) {
    const { quality, fit } = rate(offered, ranges)
    if (quality > best.quality || (quality === best.quality && quality > 0 && fit > best.fit)) {
      best = { format: offered, quality, fit }
    }
  }
  return best.format
}

/** The quality that the client gives a format: that of the range which fits it best. */
function rate(format: ListFormat, ranges: readonly MediaRange[]): { quality: number; fit: number } {
  let best = { quality: 0, fit: 0 }
  for (const { type, quality } of ranges) {
    const fit = Math.max(...MEDIA_TYPES[format].map((name) => fitOf(name, type)))
    if (fit > best.fit || (fit === best.fit && fit > 0 && quality > best.quality)) best = { quality, fit }
  }
  return best
}

function fitOf(name: string, range: string): Fit {
  if (range === name) return 3
  if (range === '*/*') return 1
  return range === `${name.split('/')[0]}/*` ? 2 : 0
}

function parseAccept(header: string): readonly MediaRange[] {
  return header
    .split(',')
    .slice(0, 50)
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
      const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))?.split('=')[1]
      return { type, quality: quality === undefined ? 1 : toQuality(quality.trim()) }
    })
}

/** A quality that cannot be read is no wish at all. */
function toQuality(text: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0
}
