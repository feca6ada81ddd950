// Charts as plain SVG. The drawing is stretched to the width of the page; the texts around it are HTML, so that they keep their size. Each
// chart has a one-sentence summary, and its numbers are in a table or in titles.

import { type Html, html } from './html.ts'

export interface Bar {
  readonly label: string
  readonly value: number
  /** The tooltip of the bar. */
  readonly title: string
}

const WIDTH = 1000
const HEIGHT = 200

/** One bar for each entry, from left to right. Screen readers read `summary`. */
export function barChart(bars: readonly Bar[], summary: string): Html {
  const most = niceMaximum(Math.max(1, ...bars.map(({ value }) => value)))
  const step = WIDTH / Math.max(1, bars.length)
  const gap = Math.min(step * 0.25, 6)
  return chartFrame(
    most,
    [bars[0]?.label ?? '', bars.at(-1)?.label ?? ''],
    summary,
    bars.map(({ value, title }, at) => {
      const height = (value / most) * HEIGHT
      return html`<g><title>${title}</title>
        <rect class="back" x=${at * step} y="0" width=${step} height=${HEIGHT} />
        <rect class="bar" x=${at * step + gap / 2} y=${HEIGHT - height} width=${step - gap} height=${height} />
      </g>`
    }),
  )
}

export interface Point {
  /** 0 at the left edge, 1 at the right edge. */
  readonly at: number
  readonly value: number
}

/** A line of the remaining amount, and a dashed line of the forecast. */
export function burnDown(
  {
    most,
    past,
    expected,
  }: {
    readonly most: number
    readonly past: readonly Point[]
    readonly expected: readonly Point[]
  },
  edges: readonly [first: string, last: string],
  summary: string,
): Html {
  const top = niceMaximum(Math.max(1, most))
  const at = (point: Point) =>
    `${(point.at * WIDTH).toFixed(1)},${(HEIGHT - (point.value / top) * HEIGHT).toFixed(1)}`
  const line = past.map(at).join(' ')
  const [first, last] = [past[0], past.at(-1)]
  return chartFrame(
    top,
    edges,
    summary,
    html`${first && last && html`<polygon class="area" points=${`${first.at * WIDTH},${HEIGHT} ${line} ${last.at * WIDTH},${HEIGHT}`} />`}
      <polyline class="line" points=${line} />
      <polyline class="line expected" points=${expected.map(at).join(' ')} />`,
  )
}

/** Values over time, from first to last. At least two. */
export function lineChart(
  values: readonly { readonly time: number; readonly value: number }[],
  summary: string,
): Html {
  const [first, last] = [values[0]!.time, values.at(-1)!.time]
  const span = Math.max(1, last - first)
  const past = values.map(({ time, value }) => ({ at: (time - first) / span, value }))
  const most = Math.max(...values.map(({ value }) => value))
  const year = (time: number) => String(new Date(time).getUTCFullYear())
  return burnDown({ most, past, expected: [] }, [year(first), year(last)], summary)
}

function chartFrame(
  most: number,
  [first, last]: readonly [string, string],
  summary: string,
  drawing: Html,
): Html {
  return html`<figure class="chart">
    <div class="scale" aria-hidden="true"><span>${compactText(most)}</span><span>${compactText(most / 2)}</span><span>0</span></div>
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label=${summary}>
      <line class="grid" x1="0" x2=${WIDTH} y1="0.5" y2="0.5" />
      <line class="grid" x1="0" x2=${WIDTH} y1=${HEIGHT / 2} y2=${HEIGHT / 2} />
      ${drawing}
      <line class="base" x1="0" x2=${WIDTH} y1=${HEIGHT} y2=${HEIGHT} />
    </svg>
    <div class="edges" aria-hidden="true"><span>${first}</span><span>${last}</span></div>
  </figure>`
}

const COMPACT_NUMBER = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

function compactText(value: number): string {
  return COMPACT_NUMBER.format(value)
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that is at least the value, and at least 2. */
function niceMaximum(value: number): number {
  const base = 10 ** Math.floor(Math.log10(value))
  const nice = [1, 2, 5, 10].find((factor) => factor * base >= value)! * base
  return Math.max(2, nice)
}
