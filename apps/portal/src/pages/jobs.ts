// The jobs of the account: their progress while they run, then their rows.

import type { SuccessBody } from '@lotline/contract'
import { type PortalAnswer, page, redirect, type Visit } from '../answer.ts'
import { callForPage } from '../api.ts'
import { count, dollars, moment, whole, words } from '../format.ts'
import { type Html, html } from '../html.ts'
import {
  attribution,
  badge,
  emptyState,
  facts,
  form,
  note,
  rowAttribution,
  table,
  withConfirmation,
} from '../parts.ts'
import type { PageRoute } from '../routes.ts'

type JobView = SuccessBody<'getJob'>['data']
type JobRowView = SuccessBody<'getJobResults', 200>['data'][number]

export const jobRoutes: readonly PageRoute[] = [
  ['GET', '/portal/jobs', showJobs],
  ['GET', '/portal/jobs/:id', showJob],
  ['GET', '/portal/jobs/:id/csv', (visit) => download(visit, 'csv')],
  ['GET', '/portal/jobs/:id/ndjson', (visit) => download(visit, 'ndjson')],
  ['POST', '/portal/jobs/:id/abort', abort],
]

const JOB_TYPES: Readonly<Record<string, string>> = {
  search: 'Search',
  batch_detail: 'Batch of records',
  chained_search_detail: 'Search with details',
  building_units: 'Units of a building',
}
const JOB_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'timed_out', 'aborted'] as const
const ROWS_PER_PAGE = 25
/** The refresh interval of a page with a running job. Each refresh is a call of the session's key. */
const REFRESH_S = 5

async function showJobs({ api, query }: Visit): Promise<PortalAnswer> {
  const status = JOB_STATUSES.find((one) => one === query.get('status'))
  const cursor = query.get('cursor') ?? undefined
  const { data: jobs, meta } = await callForPage(api, 'listJobs', { query: { limit: '25', status, cursor } })
  const link = (one: string | undefined) => `/portal/jobs${one ? `?status=${one}` : ''}`
  const next = new URLSearchParams({ ...(status && { status }), cursor: meta.next_cursor ?? '' })
  return page(
    'jobs',
    'Jobs',
    html`<h1>Jobs</h1>
      <nav class="choices" aria-label="Status">${[undefined, ...JOB_STATUSES].map(
        (one) =>
          html`<a href=${link(one)} aria-current=${one === status ? 'true' : undefined}>${one ? words(one) : 'All'}</a>`,
      )}</nav>
      ${
        jobs.length === 0
          ? emptyState(
              status ? `No jobs are ${words(status).toLowerCase()}` : 'No jobs yet',
              html`Large searches and batches run as jobs. <a href="/docs/jobs">Read how to start one</a>.`,
            )
          : table<JobView>(
              'Jobs, the latest first',
              [
                {
                  title: 'Job',
                  cell: (job) =>
                    html`<a href=${`/portal/jobs/${job.id}`}>${JOB_TYPES[job.type] ?? words(job.type)}</a>`,
                },
                { title: 'Status', cell: jobStatusBadge },
                { title: 'Progress', cell: (job) => progressText(job) },
                {
                  title: 'Rows',
                  cell: ({ result_count }) => (result_count === null ? '' : whole(result_count)),
                  isNumber: true,
                },
                { title: 'Credits', cell: ({ credits_charged }) => whole(credits_charged), isNumber: true },
                { title: 'Created', cell: ({ created_at }) => moment(created_at) },
              ],
              jobs,
            )
      }
      ${meta.next_cursor !== undefined && html`<p class="pager"><a class="button plain" href=${`/portal/jobs?${next}`}>Older jobs</a></p>`}`,
  )
}

function jobStatusBadge({ status }: JobView): Html {
  const kind =
    status === 'succeeded' ? 'good' : isOpen(status) ? 'busy' : status === 'aborted' ? 'off' : 'bad'
  return badge(words(status), kind)
}

function isOpen(status: string): boolean {
  return status === 'queued' || status === 'running'
}

function progressText({ progress: { done, total }, status }: JobView): Html {
  if (!isOpen(status)) return ''
  if (total === null || total === 0) return done > 0 ? `${whole(done)} so far` : 'Waiting'
  return html`<progress max=${total} value=${done} aria-label="Progress"></progress> ${whole(done)} of ${whole(total)}`
}

async function showJob({ api, params, query, session }: Visit): Promise<PortalAnswer> {
  const { data: job } = await callForPage(api, 'getJob', { params })
  const open = isOpen(job.status)
  const title = JOB_TYPES[job.type] ?? words(job.type)
  const offset = Math.max(0, Math.trunc(Number(query.get('offset')) || 0))
  const answer = {
    ...page(
      'jobs',
      title,
      html`<p class="crumb"><a href="/portal/jobs">Jobs</a></p>
        <div data-live=${open ? String(REFRESH_S) : undefined} id="job">
        <div class="title"><h1>${title}</h1>${jobStatusBadge(job)}</div>
        ${open && html`<p class="lead" aria-live="polite">${progressText(job)}</p>`}
        ${job.error && note('bad', html`<p>${job.error.message}</p><p class="quiet">${job.error.code}</p>`)}
        ${job.truncated_by && note('plain', `The result was cut (${words(job.truncated_by).toLowerCase()}).`)}
        ${facts([
          ['Credits charged', whole(job.credits_charged)],
          ['Credits held', whole(job.credits_held)],
          ['Created', moment(job.created_at)],
          ['Started', moment(job.started_at, 'Not yet')],
          ['Ended', moment(job.completed_at, 'Not yet')],
          ['Job', html`<code>${job.id}</code>`],
        ])}
        ${failureTable(job)}
        ${
          open &&
          withConfirmation(
            'Abort job',
            'Abort job',
            form(
              session,
              `/portal/jobs/${job.id}/abort`,
              html`<p>The job stops and is free. What it has found is lost.</p><button class="danger">Abort job</button>`,
            ),
          )
        }</div>
        ${job.status === 'succeeded' ? await fetchResultRows({ api, job, offset }) : ''}`,
    ),
    ...(open && { refreshS: REFRESH_S }),
  }
  return answer
}

function failureTable({ failure_count, failures }: JobView): Html {
  if (failure_count === 0) return ''
  return html`<details class="more"><summary>${count(failure_count, 'entry', 'entries')} without a record</summary>${table<
    JobView['failures'][number]
  >(
    'Entries without a record',
    [
      { title: 'Position', cell: ({ position }) => whole(position), isNumber: true },
      { title: 'Entry', cell: ({ input }) => html`<span class="code">${input}</span>` },
      { title: 'Reason', cell: ({ code }) => html`<a href=${`/docs/errors#${code}`}>${code}</a>` },
    ],
    failures.slice(0, 100),
  )}</details>`
}

async function fetchResultRows({
  api,
  job,
  offset,
}: Pick<Visit, 'api'> & { job: JobView; offset: number }): Promise<Html> {
  if (job.result_count === 0) return emptyState('No rows', 'The job found nothing that matches.')
  const query = { limit: String(ROWS_PER_PAGE), offset: String(offset) }
  const { data: rows, meta } = await callForPage(api, 'getJobResults', { params: { id: job.id }, query })
  const total = job.result_count ?? meta.count
  const path = (at: number) => `/portal/jobs/${job.id}?offset=${at}#rows`
  return html`<section id="rows"><div class="title"><h2>${count(total, 'row')}</h2><div class="actions">
      <a class="button plain" href=${`/portal/jobs/${job.id}/csv`}>Download CSV</a>
      <a class="button plain" href=${`/portal/jobs/${job.id}/ndjson`}>NDJSON</a></div></div>
    ${table<JobRowView>(
      'Rows',
      [
        {
          title: 'Home',
          cell: (row) => html`${homeLink(row)}${rowAttribution(row as Parameters<typeof rowAttribution>[0])}`,
        },
        { title: 'Price', cell: (row) => rowPrice(row), isNumber: true },
        { title: 'Beds', cell: (row) => asNumber(row, 'beds', 'bedrooms'), isNumber: true },
        { title: 'Baths', cell: (row) => asNumber(row, 'baths', 'bathrooms'), isNumber: true },
        { title: 'Sq ft', cell: (row) => asNumber(row, 'area', 'livingArea'), isNumber: true },
      ],
      rows,
    )}
    ${attribution(meta.source?.attribution)}
    <p class="pager">${offset > 0 && html`<a class="button plain" href=${path(Math.max(0, offset - ROWS_PER_PAGE))}>Previous</a>`}
      <span class="quiet">${whole(offset + 1)}–${whole(offset + meta.count)} of ${whole(total)}</span>
      ${meta.has_more && html`<a class="button plain" href=${path(offset + ROWS_PER_PAGE)}>Next</a>`}</p></section>`
}

/** Reads the common fields of the rows of all job types. */
function findRowField(row: JobRowView, ...names: readonly string[]): unknown {
  const record = row as unknown as Readonly<Record<string, unknown>>
  // A row of a batch contains its record.
  const inner =
    typeof record.record === 'object' && record.record !== null ? (record.record as typeof record) : record
  return names.map((name) => inner[name]).find((value) => value !== undefined && value !== null)
}

function homeLink(row: JobRowView): Html {
  const address = findRowField(row, 'address')
  const inner = typeof address === 'object' ? (address as Readonly<Record<string, unknown>>) : undefined
  const street = inner ? [inner.streetAddress, inner.city, inner.state].filter(Boolean).join(', ') : address
  const zpid = findRowField(row, 'zpid')
  return html`${street ? String(street) : 'No address'} ${zpid !== undefined && html`<code class="quiet">${String(zpid)}</code>`}`
}

function rowPrice(row: JobRowView): string {
  const price = findRowField(row, 'unformattedPrice', 'price')
  return typeof price === 'number' ? dollars(price) : String(price ?? '')
}

function asNumber(row: JobRowView, ...names: readonly string[]): string {
  const value = findRowField(row, ...names)
  return typeof value === 'number' ? value.toLocaleString('en-US') : ''
}

async function download({ params }: Visit, format: 'csv' | 'ndjson'): Promise<PortalAnswer> {
  const name = `job-${params.id}.${format}`
  return {
    kind: 'file',
    operation: 'getJobResults',
    input: { params, query: { format, limit: '1000' } },
    name,
  }
}

async function abort({ api, params }: Visit): Promise<PortalAnswer> {
  await callForPage(api, 'abortJob', { params })
  return redirect(`/portal/jobs/${params.id}`)
}
