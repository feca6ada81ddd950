// Spent credits: sums by day as a chart, sums by day, operation, key, or status as a table and as CSV, and the single calls. All sums come
// from GET /v1/usage/summary.

import type { SuccessBody } from '@lotline/contract'
import { type PortalAnswer, page, type Visit } from '../answer.ts'
import { callForPage } from '../api.ts'
import { barChart } from '../chart.ts'
import { count, DAY_MS, day, moment, shortDay, timeElement, whole } from '../format.ts'
import { type Html, html } from '../html.ts'
import { emptyState, table } from '../parts.ts'
import type { PageRoute } from '../routes.ts'

const GROUP_OPTIONS = { day: 'Day', operation: 'Operation', key: 'Key', status: 'Status' } as const
type UsageGroup = keyof typeof GROUP_OPTIONS
const PERIOD_OPTIONS = [7, 30, 90] as const

type Sums = SuccessBody<'summarizeUsage', 200>['data'][number]

export const usageRoutes: readonly PageRoute[] = [
  ['GET', '/portal/usage', showUsage],
  ['GET', '/portal/usage/csv', downloadUsage],
  ['GET', '/portal/usage/calls', showCalls],
]

interface UsageSelection {
  readonly by: UsageGroup
  readonly days: number
  /** Midnight in UTC. */
  readonly since: Date
}

function readSelection({ query, now }: Visit): UsageSelection {
  const by = query.get('by') ?? ''
  const days = PERIOD_OPTIONS.find((period) => String(period) === query.get('days')) ?? 30
  const since = new Date(Date.parse(timeElement(now.getTime())) - (days - 1) * DAY_MS)
  return { by: Object.hasOwn(GROUP_OPTIONS, by) ? (by as UsageGroup) : 'day', days, since }
}

async function showUsage(visit: Visit): Promise<PortalAnswer> {
  const { api } = visit
  const { by, days, since } = readSelection(visit)
  const query = { since: since.toISOString() }
  const { data: byDay, meta } = await callForPage(api, 'summarizeUsage', { query: { ...query, by: 'day' } })
  const rows =
    by === 'day' ? byDay : (await callForPage(api, 'summarizeUsage', { query: { ...query, by } })).data
  const names = by === 'key' ? await keyNames(visit) : new Map<string, string>()
  const { total } = meta
  const link = (changed: Partial<{ by: string; days: number }>) => {
    const next = { by, days, ...changed }
    return `/portal/usage?by=${next.by}&days=${next.days}`
  }
  return page(
    'usage',
    'Usage',
    html`<div class="title"><h1>Usage</h1><div class="actions">
        <a class="button plain" href=${`/portal/usage/csv?by=${by}&days=${days}`}>Download CSV</a>
        <a class="button plain" href="/portal/usage/calls">Show calls</a></div></div>
      ${periodChoices(
        'Period',
        PERIOD_OPTIONS.map((period) => [`${period} days`, link({ days: period }), period === days]),
      )}
      <p class="figure small"><strong>${whole(total.credits_charged)}</strong> credits for ${count(total.usage_rows, 'call')}</p>
      ${dayChart(byDay, since, days)}
      ${periodChoices(
        'Sums by',
        Object.entries(GROUP_OPTIONS).map(([group, title]) => [title, link({ by: group }), group === by]),
      )}
      ${
        rows.length === 0
          ? emptyState(
              'No calls in this period',
              html`<a href="/docs/quick-start">Make your first call</a>, or choose a longer period.`,
            )
          : sumsTable(by, rows, total, names)
      }`,
  )
}

function periodChoices(
  label: string,
  items: readonly (readonly [title: string, path: string, isCurrent: boolean])[],
): Html {
  return html`<nav class="choices" aria-label=${label}>${items.map(
    ([title, path, isCurrent]) =>
      html`<a href=${path} aria-current=${isCurrent ? 'true' : undefined}>${title}</a>`,
  )}</nav>`
}

function dayChart(rows: readonly Sums[], since: Date, days: number): Html {
  const spent = new Map(rows.map(({ value, credits_charged }) => [value, credits_charged]))
  const bars = Array.from({ length: days }, (_, at) => {
    const time = since.getTime() + at * DAY_MS
    const value = spent.get(timeElement(time)) ?? 0
    return {
      label: shortDay(new Date(time)),
      value,
      title: `${day(new Date(time))}: ${count(value, 'credit')}`,
    }
  })
  return barChart(bars, `Credits charged on each of the last ${days} days. The table has the numbers by day.`)
}

function sumsTable(
  by: UsageGroup,
  rows: readonly Sums[],
  total: Omit<Sums, 'value'>,
  names: ReadonlyMap<string, string>,
): Html {
  const latestFirst = by === 'day' ? rows.toReversed() : rows
  return html`${table<Sums>(
    `Usage by ${by}`,
    [
      { title: GROUP_OPTIONS[by], cell: ({ value }) => groupName(by, value, names) },
      { title: 'Calls', cell: ({ usage_rows }) => whole(usage_rows), isNumber: true },
      { title: 'Units', cell: ({ units }) => whole(units), isNumber: true },
      {
        title: 'Credits',
        cell: ({ credits_charged }) => html`<strong>${whole(credits_charged)}</strong>`,
        isNumber: true,
      },
    ],
    [...latestFirst, { value: 'total', ...total }],
    true,
  )}`
}

function groupName(by: UsageGroup, value: string | null, names: ReadonlyMap<string, string>): Html {
  if (value === 'total') return html`<strong>Total</strong>`
  if (value === null) return html`<span class="quiet">None</span>`
  if (by === 'day') return day(value)
  if (by === 'key') return names.get(value) ?? html`<code>${value}</code>`
  return html`<code>${value}</code>`
}

async function keyNames({ api }: Visit): Promise<Map<string, string>> {
  const answer = await api.call('listKeys')
  // A key that may not list keys sees their ids.
  if (!answer.ok) return new Map()
  return new Map(answer.body.data.map(({ id, name, last4 }) => [id, `${name || 'Unnamed key'} (…${last4})`]))
}

async function downloadUsage(visit: Visit): Promise<PortalAnswer> {
  const { by, days, since } = readSelection(visit)
  const query = { by, since: since.toISOString(), format: 'csv' }
  return {
    kind: 'file',
    operation: 'summarizeUsage',
    input: { query },
    name: `usage-by-${by}-${days}-days.csv`,
  }
}

/** Shown if a connector made one of the calls on the page. */
const CONNECTOR_COLUMN = {
  title: 'Connector',
  cell: ({ oauth_client }: { readonly oauth_client?: string | undefined }) => oauth_client ?? '',
}

async function showCalls({ api, query }: Visit): Promise<PortalAnswer> {
  const cursor = query.get('cursor') ?? undefined
  const { data: rows, meta } = await callForPage(api, 'listUsage', { query: { limit: '50', cursor } })
  return page(
    'usage',
    'Calls',
    html`<p class="crumb"><a href="/portal/usage">Usage</a></p><h1>Calls</h1>
      ${
        rows.length === 0
          ? emptyState('No calls yet', html`<a href="/docs/quick-start">Make your first call</a>.`)
          : table<(typeof rows)[number]>(
              'Calls, the latest first',
              [
                { title: 'Time', cell: ({ created_at }) => moment(created_at) },
                {
                  title: 'Path',
                  cell: ({ endpoint, stage }) => html`<code>${endpoint}</code>${stage && ` (${stage})`}`,
                },
                { title: 'Operation', cell: ({ operation }) => operation ?? '' },
                ...(rows.some(({ oauth_client }) => oauth_client !== undefined) ? [CONNECTOR_COLUMN] : []),
                { title: 'Status', cell: ({ status_code }) => status_code, isNumber: true },
                { title: 'Units', cell: ({ units }) => whole(units), isNumber: true },
                { title: 'Credits', cell: ({ credits_charged }) => whole(credits_charged), isNumber: true },
                {
                  title: 'Request',
                  cell: ({ request_id }) => html`<code class="small">${request_id}</code>`,
                },
              ],
              rows,
            )
      }
      ${meta.next_cursor !== undefined && html`<p class="pager"><a class="button plain" href=${`/portal/usage/calls?cursor=${encodeURIComponent(meta.next_cursor)}`}>Older calls</a></p>`}`,
  )
}
