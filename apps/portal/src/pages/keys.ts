// The API keys of the account. Only the response to the form that created a key shows it, also if the browser sends the form again.

import { randomUUID } from 'node:crypto'
import type { SuccessBody } from '@lotline/contract'
import { type PortalAnswer, page, redirect, type Visit } from '../answer.ts'
import { callForPage } from '../api.ts'
import { moment, whole } from '../format.ts'
import { type Html, html } from '../html.ts'
import { badge, emptyState, form, note, secret, table, withConfirmation } from '../parts.ts'
import type { PageRoute } from '../routes.ts'

type KeyView = SuccessBody<'listKeys'>['data'][number]

export const keyRoutes: readonly PageRoute[] = [
  ['GET', '/portal/keys', showKeys],
  ['GET', '/portal/keys/new', showForm],
  ['POST', '/portal/keys', create],
  ['POST', '/portal/keys/:id/rotate', rotate],
  ['POST', '/portal/keys/:id/revoke', revoke],
]

const SUCCESS_MESSAGES: Readonly<Record<string, string>> = {
  revoked: 'The key was revoked. It no longer works.',
}
const GRACE_OPTIONS = [
  ['0', 'at once'],
  ['60', 'in an hour'],
  ['1440', 'in a day'],
  ['10080', 'in a week'],
] as const
const LIMIT_PERIOD_OPTIONS = ['month', 'week', 'day', 'total'] as const
const EXPIRY_OPTIONS = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const

async function showKeys(visit: Visit): Promise<PortalAnswer> {
  const { data: keys } = await callForPage(visit.api, 'listKeys')
  const live = keys.filter(({ active }) => active)
  const ended = keys.filter(({ active }) => !active)
  const done = SUCCESS_MESSAGES[visit.query.get('done') ?? '']
  return page(
    'keys',
    'API keys',
    html`<div class="title"><h1>API keys</h1><div class="actions"><a class="button" href="/portal/keys/new">Create key</a></div></div>
      ${done && note('good', done)}
      <p class="lead">All keys share the credits of the account. Each has its own rate limit.</p>
      ${keyTable('Keys that work', live, (key) => keyActions(visit, key))}
      ${
        ended.length > 0 &&
        html`<details class="more"><summary>Keys that no longer work (${ended.length})</summary>
          ${keyTable('Keys that no longer work', ended, undefined)}</details>`
      }`,
  )
}

function keyTable(
  caption: string,
  keys: readonly KeyView[],
  actionsOf: ((key: KeyView) => Html) | undefined,
): Html {
  if (keys.length === 0) return emptyState('No keys', 'Create a key to call the API.')
  return table<KeyView>(
    caption,
    [
      {
        title: 'Name',
        cell: (key) =>
          html`<strong>${keyName(key)}</strong> <code>…${key.last4}</code> ${keyStateBadge(key)} ${key.oauth_client && badge('Connector', 'off')}`,
      },
      { title: 'Operations', cell: ({ allowed_operations: allowed }) => allowedText(allowed) },
      { title: 'Credit limit', cell: ({ credit_limit: limit }) => limitText(limit) },
      { title: 'Last used', cell: ({ last_used_at }) => moment(last_used_at) },
      { title: 'Expires', cell: ({ expires_at }) => moment(expires_at) },
      ...(actionsOf ? [{ title: 'Actions', cell: actionsOf }] : []),
    ],
    keys,
  )
}

function keyName({ name }: KeyView): string {
  return name || 'Unnamed key'
}

function keyStateBadge(key: KeyView): Html {
  if (!key.active) return badge('Ended', 'off')
  if (key.revoked_at !== null)
    return html`${badge('Replaced', 'busy')} <span class="quiet">until ${moment(key.revoked_at)}</span>`
  return key.current ? badge('This session', 'good') : ''
}

function allowedText(allowed: KeyView['allowed_operations']): Html {
  if (!allowed) return 'All'
  return html`<details><summary>${allowed.length} allowed</summary><code>${allowed.join(', ')}</code></details>`
}

function limitText(limit: KeyView['credit_limit']): Html {
  if (!limit) return 'None'
  return `${whole(limit.credits)} ${limit.per === 'total' ? 'in total' : `per ${limit.per}`}`
}

function keyActions({ session }: Visit, key: KeyView): Html {
  const { id, current } = key
  const name = keyName(key)
  return html`${
    key.revoked_at === null &&
    withConfirmation(
      'Rotate',
      `Rotate ${name}`,
      form(
        session,
        `/portal/keys/${id}/rotate`,
        html`<p>A new key takes the place of this one. It is shown once.</p>
          <label for=${`grace-${id}`}>The old key stops working</label>
          <select id=${`grace-${id}`} name="grace">${GRACE_OPTIONS.map(
            ([minutes, text]) => html`<option value=${minutes} selected=${minutes === '60'}>${text}</option>`,
          )}</select>
          <button>Rotate key</button>`,
      ),
    )
  }${withConfirmation(
    'Revoke',
    `Revoke ${name}`,
    form(
      session,
      `/portal/keys/${id}/revoke`,
      html`<p>Programs that use this key are refused at once.${current ? ' You are signed in with it, so this also signs you out.' : ''}</p>
        <button class="danger">Revoke key</button>`,
    ),
  )}`
}

async function showForm({ session }: Visit): Promise<PortalAnswer> {
  return page(
    'keys',
    'Create key',
    html`<p class="crumb"><a href="/portal/keys">API keys</a></p><h1>Create key</h1>
      ${form(
        session,
        '/portal/keys',
        html`<input type="hidden" name="attempt" value=${randomUUID()} />
          <label for="name">Name</label>
          <input id="name" name="name" required maxlength="100" autocomplete="off" placeholder="Nightly report" />
          <label for="credits">Credit limit</label>
          <div class="row"><input id="credits" name="credits" inputmode="numeric" pattern="[0-9]{1,9}" placeholder="None" class="number" />
            <select name="per" aria-label="Period of the credit limit">${LIMIT_PERIOD_OPTIONS.map(
              (per) => html`<option value=${per}>${per === 'total' ? 'in total' : `per ${per}`}</option>`,
            )}</select></div>
          <p class="hint">The key is refused when it has spent this many credits. Leave it empty for no limit.</p>
          <label for="expiry">Expires</label>
          <select id="expiry" name="expiry">${EXPIRY_OPTIONS.map(([days, text]) => html`<option value=${days}>${text}</option>`)}</select>
          <label for="operations">Operations</label>
          <input id="operations" name="operations" autocomplete="off" spellcheck="false" placeholder="All" aria-describedby="operations-hint" />
          <p class="hint" id="operations-hint">The operations that the key may use, such as <code>listUsage searchForSale</code>. The
            ${' '}<a href="/docs/reference/">reference</a> names them. Leave it empty for all that the key of this session may use.</p>
          <button>Create key</button>`,
        'stack',
      )}`,
  )
}

async function create({ api, form: sent, now }: Visit): Promise<PortalAnswer> {
  const text = (name: string) => (sent.get(name) ?? '').trim()
  const operations = text('operations')
    .split(/[\s,]+/)
    .filter((id) => id !== '')
  const days = Number(text('expiry'))
  const { data: made } = await callForPage(api, 'createKey', {
    // A form that the browser sends again creates no second key.
    ...(text('attempt') !== '' && { headers: { 'idempotency-key': text('attempt') } }),
    body: {
      name: text('name'),
      ...(text('credits') !== '' && {
        credit_limit: { credits: parseNumberInput(text('credits')), per: text('per') },
      }),
      ...(operations.length > 0 && { allowed_operations: operations }),
      ...(days > 0 && { expires_at: expiryDate(now, days) }),
    },
  })
  return showCreatedKey('Key created', made.name, made.key)
}

/** A value that is not a number is sent unchanged, so that the API's error describes it. */
function parseNumberInput(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text
}

/** The end of the day, so that the same form sent again on the same day is the same request. */
function expiryDate(now: Date, days: number): string {
  const end = new Date(now)
  end.setUTCHours(24 * (days + 1), 0, 0, 0)
  return end.toISOString()
}

async function rotate({ api, params, form: sent }: Visit): Promise<PortalAnswer> {
  const query = { grace_minutes: sent.get('grace') ?? undefined }
  const { data: made } = await callForPage(api, 'rotateKey', { params, query })
  return showCreatedKey(
    'Key rotated',
    made.name,
    made.key,
    html`<p>The old key works until ${moment(made.old_key_revoked_at)}.</p>`,
  )
}

function showCreatedKey(title: string, name: string, key: string, more: Html = ''): PortalAnswer {
  return page(
    'keys',
    title,
    html`<p class="crumb"><a href="/portal/keys">API keys</a></p><h1>${title}</h1>
      ${note('good', html`<p>Copy the key <strong>${name}</strong> now. It is not shown again after you leave this page.</p>`)}
      ${secret('API key', key)}
      ${more}
      <p><a class="button plain" href="/portal/keys">Done</a></p>`,
  )
}

async function revoke({ api, params }: Visit): Promise<PortalAnswer> {
  await callForPage(api, 'deleteKey', { params })
  return redirect('/portal/keys?done=revoked')
}
