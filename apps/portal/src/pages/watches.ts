// The watches of the account and their events.

import type { SuccessBody } from '@lotline/contract'
import { type PortalAnswer, page, redirect, type Visit } from '../answer.ts'
import { callForPage } from '../api.ts'
import { count, dollars, moment, rate, whole, words } from '../format.ts'
import { type Html, html } from '../html.ts'
import {
  actionButton,
  attribution,
  badge,
  emptyState,
  facts,
  form,
  table,
  withConfirmation,
} from '../parts.ts'
import type { PageRoute } from '../routes.ts'

/** An entry of the list. The single watch also has its homes. */
type WatchView = SuccessBody<'listWatches'>['data'][number]
type WatchEventView = SuccessBody<'listWatchEvents', 200>['data'][number]

export const watchRoutes: readonly PageRoute[] = [
  ['GET', '/portal/watches', showWatches],
  ['GET', '/portal/watches/:id', showWatch],
  ['GET', '/portal/watches/:id/csv', download],
  ['POST', '/portal/watches/:id/pause', (visit) => setPaused(visit, true)],
  ['POST', '/portal/watches/:id/resume', (visit) => setPaused(visit, false)],
  ['POST', '/portal/watches/:id/delete', deleteWatch],
]

const WATCHES_PER_PAGE = 100
const EVENTS_PER_PAGE = 50

async function showWatches({ api, query }: Visit): Promise<PortalAnswer> {
  const cursor = query.get('cursor') ?? undefined
  const { data: watches, meta } = await callForPage(api, 'listWatches', {
    query: { limit: String(WATCHES_PER_PAGE), cursor },
  })
  return page(
    'watches',
    'Watches',
    html`<h1>Watches</h1>
      ${
        watches.length === 0
          ? emptyState(
              'No watches yet',
              html`A watch reports when homes are listed, sold, or change their price. <a href="/docs/watches">Read how to create one</a>.`,
            )
          : table<WatchView>(
              'Watches',
              [
                {
                  title: 'Watch',
                  cell: (watch) => html`<a href=${`/portal/watches/${watch.id}`}>${watchName(watch)}</a>`,
                },
                { title: 'Status', cell: watchStatusBadge },
                { title: 'Homes', cell: (watch) => whole(watch.count), isNumber: true },
                { title: 'Events', cell: ({ last_seq }) => whole(last_seq), isNumber: true },
                {
                  title: 'Checked',
                  cell: ({ every }) => (every === 'change' ? 'On change' : `Every ${every}`),
                },
                { title: 'Created', cell: ({ created_at }) => moment(created_at) },
              ],
              watches,
            )
      }
      ${meta.next_cursor !== undefined && html`<p class="pager"><a class="button plain" href=${`/portal/watches?cursor=${encodeURIComponent(meta.next_cursor)}`}>Older watches</a></p>`}`,
  )
}

function watchName({ name, zpid_count }: WatchView): string {
  return name || (zpid_count === null ? 'Unnamed watch' : count(zpid_count, 'home'))
}

function watchStatusBadge({ status, paused_reason }: WatchView): Html {
  const kind = status === 'active' ? 'good' : status === 'paused' ? 'off' : 'busy'
  return html`${badge(words(status), kind)} ${paused_reason && html`<span class="quiet">${words(paused_reason)}</span>`}`
}

const SUBSCRIBER_KINDS: Readonly<Record<string, 'good' | 'busy'>> = { active: 'good', unconfirmed: 'busy' }

function subscriberOf({ email, frequency, webhook_id, status }: NonNullable<WatchView['subscriber']>): Html {
  const who =
    email ?? html`Webhook <a href=${`/portal/webhooks/${webhook_id}`}><code>${webhook_id}</code></a>`
  return html`${who}${frequency && `, ${frequency}`} ${badge(words(status), SUBSCRIBER_KINDS[status] ?? 'off')}`
}

async function showWatch({ api, params, query, session }: Visit): Promise<PortalAnswer> {
  const { data: watch } = await callForPage(api, 'getWatch', { params })
  const before = Math.min(watch.last_seq, Math.trunc(Number(query.get('before')) || watch.last_seq))
  const after = Math.max(0, before - EVENTS_PER_PAGE)
  const { data } = await callForPage(api, 'listWatchEvents', {
    params,
    query: { after: String(after), limit: String(EVENTS_PER_PAGE) },
  })
  const path = `/portal/watches/${watch.id}`
  const name = watchName(watch)
  return page(
    'watches',
    name,
    html`<p class="crumb"><a href="/portal/watches">Watches</a></p>
      <div class="title"><h1>${name}</h1>${watchStatusBadge(watch)}</div>
      ${facts([
        ['Homes that match', whole(watch.count)],
        ['Events', watch.events.map(words).join(', ')],
        ['Created', moment(watch.created_at)],
        ...(watch.subscriber ? [['Subscriber', subscriberOf(watch.subscriber)] as const] : []),
        ['Watch', html`<code>${watch.id}</code>`],
      ])}
      ${
        watch.filters &&
        html`<details class="more"><summary>Filters</summary><pre>${JSON.stringify(watch.filters, null, 2)}</pre></details>`
      }
      <div class="actions">
        ${
          watch.status === 'paused'
            ? actionButton(session, `${path}/resume`, 'Resume', `Resume ${name}`)
            : actionButton(session, `${path}/pause`, 'Pause', `Pause ${name}`)
        }
        ${withConfirmation(
          'Delete',
          `Delete ${name}`,
          form(
            session,
            `${path}/delete`,
            html`<p>The watch and its events are deleted.</p><button class="danger">Delete watch</button>`,
          ),
        )}
      </div>
      <section><div class="title"><h2>Events</h2>${
        watch.last_seq > 0 &&
        html`<div class="actions"><a class="button plain" href=${`${path}/csv?after=${Math.max(0, watch.last_seq - 1000)}`}>Download CSV</a></div>`
      }</div>
      ${
        data.length === 0
          ? emptyState('No events', 'Events appear here when a home that the watch matches changes.')
          : table<WatchEventView>(
              'Events, the latest first',
              [
                { title: 'Time', cell: ({ observed_at }) => moment(observed_at) },
                {
                  title: 'Event',
                  cell: ({ type, reason }) =>
                    html`${words(type.replace(/^listing\./, ''))} ${reason && html`<span class="quiet">${words(reason)}</span>`}`,
                },
                { title: 'Home', cell: (event) => eventHomeLink(event) },
                { title: 'Before', cell: ({ previous }) => eventFacts(previous), isNumber: true },
                {
                  title: 'After',
                  cell: ({ current, change }) =>
                    html`${eventFacts(current)}${change?.percent != null && html` <span class="quiet">${rate(change.percent)}%</span>`}`,
                  isNumber: true,
                },
              ],
              data.toReversed(),
            )
      }
      ${after > 0 && html`<p class="pager"><a class="button plain" href=${`${path}?before=${after}`}>Older events</a></p>`}
      </section>`,
  )
}

function eventHomeLink({ zpid, listing, source }: WatchEventView): Html {
  const address = (listing as { readonly address?: unknown } | null)?.address
  return html`${typeof address === 'string' && address} <code class="quiet">${zpid}</code>${attribution(source?.attribution)}`
}

function eventFacts({ status, price }: WatchEventView['current']): string {
  const parts = [
    typeof price === 'number' && dollars(price),
    typeof status === 'string' && words(status.toLowerCase()),
  ]
  return parts.filter(Boolean).join(', ')
}

/** The last 1,000 events. */
async function download({ params, query: asked }: Visit): Promise<PortalAnswer> {
  const input = { params, query: { format: 'csv', limit: '1000', after: asked.get('after') ?? undefined } }
  return { kind: 'file', operation: 'listWatchEvents', input, name: `watch-${params.id}.csv` }
}

async function setPaused({ api, params }: Visit, paused: boolean): Promise<PortalAnswer> {
  await callForPage(api, 'updateWatch', { params, body: { paused } })
  return redirect(`/portal/watches/${params.id}`)
}

async function deleteWatch({ api, params }: Visit): Promise<PortalAnswer> {
  await callForPage(api, 'deleteWatch', { params })
  return redirect('/portal/watches')
}
