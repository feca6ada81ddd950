// The lists on the page of an account: its keys, its latest calls, and the latest changes of its balance.

import { moment, whole, words } from '../../format.ts'
import { type Html, html } from '../../html.ts'
import { badge, emptyState, table, userText } from '../../parts.ts'
import type { AccountCall, AccountKey, ConsolePosting } from '../port.ts'

export function keyTable(keys: readonly AccountKey[]): Html {
  if (keys.length === 0) return emptyState('No keys', 'Create one with: lotline keys create')
  return table<AccountKey>(
    'Keys, the oldest first',
    [
      {
        title: 'Name',
        cell: ({ name, last4 }) =>
          html`${userText(name || 'Unnamed key')} <code class="quiet">…${last4}</code>`,
      },
      { title: 'State', cell: ({ revoked }) => (revoked ? badge('Ended', 'off') : badge('Works', 'good')) },
      {
        title: 'Credit limit',
        cell: ({ credit_limit: limit }) =>
          limit
            ? `${whole(limit.credits)} ${limit.per === 'total' ? 'in total' : `per ${limit.per}`}`
            : 'None',
      },
      { title: 'Last used', cell: ({ last_used_at: at }) => moment(at?.toISOString()) },
      { title: 'Id', cell: ({ key_id }) => html`<code class="quiet">${key_id}</code>` },
    ],
    keys,
  )
}

export function callTable(calls: readonly AccountCall[]): Html {
  if (calls.length === 0) return emptyState('No calls', 'The account has made no call yet.')
  return table<AccountCall>(
    'Calls, the latest first',
    [
      { title: 'Time', cell: ({ at }) => moment(at.toISOString()) },
      { title: 'Endpoint', cell: ({ endpoint }) => html`<code>${endpoint}</code>` },
      { title: 'Status', cell: ({ status }) => badge(String(status), status < 400 ? 'good' : 'bad') },
      { title: 'Units', cell: ({ units }) => whole(units), isNumber: true },
      { title: 'Credits', cell: ({ credits }) => whole(credits), isNumber: true },
    ],
    calls,
  )
}

export function postingTable(postings: readonly ConsolePosting[]): Html {
  if (postings.length === 0) return emptyState('No changes', 'The balance has never changed.')
  return table<ConsolePosting>(
    'Changes of the balance, the latest first',
    [
      { title: 'Time', cell: ({ created_at }) => moment(created_at.toISOString()) },
      { title: 'Kind', cell: ({ kind }) => words(kind) },
      { title: 'Credits', cell: ({ amount }) => whole(amount), isNumber: true },
      { title: 'Held', cell: ({ held_change }) => whole(held_change), isNumber: true },
      { title: 'Balance', cell: ({ balance }) => whole(balance), isNumber: true },
      {
        title: 'Why',
        cell: ({ reason, reference, operator }) =>
          userText([reason, reference, operator && `by ${operator}`].filter(Boolean).join(', ')),
      },
    ],
    postings,
  )
}
