// Changes of credits above the limit, which wait for a second person.

import { type PortalAnswer, page, redirect } from '../../answer.ts'
import { moment, whole, words } from '../../format.ts'
import { type Html, html } from '../../html.ts'
import { changeForm, emptyState, isUuid, note, table, userText, withConfirmation } from '../../parts.ts'
import { readForm } from '../forms.ts'
import type { ChangeResult, ConsoleApi, ConsoleApproval } from '../port.ts'
import type { ConsolePages, ConsoleVisit } from '../visit.ts'

export const approvalPages: ConsolePages = {
  section: 'approvals',
  path: '/approvals',
  title: 'Approvals',
  routes: [
    ['GET', '/approvals', 'credits.approve', (visit) => showApprovals(visit)],
    ['POST', '/approvals/:id/approve', 'credits.approve', (visit) => decide(visit, 'approveCredits')],
    ['POST', '/approvals/:id/refuse', 'credits.approve', (visit) => decide(visit, 'refuseCredits')],
  ],
}

const LISTED = 100
const DONE: Readonly<Record<string, string>> = {
  approveCredits: 'The change was approved and made.',
  refuseCredits: 'The change was refused. Nothing was changed.',
}

async function showApprovals(visit: ConsoleVisit, problem?: string): Promise<PortalAnswer> {
  const { console, query } = visit
  const waiting = await console.readApprovals(LISTED)
  const done = problem === undefined ? DONE[query.get('done') ?? ''] : undefined
  const answer = page(
    'approvals',
    'Approvals',
    html`<h1>Approvals</h1>
      <p class="lead">Changes of more credits than one operator may move alone. Another named operator approves or refuses each of them.</p>
      ${done && note('good', done)}${problem && note('bad', problem)}
      ${
        waiting.length === 0
          ? emptyState('Nothing waits', 'Changes above the limit appear here until they are decided.')
          : approvalTable(visit, waiting)
      }`,
  )
  return problem === undefined ? answer : { ...answer, status: 422 }
}

function approvalTable({ session }: ConsoleVisit, waiting: readonly ConsoleApproval[]): Html {
  return table<ConsoleApproval>(
    'Changes that wait, the oldest first',
    [
      { title: 'Asked', cell: ({ createdAt }) => moment(createdAt.toISOString()) },
      {
        title: 'Operator',
        cell: ({ operator, via }) => html`${userText(operator)} <span class="quiet">${via}</span>`,
      },
      {
        title: 'Account',
        cell: ({ accountId: id }) => html`<a class="code" href=${`/accounts/${id}`}>${id.slice(0, 8)}</a>`,
      },
      {
        title: 'Action',
        cell: ({ action, request }) => html`<code>${action}</code> ${argumentList(request)}`,
      },
      { title: 'Credits', cell: ({ credits }) => whole(credits), isNumber: true },
      { title: 'Decide', cell: (approval) => buttons(session, approval) },
    ],
    waiting,
  )
}

function argumentList(request: ConsoleApproval['request']): Html {
  return html`<ul class="changes">${Object.entries(request).map(
    ([name, value]) =>
      html`<li><span class="quiet">${words(name)}</span> ${userText(typeof value === 'object' ? JSON.stringify(value) : String(value))}</li>`,
  )}</ul>`
}

function buttons(session: ConsoleVisit['session'], approval: ConsoleApproval): Html {
  const { id, action, credits, operator, obstacle } = approval
  const name = `${action} of ${whole(credits)} credits by ${operator}`
  return html`${
    obstacle === undefined
      ? withConfirmation(
          'Approve',
          `Approve ${name}`,
          changeForm(
            session,
            `/approvals/${id}/approve`,
            html`<p>The change is made at once, in the name of ${operator}. The trail names you, too.</p><button>Approve change</button>`,
          ),
        )
      : html`<span class="quiet">${obstacle}</span>`
  }${withConfirmation(
    'Refuse',
    `Refuse ${name}`,
    changeForm(
      session,
      `/approvals/${id}/refuse`,
      html`<p>Nothing is changed in the account.</p><button class="danger">Refuse change</button>`,
    ),
  )}`
}

async function decide(
  visit: ConsoleVisit,
  decision: 'approveCredits' | 'refuseCredits',
): Promise<PortalAnswer> {
  const sent = readForm(visit.form)
  const form = sent.formId()
  if (sent.problems.length > 0) return showApprovals(visit, sent.problems[0])
  if (!isUuid(visit.params.id!)) return redirect('/approvals')
  const decideIn: ConsoleApi[typeof decision] = visit.console[decision]
  const changed: ChangeResult<undefined> = await decideIn(form, visit.params.id!)
  return changed.done ? redirect(`/approvals?done=${decision}`) : showApprovals(visit, changed.why)
}
