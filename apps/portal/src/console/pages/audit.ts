// The audit of the ledger: the findings of the last audits, and a button that starts one.

import { type PortalAnswer, page, redirect } from '../../answer.ts'
import { moment, whole } from '../../format.ts'
import { type Html, html } from '../../html.ts'
import { badge, changeForm, emptyState, note, table } from '../../parts.ts'
import { readForm } from '../forms.ts'
import type { Audits } from '../port.ts'
import type { ConsolePages, ConsoleVisit } from '../visit.ts'

export const auditPages: ConsolePages = {
  section: 'audit',
  path: '/audit',
  title: 'Audit',
  routes: [
    ['GET', '/audit', 'audit.run', showAudit],
    ['POST', '/audit', 'audit.run', startAudit],
  ],
}

/** The reload interval while an audit is running, in seconds. */
const REFRESH_S = 2

async function showAudit({ console, session }: ConsoleVisit): Promise<PortalAnswer> {
  const audits = await console.readAudits()
  const { runningSince, failure, ended, findings } = audits
  const answer = page(
    'audit',
    'Audit',
    html`<h1>Audit</h1>
      <p class="lead">An audit checks that every credit is accounted for: balances are the sums of their entries, and every call was charged
        its price.</p>
      <div id="audit" data-live=${runningSince && String(REFRESH_S)}>
        ${
          runningSince
            ? note('plain', html`An audit has been running since ${moment(runningSince.toISOString())}.`)
            : changeForm(session, '/audit', html`<button>Run an audit</button>`, 'inline')
        }
        ${failure !== undefined && note('bad', html`<p>The last audit did not end: ${failure}</p>`)}
        ${latestAudit(audits)}
      </div>
      ${findings.length > 0 && html`<section><h2>First findings</h2>${findingTable(findings)}</section>`}
      ${ended.length > 0 && html`<section><h2>Last audits</h2>${auditTable(ended)}</section>`}`,
  )
  return runningSince ? { ...answer, refreshS: REFRESH_S } : answer
}

function latestAudit({ ended: [last] }: Audits): Html {
  if (!last) return emptyState('No audit yet', 'Run one to see whether every credit is accounted for.')
  return last.drifts === 0
    ? note('good', html`<p>Every credit is accounted for, as of ${moment(last.ended_at.toISOString())}.</p>`)
    : note(
        'bad',
        html`<p>The audit of ${moment(last.ended_at.toISOString())} has ${whole(last.drifts)} findings. <code>lotline credits audit</code>
          lists all of them.</p>`,
      )
}

function findingTable(findings: Audits['findings']): Html {
  return table<Audits['findings'][number]>(
    'Findings of the last audit',
    [
      { title: 'Check', cell: ({ check }) => check },
      {
        title: 'Account',
        cell: ({ accountId: id }) =>
          id && html`<a class="code" href=${`/accounts/${id}`}>${id.slice(0, 8)}</a>`,
      },
      { title: 'Facts', cell: ({ facts }) => html`<code>${JSON.stringify(facts)}</code>` },
    ],
    findings,
  )
}

function auditTable(ended: Audits['ended']): Html {
  return table<Audits['ended'][number]>(
    'Audits, the latest first',
    [
      { title: 'Ended', cell: ({ ended_at }) => moment(ended_at.toISOString()) },
      {
        title: 'Result',
        cell: ({ drifts }) =>
          drifts === 0 ? badge('Clean', 'good') : badge(`${whole(drifts)} findings`, 'bad'),
      },
      { title: 'Accounts', cell: ({ accounts }) => whole(accounts), isNumber: true },
      { title: 'Postings', cell: ({ postings }) => whole(postings), isNumber: true },
      { title: 'Holds', cell: ({ holds }) => whole(holds), isNumber: true },
      { title: 'Usage rows', cell: ({ usage_rows }) => whole(usage_rows), isNumber: true },
    ],
    ended,
  )
}

async function startAudit({ console, form }: ConsoleVisit): Promise<PortalAnswer> {
  const sent = readForm(form)
  const id = sent.formId()
  if (sent.problems.length === 0) console.startAudit(id)
  return redirect('/audit')
}
