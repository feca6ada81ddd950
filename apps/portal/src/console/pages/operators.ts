// The operators of the console and its open sessions, which an owner can end.

import { type PortalAnswer, page, redirect } from '../../answer.ts'
import { moment, whole } from '../../format.ts'
import { type Html, html } from '../../html.ts'
import { changeForm, isUuid, note, table, userText, withConfirmation } from '../../parts.ts'
import { readForm } from '../forms.ts'
import type { ConsoleOperator, ConsoleSession } from '../port.ts'
import type { ConsolePages, ConsoleVisit } from '../visit.ts'

export const operatorPages: ConsolePages = {
  section: 'operators',
  path: '/operators',
  title: 'Operators',
  routes: [
    ['GET', '/operators', 'operators.change', (visit) => showOperators(visit)],
    ['POST', '/operators/sessions/:id/end', 'operators.change', endSession],
  ],
}

async function showOperators(visit: ConsoleVisit, problem?: string): Promise<PortalAnswer> {
  const { console, query } = visit
  const { operators, sessions, hasSharedSignIn, creditLimit } = await console.readOperators()
  const isDone = problem === undefined && query.get('done') === 'ended'
  const answer = page(
    'operators',
    'Operators',
    html`<h1>Operators</h1>
      <p class="lead">Who can sign in to this console, and who is signed in. Operators are added, changed, and removed with the
        command <code>lotline operators</code>; <code>lotline console lock</code> ends all sessions and locks the console.</p>
      ${isDone && note('good', 'The session has ended.')}${problem && note('bad', problem)}
      <section><h2>Named operators</h2>${
        operators.length === 0
          ? html`<p class="quiet">None. Add one with: <code>lotline operators add NAME --role ROLE</code></p>`
          : operatorTable(operators)
      }
      <p>The shared sign-in by link is ${hasSharedSignIn ? 'on' : 'off'}. ${
        creditLimit === null
          ? 'No limit of credits is set.'
          : `A change of more than ${whole(creditLimit)} credits needs a second person.`
      }</p></section>
      <section><h2>Open sessions</h2>${sessionTable(visit, sessions)}</section>`,
  )
  return problem === undefined ? answer : { ...answer, status: 422 }
}

function operatorTable(operators: readonly ConsoleOperator[]): Html {
  return table<ConsoleOperator>(
    'Named operators',
    [
      { title: 'Name', cell: ({ name }) => userText(name) },
      { title: 'Role', cell: ({ role }) => role },
      { title: 'Passkeys', cell: ({ passkeys }) => whole(passkeys), isNumber: true },
      { title: 'Last sign-in', cell: ({ lastSignIn }) => moment(lastSignIn?.toISOString()) },
    ],
    operators,
  )
}

function sessionTable({ session }: ConsoleVisit, sessions: readonly ConsoleSession[]): Html {
  return table<ConsoleSession>(
    'Open sessions, the latest sign-in first',
    [
      {
        title: 'Operator',
        cell: ({ operator, role, signIn }) =>
          html`${userText(operator)} <span class="quiet">${role}, by ${signIn}</span>`,
      },
      { title: 'Signed in', cell: ({ startedAt }) => moment(startedAt.toISOString()) },
      { title: 'Last used', cell: ({ lastUsedAt }) => moment(lastUsedAt?.toISOString()) },
      {
        title: 'Address',
        cell: ({ firstAddress, lastAddress }) =>
          firstAddress === null || firstAddress === lastAddress
            ? userText(lastAddress)
            : html`${userText(firstAddress)}, then ${userText(lastAddress)}`,
      },
      { title: 'Browser', cell: ({ userAgent }) => userText(userAgent) },
      {
        title: 'End',
        cell: ({ id, operator }) =>
          withConfirmation(
            'End',
            `End the session of ${operator}`,
            changeForm(
              session,
              `/operators/sessions/${id}/end`,
              html`<p>The browser is signed out with its next request.</p><button class="danger">End session</button>`,
            ),
          ),
      },
    ],
    sessions,
  )
}

async function endSession(visit: ConsoleVisit): Promise<PortalAnswer> {
  const sent = readForm(visit.form)
  const form = sent.formId()
  if (sent.problems.length > 0) return showOperators(visit, sent.problems[0])
  if (!isUuid(visit.params.id!)) return redirect('/operators')
  const ended = await visit.console.endSession(form, visit.params.id!)
  return ended.done ? redirect('/operators?done=ended') : showOperators(visit, ended.why)
}
