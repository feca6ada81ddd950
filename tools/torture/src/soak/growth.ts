// Whether something grows that should not. A soak begins with caches that fill and engines that compile, so its first
// quarter counts for nothing. Over the rest, a straight line is laid through the values of each series.

import type { FigureKind, SoakSample } from './samples.ts'

/** One thing that was measured, over time. */
export interface Series {
  readonly kind: FigureKind
  readonly name: string
  readonly points: readonly { readonly atS: number; readonly value: number }[]
}

export interface Growth extends Series {
  /** The first and the last value that count, and the greatest. */
  readonly from: number
  readonly to: number
  readonly max: number
  /** Of the line, for each hour. */
  readonly perHour: number
  /** Why this is more than may be; undefined: it may be. */
  readonly complaint: string | undefined
}

const WARM_UP = 0.25
const MEBIBYTE = 1_048_576

/**
 * Tables that get a row for each call, job, or event, and keep it: they grow with the calls. All others hold no more than
 * there are accounts, processes, and recent lookups.
 */
const GROW_WITH_CALLS: ReadonlySet<string> = new Set([
  'movements',
  'usage_rows',
  'holds',
  'idempotency_keys',
  'jobs',
  'job_rows',
  'job_failures',
  'webhooks',
  'webhook_secrets',
  'webhook_events',
  'webhook_deliveries',
  'webhook_attempts',
  'cached_records',
  'record_identities',
  'missed_lookups',
  'ledger_audits',
  'watch_events',
  'watch_homes',
  'deleted_watches',
  'api_keys',
])

/** What the line may rise in the time that was measured, by how much of the first value and at least. */
const ALLOWED: Readonly<
  Record<Exclude<FigureKind, 'calls' | 'shared'>, { readonly share: number; readonly least: number }>
> = {
  memory: { share: 0.2, least: 32 * MEBIBYTE },
  files: { share: 0.2, least: 10 },
  connections: { share: 0.2, least: 5 },
  table: { share: 0.2, least: MEBIBYTE },
}

/** The samples as series, in the order in which they first came. */
export function seriesOf(samples: readonly SoakSample[]): Series[] {
  const all = new Map<string, { kind: FigureKind; name: string; points: { atS: number; value: number }[] }>()
  for (const { atS, kind, name, value } of samples) {
    const key = `${kind} ${name}`
    const series = all.get(key) ?? { kind, name, points: [] }
    all.set(key, series)
    series.points.push({ atS, value })
  }
  return [...all.values()]
}

/** Judges a series. One with fewer than four values after the warm-up cannot be judged, and is complained of. */
export function growthOf(series: Series): Growth {
  const all = series.points
  const begin = all[0]?.atS ?? 0
  const end = all.at(-1)?.atS ?? 0
  const points = all.filter(({ atS }) => atS >= begin + (end - begin) * WARM_UP)
  const from = points[0]?.value ?? 0
  const facts = {
    ...series,
    from,
    to: points.at(-1)?.value ?? 0,
    max: Math.max(...all.map(({ value }) => value)),
  }
  const slope = slopeOf(points)
  const perHour = slope * 3_600
  const mayGrow =
    series.kind === 'calls' ||
    series.kind === 'shared' ||
    (series.kind === 'table' && GROW_WITH_CALLS.has(series.name))
  // How many connections are in a state follows from the moment; all of them together are judged.
  const isPart = series.kind === 'connections' && series.name !== 'all'
  if (mayGrow || isPart) return { ...facts, perHour, complaint: undefined }
  if (points.length < 4) return { ...facts, perHour, complaint: 'too few values to judge' }
  const { share, least } = ALLOWED[series.kind as keyof typeof ALLOWED]
  const rise = slope * (points.at(-1)!.atS - points[0]!.atS)
  const isTooMuch = rise > Math.max(least, share * from)
  return {
    ...facts,
    perHour,
    complaint: isTooMuch ? `rose by ${Math.round((100 * rise) / Math.max(1, from))} %` : undefined,
  }
}

/** Of the straight line with the least squares, for each second. */
function slopeOf(points: Series['points']): number {
  const n = points.length
  if (n < 2) return 0
  const meanX = points.reduce((sum, { atS }) => sum + atS, 0) / n
  const meanY = points.reduce((sum, { value }) => sum + value, 0) / n
  let [above, below] = [0, 0]
  for (const { atS, value } of points) {
    above += (atS - meanX) * (value - meanY)
    below += (atS - meanX) ** 2
  }
  return below === 0 ? 0 : above / below
}
