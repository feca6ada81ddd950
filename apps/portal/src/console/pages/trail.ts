// The trail: changes that operators made, with the command and in the console.

import { type PortalAnswer, page } from '../../answer.ts'
import { moment, words } from '../../format.ts'
import { type Html, html } from '../../html.ts'
import { emptyState, table, userText } from '../../parts.ts'
import type { ConsoleTrailEntry } from '../port.ts'
import type { ConsolePages, ConsoleVisit } from '../visit.ts'

export const trailPages: ConsolePages = {
  section: 'trail',
  path: '/trail',
  title: 'Trail',
  routes: [['GET', '/trail', 'trail.read', showTrail]],
}

const ROWS_PER_PAGE = 50

async function showTrail({ console, query }: ConsoleVisit): Promise<PortalAnswer> {
  const given = query.get('before') ?? ''
  const before = /^\d{1,15}$/.test(given) ? Number(given) : undefined
  const entries = await console.readTrail({ ...(before !== undefined && { before }), limit: ROWS_PER_PAGE })
  const last = entries.at(-1)
  return page(
    'trail',
    'Trail',
    html`<h1>Trail</h1>
      <p class="lead">Every change that an operator makes, with the command or here. Entries cannot be changed or removed.</p>
      ${entries.length === 0 ? emptyState('No changes', 'Changes by operators appear here.') : trailTable(entries, true)}
      <p class="pager">${before !== undefined && html`<a href="/trail">Latest</a>`}
        ${last && entries.length === ROWS_PER_PAGE && html`<a href=${`/trail?before=${last.id}`}>Older</a>`}</p>`,
  )
}

/** @param withAccount whether the account is a column; the page of one account has none */
export function trailTable(entries: readonly ConsoleTrailEntry[], withAccount: boolean): Html {
  return table<ConsoleTrailEntry>(
    'Changes by operators, the latest first',
    [
      { title: 'Time', cell: ({ at }) => moment(at.toISOString()) },
      {
        title: 'Operator',
        cell: ({ operator, via, sign_in }) =>
          html`${userText(operator)} <span class="quiet">${via}${sign_in !== null && `, ${sign_in}`}</span>`,
      },
      { title: 'Action', cell: ({ action }) => html`<code>${action}</code>` },
      ...(withAccount
        ? [
            {
              title: 'Account',
              cell: ({ account_id: id }: ConsoleTrailEntry) =>
                id && html`<a class="code" href=${`/accounts/${id}`}>${id.slice(0, 8)}</a>`,
            },
          ]
        : []),
      { title: 'Change', cell: (entry) => html`${userText(entry.object)} ${changesText(entry)}` },
    ],
    entries,
  )
}

/** The fields that differ before and after the change. */
function changesText({ before, after }: ConsoleTrailEntry): Html {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const changed = names.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]))
  if (changed.length === 0) return ''
  return html`<ul class="changes">${changed.map(
    (name) =>
      html`<li><span class="quiet">${words(name)}</span> ${
        before && name in before && html`<del>${truncateValue(before[name])}</del> `
      }${after && name in after && html`<ins>${truncateValue(after[name])}</ins>`}</li>`,
  )}</ul>`
}

const MAX_SHOWN = 300

function truncateValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)} …` : text
}
