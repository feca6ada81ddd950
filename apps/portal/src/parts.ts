// Shared parts of the pages: forms, tables, notes, and empty states.

import { randomUUID } from 'node:crypto'
import type { SignedInAccount } from './answer.ts'
import type { ApiError } from './api.ts'
import { type Html, html } from './html.ts'

/** A form that changes data. It contains the token of the session. */
export function form(session: SignedInAccount, action: string, content: Html, className = ''): Html {
  return html`<form method="post" action=${action} class=${className}>
    <input type="hidden" name="csrf" value=${session.csrfToken} />${content}
  </form>`
}

/** A form that makes one change, however often it is sent: its id was created with its page. */
export function changeForm(session: SignedInAccount, action: string, content: Html, className = ''): Html {
  return form(
    session,
    action,
    html`<input type="hidden" name="form" value=${randomUUID()} />${content}`,
    className,
  )
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text has the form of an id. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** A button with its own form. */
export function actionButton(
  session: SignedInAccount,
  action: string,
  label: string,
  description: string,
  className = 'plain',
): Html {
  return form(
    session,
    action,
    html`<button class=${className} aria-label=${description}>${label}</button>`,
    'inline',
  )
}

/** A change that cannot be undone: the first button opens the confirmation, a second button confirms. It works without script. */
export function withConfirmation(label: string, description: string, question: Html): Html {
  return html`<details class="confirm">
    <summary class="button plain" aria-label=${description}>${label}</summary>
    <div class="question">${question}</div>
  </details>`
}

export interface TableColumn<Row> {
  readonly title: string
  readonly cell: (row: Row) => Html
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean
}

/**
 * On narrow screens each row becomes a block, and its cells name their columns. @param isSmall its few short columns fit a narrow screen,
 * so the table keeps its form and numbers stay aligned
 */
export function table<Row>(
  caption: string,
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  isSmall = false,
): Html {
  return html`<div class=${isSmall ? 'table small-table' : 'table'}><table>
    <caption class="hidden">${caption}</caption>
    <thead><tr>${columns.map(
      ({ title, isNumber }) => html`<th scope="col" class=${isNumber ? 'number' : ''}>${title}</th>`,
    )}</tr></thead>
    <tbody>${rows.map(
      (row) =>
        html`<tr>${columns.map(
          ({ title, cell, isNumber }) =>
            html`<td data-title=${title} class=${isNumber ? 'number' : ''}><div>${cell(row)}</div></td>`,
        )}</tr>`,
    )}</tbody>
  </table></div>`
}

export function emptyState(title: string, text: Html): Html {
  return html`<div class="empty"><h2>${title}</h2><p>${text}</p></div>`
}

export function note(kind: 'good' | 'bad' | 'plain', content: Html): Html {
  return html`<div class=${`note ${kind}`} role=${kind === 'bad' ? 'alert' : 'status'}>${content}</div>`
}

/** A secret, shown only once. */
export function secret(label: string, value: string): Html {
  return html`<div class="secret">
    <label for="secret">${label}</label>
    <div class="row"><input id="secret" class="code" readonly value=${value} autocomplete="off" spellcheck="false" />
    <button type="button" class="plain" data-copy="secret" hidden>Copy</button></div>
  </div>`
}

/** A status as a word with a color. The word alone carries the meaning. */
export function badge(status: string, kind: 'good' | 'bad' | 'busy' | 'off'): Html {
  return html`<span class=${`badge ${kind}`}>${status}</span>`
}

/** The API's refusal, with details for finding the cause. */
export function problem({ code, message, requestId, retryAfterS, details: { hint } }: ApiError): Html {
  return note(
    'bad',
    html`<p>${message}</p>
      ${typeof hint === 'string' && !message.includes(hint) && html`<p>${hint}</p>`}
      ${retryAfterS !== undefined && html`<p>Try again in ${retryAfterS} seconds.</p>`}
      <p class="quiet"><a href=${`/docs/errors#${code}`}>${code}</a>, request <code>${requestId}</code></p>`,
  )
}

/** A text chosen by a user. It wraps anywhere, so that no long word widens a table. */
export function userText(text: string | null | undefined): Html {
  return html`<span class="said">${text}</span>`
}

/** A definition list of facts. */
export function facts(entries: readonly (readonly [name: string, value: Html])[]): Html {
  return html`<dl class="facts">${entries.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`
}

/** The attribution that the source of a listing requires. Empty if it requires none. */
export function attribution(text: string | null | undefined): Html {
  return text ? html`<p class="quiet">${text}</p>` : ''
}

/**
 * The attribution of one of several rows: of its own source, or else its office. The attribution of their common source is shown once,
 * below the rows.
 */
export function rowAttribution(row: {
  readonly source?: { readonly attribution?: string | null } | null
  readonly brokerName?: string | null
}): Html {
  const { source, brokerName } = row
  return attribution(source?.attribution ?? (brokerName ? `Listed by ${brokerName}.` : undefined))
}
