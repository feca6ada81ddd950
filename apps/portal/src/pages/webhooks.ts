// The webhooks of the account: their settings, and the log of their deliveries with the receivers' responses.

import type { SuccessBody } from '@lotline/contract'
import { type PortalAnswer, page, redirect, type Visit } from '../answer.ts'
import { callForPage } from '../api.ts'
import { count, moment, whole, words } from '../format.ts'
import { type Html, html } from '../html.ts'
import {
  actionButton,
  badge,
  emptyState,
  facts,
  form,
  note,
  secret,
  table,
  withConfirmation,
} from '../parts.ts'
import type { PageRoute } from '../routes.ts'

type WebhookView = SuccessBody<'listWebhooks'>['data'][number]
type Attempt = SuccessBody<'listWebhookDeliveries'>['data'][number]

export const webhookRoutes: readonly PageRoute[] = [
  ['GET', '/portal/webhooks', showWebhooks],
  ['GET', '/portal/webhooks/new', showForm],
  ['POST', '/portal/webhooks', create],
  ['GET', '/portal/webhooks/:id', (visit) => showWebhook(visit)],
  ['POST', '/portal/webhooks/:id/test', sendTestEvent],
  ['POST', '/portal/webhooks/:id/rotate-secret', rotateSecret],
  ['POST', '/portal/webhooks/:id/pause', (visit) => setActive(visit, false)],
  ['POST', '/portal/webhooks/:id/resume', (visit) => setActive(visit, true)],
  ['POST', '/portal/webhooks/:id/delete', deleteWebhook],
  ['POST', '/portal/webhooks/:id/deliveries/:delivery_id/redeliver', redeliver],
]

const EVENT_TYPES = [
  ['job.succeeded', 'A job has succeeded'],
  ['job.failed', 'A job has failed'],
  ['job.timed_out', 'A job has run out of time'],
  ['job.aborted', 'A job was aborted'],
  ['watch.changes', 'Homes of a watch have changed'],
  ['watch.ready', 'A watch is ready'],
  ['watch.paused', 'A watch was paused'],
  ['watch.quarantined', 'A watch was quarantined'],
  ['credits.low', 'Credits are low'],
  ['key.limit_reached', 'A key has reached its credit limit'],
] as const
const DEFAULT_EVENT_COUNT = 4
const SECRET_OVERLAP_OPTIONS = [
  ['24', 'for a day'],
  ['1', 'for an hour'],
  ['0', 'no longer'],
] as const

async function showWebhooks({ api }: Visit): Promise<PortalAnswer> {
  const { data } = await callForPage(api, 'listWebhooks')
  const live = data.filter(({ revoked_at }) => revoked_at === null)
  return page(
    'webhooks',
    'Webhooks',
    html`<div class="title"><h1>Webhooks</h1><div class="actions"><a class="button" href="/portal/webhooks/new">Add webhook</a></div></div>
      ${
        live.length === 0
          ? emptyState(
              'No webhooks yet',
              html`A webhook is a URL of yours that receives events, for example when a job ends. <a href="/docs/webhooks">Read how to receive them</a>.`,
            )
          : table<WebhookView>(
              'Webhooks',
              [
                {
                  title: 'URL',
                  cell: ({ id, url }) => html`<a class="code" href=${`/portal/webhooks/${id}`}>${url}</a>`,
                },
                { title: 'Status', cell: webhookStateBadge },
                { title: 'Events', cell: ({ events }) => count(events.length, 'event') },
                { title: 'Note', cell: ({ description }) => description },
                { title: 'Created', cell: ({ created_at }) => moment(created_at) },
              ],
              live,
            )
      }`,
  )
}

function webhookStateBadge({ active, revoked_at }: WebhookView): Html {
  if (revoked_at !== null) return badge('Deleted', 'off')
  return active ? badge('Active', 'good') : badge('Paused', 'off')
}

async function showForm({ session }: Visit): Promise<PortalAnswer> {
  return page(
    'webhooks',
    'Add webhook',
    html`<p class="crumb"><a href="/portal/webhooks">Webhooks</a></p><h1>Add webhook</h1>
      ${form(
        session,
        '/portal/webhooks',
        html`<label for="url">URL</label>
          <input id="url" name="url" type="url" required maxlength="2048" class="code" placeholder="https://example.com/hooks/lotline" />
          <fieldset><legend>Events</legend>${EVENT_TYPES.map(
            ([event, text], at) =>
              html`<label class="check"><input type="checkbox" name="events" value=${event} checked=${at < DEFAULT_EVENT_COUNT} />
                <span>${text} <code>${event}</code></span></label>`,
          )}</fieldset>
          <label for="description">Note</label>
          <input id="description" name="description" maxlength="500" placeholder="Optional" />
          <button>Add webhook</button>`,
        'stack',
      )}`,
  )
}

async function create({ api, form: sent }: Visit): Promise<PortalAnswer> {
  const description = (sent.get('description') ?? '').trim()
  const { data: made } = await callForPage(api, 'createWebhook', {
    body: {
      url: (sent.get('url') ?? '').trim(),
      events: sent.getAll('events'),
      ...(description !== '' && { description }),
    },
  })
  return showCreatedWebhook('Webhook added', made.id, made.secret, '')
}

function showCreatedWebhook(title: string, id: string, value: string, more: Html): PortalAnswer {
  return page(
    'webhooks',
    title,
    html`<p class="crumb"><a href="/portal/webhooks">Webhooks</a></p><h1>${title}</h1>
      ${note('good', 'Copy the secret now and store it where your receiver can read it. It is shown this once.')}
      ${secret('Signing secret', value)}${more}
      <p><a class="button plain" href=${`/portal/webhooks/${id}`}>Done</a></p>`,
  )
}

/** @param news the result of the last form */
async function showWebhook({ api, params, query, session }: Visit, news: Html = ''): Promise<PortalAnswer> {
  const { data: all } = await callForPage(api, 'listWebhooks')
  const cursor = query.get('cursor') ?? undefined
  const { data: attempts, meta } = await callForPage(api, 'listWebhookDeliveries', {
    params,
    query: { limit: '50', cursor },
  })
  const webhook = all.find(({ id }) => id === params.id)
  const path = `/portal/webhooks/${params.id}`
  return page(
    'webhooks',
    'Webhook',
    html`<p class="crumb"><a href="/portal/webhooks">Webhooks</a></p>
      <div class="title"><h1 class="code">${webhook?.url ?? 'Webhook'}</h1>${webhook && webhookStateBadge(webhook)}</div>
      ${news}
      ${query.get('done') === 'redelivered' && note('good', 'The event is sent again. Its attempt appears in the log when it was made.')}
      ${
        webhook &&
        facts([
          ['Events', webhook.events.map((event) => html`<code>${event}</code> `)],
          ...(webhook.description ? ([['Note', webhook.description]] as const) : []),
          ['Created', moment(webhook.created_at)],
          ['Webhook', html`<code>${webhook.id}</code>`],
        ])
      }
      ${webhook?.revoked_at === null && webhookActions(session, path, webhook)}
      <section><h2>Deliveries</h2>
      ${
        attempts.length === 0
          ? emptyState('No deliveries yet', 'Send a test delivery to see what your receiver answers.')
          : table<Attempt>(
              'Attempts, the latest first',
              [
                { title: 'Time', cell: ({ attempted_at }) => moment(attempted_at) },
                {
                  title: 'Event',
                  cell: ({ event, event_id }) =>
                    html`${words(event)} <code class="quiet small">${event_id}</code>`,
                },
                { title: 'Attempt', cell: ({ attempt }) => attempt, isNumber: true },
                {
                  title: 'Result',
                  cell: (attempt) => html`${attemptResult(attempt)}${attemptRequest(attempt)}`,
                },
                {
                  title: 'Action',
                  cell: ({ id, event }) =>
                    webhook?.active &&
                    actionButton(
                      session,
                      `${path}/deliveries/${id}/redeliver`,
                      'Send again',
                      `Send again: ${event}`,
                    ),
                },
              ],
              attempts,
            )
      }
      ${meta.next_cursor !== undefined && html`<p class="pager"><a class="button plain" href=${`${path}?cursor=${encodeURIComponent(meta.next_cursor)}`}>Older attempts</a></p>`}</section>`,
  )
}

function webhookActions(session: Visit['session'], path: string, { active }: WebhookView): Html {
  return html`<div class="actions">
    ${active && actionButton(session, `${path}/test`, 'Send test', 'Send test delivery')}
    ${
      active
        ? actionButton(session, `${path}/pause`, 'Pause', 'Pause the webhook')
        : actionButton(session, `${path}/resume`, 'Resume', 'Resume the webhook')
    }
    ${withConfirmation(
      'Rotate secret',
      'Rotate secret',
      form(
        session,
        `${path}/rotate-secret`,
        html`<label for="overlap">The old secret signs too</label>
          <select id="overlap" name="overlap">${SECRET_OVERLAP_OPTIONS.map(([hours, text]) => html`<option value=${hours}>${text}</option>`)}</select>
          <button>Rotate secret</button>`,
      ),
    )}
    ${withConfirmation(
      'Delete',
      'Delete the webhook',
      form(
        session,
        `${path}/delete`,
        html`<p>Nothing more is sent to this URL.</p><button class="danger">Delete webhook</button>`,
      ),
    )}
  </div>`
}

function attemptResult({ delivered, status_code, error, response_preview }: Attempt): Html {
  return html`${badge(delivered ? 'Delivered' : 'Failed', delivered ? 'good' : 'bad')} ${status_code} ${error && html`<span class="quiet">${error}</span>`}
    ${
      response_preview !== '' &&
      html`<details><summary>Response</summary><pre tabindex="0">${response_preview}</pre></details>`
    }`
}

/** The body as it was sent. The API cuts long ones. */
function attemptRequest({ request_preview, request_bytes }: Attempt): Html {
  const isCut = request_bytes > Buffer.byteLength(request_preview)
  return html`<details><summary>Request</summary><pre tabindex="0">${request_preview}</pre>
    ${isCut && html`<p class="quiet">This is the beginning of ${whole(request_bytes)} bytes.</p>`}</details>`
}

async function sendTestEvent(visit: Visit): Promise<PortalAnswer> {
  const { data: tested } = await callForPage(visit.api, 'testWebhook', { params: visit.params })
  const { delivered, status_code, error, response_preview } = tested
  const text = delivered
    ? `The test was delivered. Your receiver answered with status ${status_code}.`
    : `The test was not delivered. ${error ?? `Your receiver answered with status ${status_code}.`}`
  return showWebhook(
    visit,
    note(
      delivered ? 'good' : 'bad',
      html`<p>${text}</p>${response_preview !== '' && html`<pre>${response_preview}</pre>`}`,
    ),
  )
}

async function rotateSecret({ api, params, form: sent }: Visit): Promise<PortalAnswer> {
  const query = { overlap_hours: sent.get('overlap') ?? undefined }
  const { data } = await callForPage(api, 'rotateWebhookSecret', { params, query })
  const more = html`<p>The old secret also signs until ${moment(data.old_secret_until)}.</p>`
  return showCreatedWebhook('Secret rotated', data.webhook_id, data.secret, more)
}

async function setActive({ api, params }: Visit, active: boolean): Promise<PortalAnswer> {
  await callForPage(api, 'updateWebhook', { params, body: { active } })
  return redirect(`/portal/webhooks/${params.id}`)
}

async function deleteWebhook({ api, params }: Visit): Promise<PortalAnswer> {
  await callForPage(api, 'deleteWebhook', { params })
  return redirect('/portal/webhooks')
}

async function redeliver({ api, params }: Visit): Promise<PortalAnswer> {
  await callForPage(api, 'redeliverWebhookEvent', { params })
  return redirect(`/portal/webhooks/${params.id}?done=redelivered`)
}
