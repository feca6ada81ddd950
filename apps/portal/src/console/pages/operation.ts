// The state of the service: providers and their circuit breakers, queues, and failing webhooks.

import { type PortalAnswer, page } from '../../answer.ts'
import { count, moment, whole, words } from '../../format.ts'
import { type Html, html } from '../../html.ts'
import { badge, emptyState, facts, table, userText } from '../../parts.ts'
import type {
  ConsoleFailingWebhook,
  ConsoleLiveJob,
  ConsoleQueues,
  ProviderState,
  Providers,
} from '../port.ts'
import type { ConsolePages, ConsoleVisit } from '../visit.ts'
import { duration } from './data.ts'

export const providerPages: ConsolePages = {
  section: 'providers',
  path: '/providers',
  title: 'Providers',
  routes: [['GET', '/providers', 'service.read', showProviders]],
}

export const queuePages: ConsolePages = {
  section: 'queues',
  path: '/queues',
  title: 'Queues',
  routes: [['GET', '/queues', 'service.read', showQueues]],
}

export const webhookPages: ConsolePages = {
  section: 'webhooks',
  path: '/webhooks',
  title: 'Webhooks',
  routes: [['GET', '/webhooks', 'service.read', showWebhooks]],
}

async function showProviders({ console }: ConsoleVisit): Promise<PortalAnswer> {
  const { providers, fallbacks, hours } = await console.readProviders()
  return page(
    'providers',
    'Providers',
    html`<h1>Providers</h1>
      <p class="lead">Where listings are asked for, in this order. While a circuit breaker is open, its provider is only probed.</p>
      ${table<ProviderState>(
        'Providers',
        [
          { title: 'Provider', cell: ({ name }) => name },
          {
            title: 'Circuit breaker',
            cell: ({ circuit }) =>
              circuit === 'closed' ? badge('Closed: asked', 'good') : badge('Open: not asked', 'bad'),
          },
          {
            title: 'Changed',
            cell: ({ changedAt }) => moment(changedAt?.toISOString(), 'Not since the start'),
          },
        ],
        providers,
      )}
      <p class="quiet">The state of the process that serves this page. ${
        providers.length > 1 && `${count(fallbacks, 'answer')} came from another provider than the first.`
      }</p>
      <section><h2>Queries</h2>
      ${
        hours.length === 0
          ? emptyState('No queries', 'No account has asked a provider in the last 24 hours.')
          : table<Providers['hours'][number]>(
              'Queries to providers by the hour, the latest first',
              [
                { title: 'Hour', cell: ({ hour }) => moment(hour.toISOString()) },
                { title: 'Queries', cell: ({ queries }) => whole(queries), isNumber: true },
                { title: 'Accounts', cell: ({ accounts }) => whole(accounts), isNumber: true },
              ],
              hours,
            )
      }</section>`,
  )
}

async function showQueues({ console }: ConsoleVisit): Promise<PortalAnswer> {
  const { jobs, outbox, watches, paused, live } = await console.readQueues()
  const changes = watches.changes >= 100_000 ? '100,000 or more' : whole(watches.changes)
  return page(
    'queues',
    'Queues',
    html`<h1>Queues</h1>
      <p class="lead">What waits, and for how long. Lag is the age of the oldest entry.</p>
      <div class="columns">
        <section><h2>Webhook deliveries</h2>${facts([
          ['Due', whole(outbox.due)],
          ['Lag', duration(outbox.lag_seconds)],
        ])}</section>
        <section><h2>Watches</h2>${facts([
          ['Changes to compare', changes],
          ['Due', whole(watches.due)],
          ...paused.map(({ reason, count: number }) => [`Paused: ${words(reason)}`, whole(number)] as const),
        ])}</section>
      </div>
      <section><h2>Jobs</h2>
      ${
        jobs.length === 0
          ? emptyState('No open jobs', 'No job is queued or running.')
          : html`${table<ConsoleQueues['jobs'][number]>(
              'Open jobs by type',
              [
                { title: 'Type', cell: ({ type }) => words(type) },
                { title: 'Status', cell: ({ status }) => providerStatusBadge(status) },
                { title: 'Jobs', cell: ({ jobs: number }) => whole(number), isNumber: true },
                { title: 'Lag', cell: ({ oldest_seconds }) => duration(oldest_seconds), isNumber: true },
              ],
              jobs,
            )}
            <h2>Latest open jobs</h2>
            ${table<ConsoleLiveJob>(
              'Open jobs, the latest first',
              [
                { title: 'Job', cell: ({ job_id }) => html`<code>${job_id}</code>` },
                { title: 'Account', cell: ({ account_id }) => accountLink(account_id) },
                { title: 'Type', cell: ({ type }) => words(type) },
                { title: 'Status', cell: ({ status }) => providerStatusBadge(status) },
                {
                  title: 'Done',
                  cell: ({ progress_done: done, progress_total: total }) =>
                    total === null ? whole(done) : `${whole(done)} of ${whole(total)}`,
                  isNumber: true,
                },
                { title: 'Created', cell: ({ created_at }) => moment(created_at.toISOString()) },
              ],
              live,
            )}
            <p class="quiet"><code>lotline jobs abort JOB</code> aborts one.</p>`
      }</section>`,
  )
}

function providerStatusBadge(status: string): Html {
  return badge(words(status), status === 'running' ? 'busy' : 'off')
}

function accountLink(id: string, text = id.slice(0, 8)): Html {
  return html`<a href=${`/accounts/${id}`}>${userText(text)}</a>`
}

const MAX_WEBHOOKS = 100

async function showWebhooks({ console }: ConsoleVisit): Promise<PortalAnswer> {
  const failing = await console.readFailingWebhooks(MAX_WEBHOOKS)
  return page(
    'webhooks',
    'Failing webhooks',
    html`<h1>Failing webhooks</h1>
      <p class="lead">Webhooks with failed attempts in the last 24 hours, the most failures first.</p>
      ${
        failing.length === 0
          ? emptyState(
              'No failing webhooks',
              'Every receiver has accepted what was sent in the last 24 hours.',
            )
          : table<ConsoleFailingWebhook>(
              'Failing webhooks',
              [
                {
                  title: 'URL',
                  cell: ({ url, active }) =>
                    html`<span class="code">${url}</span> ${!active && badge('Paused', 'off')}`,
                },
                {
                  title: 'Account',
                  cell: ({ account_id: id, email }) => accountLink(id, email ?? undefined),
                },
                {
                  title: 'Failed',
                  cell: ({ failed, attempts }) => `${whole(failed)} of ${whole(attempts)}`,
                  isNumber: true,
                },
                { title: 'Waiting', cell: ({ open }) => whole(open), isNumber: true },
                {
                  title: 'Last failure',
                  cell: ({ failed_at, status_code, error }) =>
                    html`${moment(failed_at.toISOString())} <span class="quiet">${userText(error ?? `status ${status_code}`)}</span>`,
                },
                {
                  title: 'Last delivery',
                  cell: ({ delivered_at }) => moment(delivered_at?.toISOString(), 'None in 24 hours'),
                },
              ],
              failing,
            )
      }`,
  )
}
