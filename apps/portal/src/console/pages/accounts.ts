// Accounts: search and create them, and change their plan, status, and credits.

import { type PageAnswer, type PortalAnswer, page, redirect } from '../../answer.ts'
import { moment, whole, words } from '../../format.ts'
import { type Html, html } from '../../html.ts'
import {
  badge,
  changeForm,
  emptyState,
  facts,
  isUuid,
  note,
  secret,
  table,
  userText,
  withConfirmation,
} from '../../parts.ts'
import { type FormInput, readForm } from '../forms.ts'
import type { AccountDetail, ChangeResult, ConsoleAccount, ConsolePlan } from '../port.ts'
import type { ConsolePages, ConsoleVisit } from '../visit.ts'
import { callTable, keyTable, postingTable } from './account-tables.ts'
import { trailTable } from './trail.ts'

export const accountPages: ConsolePages = {
  section: 'accounts',
  path: '/accounts',
  title: 'Accounts',
  routes: [
    ['GET', '/accounts', 'accounts.read', showAccounts],
    ['GET', '/accounts/new', 'accounts.create', (visit) => showForm(visit)],
    ['POST', '/accounts', 'accounts.create', create],
    ['GET', '/accounts/:id', 'accounts.read', (visit) => showAccount(visit)],
    ['POST', '/accounts/:id/plan', 'accounts.change-plan', changePlan],
    ['POST', '/accounts/:id/suspend', 'accounts.suspend', (visit) => changeStatus(visit, 'suspended')],
    ['POST', '/accounts/:id/resume', 'accounts.suspend', (visit) => changeStatus(visit, 'active')],
    ['POST', '/accounts/:id/top-up', 'credits.add', topUp],
  ],
}

const MAX_LISTED = 100
const MAX_CREDITS = 1_000_000_000
const MAX_RATE = 100_000

async function showAccounts({ console, query, can }: ConsoleVisit): Promise<PortalAnswer> {
  // The database refuses some control characters, and no email or name contains one.
  const value = (name: string) => (query.get(name) ?? '').replaceAll(/\p{Cc}/gu, '').trim()
  const oneOf = (name: string, ids: readonly string[]) => ids.find((id) => id === value(name)) ?? ''
  const filter = {
    text: value('q').slice(0, 200),
    plan: oneOf('plan', planIds(console.plans)),
    status: oneOf(
      'status',
      STATUS_OPTIONS.map(([id]) => id),
    ),
  }
  const accounts = await console.findAccounts({ ...filter, limit: MAX_LISTED })
  const isFiltered = Object.values(filter).some((one) => one !== '')
  return page(
    'accounts',
    'Accounts',
    html`<div class="title"><h1>Accounts</h1>${can('accounts.create') && html`<div class="actions"><a class="button" href="/accounts/new">Create account</a></div>`}</div>
      <form method="get" action="/accounts" class="search" role="search">
        <div class="wide"><label for="q">Search</label>
          <input id="q" name="q" type="search" value=${filter.text} autocomplete="off" placeholder="Email, id, or name of a key" /></div>
        <div><label for="plan">Plan</label>${selectField('plan', [['', 'All'], ...console.plans.map(({ id, title }) => [id, title] as const)], filter.plan)}</div>
        <div><label for="status">Status</label>${selectField('status', STATUS_OPTIONS, filter.status)}</div>
        <button>Search</button>
      </form>
      ${!accounts ? emptyState('The search took too long', 'Search for the whole email, or the whole id of the account or of a key.') : accounts.length > 0 ? accountTable(accounts) : isFiltered ? emptyState('No account fits', html`<a href="/accounts">Show all accounts</a>.`) : emptyState('No accounts yet', can('accounts.create') ? html`<a href="/accounts/new">Create the first account</a>.` : 'The operators who may create accounts have created none.')}
      ${accounts?.length === MAX_LISTED && html`<p class="quiet">These are the ${MAX_LISTED} newest. Search to find others.</p>`}`,
  )
}

const STATUS_OPTIONS = [
  ['', 'All'],
  ['active', 'Active'],
  ['suspended', 'Suspended'],
] as const

function selectField(id: string, options: readonly (readonly [string, string])[], chosen: string): Html {
  return html`<select id=${id} name=${id}>${options.map(
    ([value, text]) => html`<option value=${value} selected=${value === chosen}>${text}</option>`,
  )}</select>`
}

function accountTable(accounts: readonly ConsoleAccount[]): Html {
  return table<ConsoleAccount>(
    'Accounts, the newest first',
    [
      {
        title: 'Account',
        cell: ({ account_id: id, email }) =>
          html`<a href=${`/accounts/${id}`}>${userText(email ?? 'No email')}</a> <code class="quiet">${id.slice(0, 8)}</code>`,
      },
      { title: 'Plan', cell: ({ plan }) => words(plan) },
      { title: 'Status', cell: statusBadge },
      { title: 'Available', cell: ({ available }) => whole(available), isNumber: true },
      { title: 'Held', cell: ({ held }) => whole(held), isNumber: true },
      { title: 'Keys', cell: ({ live_keys }) => whole(live_keys), isNumber: true },
      { title: 'Created', cell: ({ created_at }) => moment(created_at.toISOString()) },
    ],
    accounts,
  )
}

function statusBadge({ status }: ConsoleAccount): Html {
  return badge(words(status), status === 'active' ? 'good' : 'bad')
}

const planOptions = (plans: readonly ConsolePlan[]) =>
  plans.map(
    ({ id, title, creditsPerCycle, rateLimitPerMinute }) =>
      [
        id,
        `${title}: ${whole(creditsPerCycle)} credits, ${whole(rateLimitPerMinute)} calls a minute`,
      ] as const,
  )

async function showForm(
  { console, session, form }: ConsoleVisit,
  problems: readonly string[] = [],
): Promise<PageAnswer> {
  return withProblems(
    page(
      'accounts',
      'Create account',
      html`<p class="crumb"><a href="/accounts">Accounts</a></p><h1>Create account</h1>
      ${problemNote(problems)}
      ${changeForm(
        session,
        '/accounts',
        html`<label for="email">Email</label>
          <input id="email" name="email" type="email" maxlength="254" autocomplete="off" placeholder="Optional" value=${form.get('email') ?? ''} />
          <label for="plan">Plan</label>${selectField('plan', planOptions(console.plans), form.get('plan') ?? '')}
          ${figureFields(form)}
          <button>Create account</button>`,
        'stack',
      )}`,
    ),
    problems,
  )
}

/** Amounts that replace those of the plan. */
function figureFields(sent: URLSearchParams): Html {
  return html`<label for="credits">Credits in each cycle</label>
    <input id="credits" name="credits" inputmode="numeric" placeholder="As the plan has them" value=${sent.get('credits') ?? ''} />
    <label for="rate">Calls per minute and key</label>
    <input id="rate" name="rate" inputmode="numeric" placeholder="As the plan has them" value=${sent.get('rate') ?? ''} />`
}

function readFigures(sent: FormInput) {
  const credits = sent.number('credits', 'Credits in each cycle', 0, MAX_CREDITS)
  const ratePerMinute = sent.number('rate', 'Calls per minute and key', 1, MAX_RATE)
  return {
    ...(credits !== undefined && { credits }),
    ...(ratePerMinute !== undefined && { ratePerMinute }),
  }
}

const planIds = (plans: readonly ConsolePlan[]) => plans.map(({ id }) => id)

async function create(visit: ConsoleVisit): Promise<PortalAnswer> {
  const { console } = visit
  const sent = readForm(visit.form)
  const id = sent.formId()
  const plan = sent.oneOf('plan', 'Plan', planIds(console.plans))
  const email = sent.line('email', 'Email', 254)
  if (email !== undefined && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    sent.report('The email address is invalid. Enter one such as ana@example.com.')
  const figures = readFigures(sent)
  if (sent.problems.length > 0) return showForm(visit, sent.problems)
  const made = await console.createAccount(id, {
    plan: plan!,
    ...figures,
    ...(email !== undefined && { email }),
  })
  if (!made.done) return showForm(visit, [made.why])
  const { accountId, key } = made.value
  return page(
    'accounts',
    'Account created',
    html`<p class="crumb"><a href="/accounts">Accounts</a></p><h1>Account created</h1>
      ${note('good', 'Copy the key now and send it to the owner of the account. It is shown this once.')}
      ${secret('API key', key)}
      <p><a class="button plain" href=${`/accounts/${accountId}`}>Open the account</a></p>`,
  )
}

const SUCCESS_MESSAGES: Readonly<Record<string, string>> = {
  plan: 'The plan was changed.',
  later: 'The change of the plan takes effect when the cycle ends.',
  active: 'The account is active. Its keys work within a second.',
  suspended: 'The account is suspended. Its keys are refused within a second.',
  credits: 'The credits were added.',
  waiting: 'Nothing was changed yet: this many credits need a second person. The request is under Approvals.',
}

async function showAccount(visit: ConsoleVisit, problems: readonly string[] = []): Promise<PageAnswer> {
  const { console, params, query } = visit
  const found = isUuid(params.id!) ? await console.getAccount(params.id!) : undefined
  if (!found) {
    return {
      ...page(
        'accounts',
        'No such account',
        emptyState('No such account', html`<a href="/accounts">Search all accounts</a>.`),
      ),
      status: 404,
    }
  }
  const { account, keys, calls, postings, trail } = found
  const done = problems.length === 0 ? SUCCESS_MESSAGES[query.get('done') ?? ''] : undefined
  return withProblems(
    page(
      'accounts',
      account.email ?? 'Account',
      html`<p class="crumb"><a href="/accounts">Accounts</a></p>
      <div class="title"><h1>${account.email ?? 'Account without email'}</h1>${statusBadge(account)}</div>
      <p class="quiet">Account <code>${account.account_id}</code>, created ${moment(account.created_at.toISOString())}</p>
      ${done && note('good', done)}${problemNote(problems)}
      <div class="columns">
        <section><h2>Credits</h2>${creditFacts(account)}</section>
        <section><h2>Plan</h2>${planFacts(account)}</section>
      </div>
      ${accountActions(visit, found)}
      <section><h2>Keys</h2>${keyTable(keys)}</section>
      <section><h2>Latest calls</h2>${callTable(calls)}</section>
      <section><h2>Latest changes of the balance</h2>${postingTable(postings)}</section>
      <section><h2>Trail</h2>${trail.length === 0 ? emptyState('No changes', 'No operator has changed this account.') : trailTable(trail, false)}</section>`,
    ),
    problems,
  )
}

function creditFacts(account: ConsoleAccount): Html {
  return facts([
    ['Available', whole(account.available)],
    ['Balance', whole(account.balance)],
    ['Held by running jobs', whole(account.held)],
    ['Left of the grant', `${whole(account.grant_left)} of ${whole(account.granted_this_cycle)}`],
  ])
}

function planFacts(account: ConsoleAccount): Html {
  const { next_plan: next, denied_operations: denied } = account
  return facts([
    ['Plan', words(account.plan)],
    ['Credits in each cycle', whole(account.credits_per_cycle)],
    ['Calls per minute and key', whole(account.rate_limit_per_minute)],
    ['Cycle ends', moment(account.renews_at?.toISOString())],
    ...(next ? ([['Then', `${words(next.plan)}, ${whole(next.credits_per_cycle)} credits`]] as const) : []),
    ...(denied.length > 0 ? ([['Denied', denied.join(', ')]] as const) : []),
  ])
}

/** Each change has its own form, which opens on demand. */
function accountActions({ console, session, can }: ConsoleVisit, { account }: AccountDetail): Html {
  const path = `/accounts/${account.account_id}`
  const isActive = account.status === 'active'
  const hasTopUps = console.plans.find(({ id }) => id === account.plan)?.topUps === true
  return html`<div class="actions">
    ${
      hasTopUps &&
      can('credits.add') &&
      withConfirmation(
        'Top up',
        'Top up the account',
        changeForm(
          session,
          `${path}/top-up`,
          html`<label for="amount">Credits to add</label>
            <input id="amount" name="amount" inputmode="numeric" required pattern="[0-9,]+" class="number" />
            <label for="reason">Reason</label>
            <input id="reason" name="reason" required maxlength=${console.maxReasonLength} autocomplete="off" />
            <label for="reference">Reference of the payment</label>
            <input id="reference" name="reference" maxlength=${console.maxReasonLength} autocomplete="off" placeholder="Optional, counts once" />
            <button>Add credits</button>`,
        ),
      )
    }
    ${
      can('accounts.change-plan') &&
      withConfirmation(
        'Change plan',
        'Change plan of the account',
        changeForm(
          session,
          `${path}/plan`,
          html`<label for="plan">Plan</label>${selectField('plan', planOptions(console.plans), account.plan)}
          ${figureFields(new URLSearchParams())}
          <label class="check"><input type="checkbox" name="now" value="on" /><span>At once, even if the account loses credits</span></label>
          <p class="hint">More credits or calls take effect at once and begin a new cycle. Less waits for the end of the cycle.</p>
          <button>Change plan</button>`,
        ),
      )
    }
    ${
      can('accounts.suspend') &&
      (isActive
        ? withConfirmation(
            'Suspend',
            'Suspend the account',
            changeForm(
              session,
              `${path}/suspend`,
              html`<p>All keys of the account are refused within a second. Running jobs finish.</p><button class="danger">Suspend account</button>`,
            ),
          )
        : changeForm(
            session,
            `${path}/resume`,
            html`<button class="plain">Resume account</button>`,
            'inline',
          ))
    }
  </div>
  ${!hasTopUps && html`<p class="quiet">The plan ${words(account.plan)} takes no top-ups.</p>`}`
}

async function changePlan(visit: ConsoleVisit): Promise<PortalAnswer> {
  const sent = readForm(visit.form)
  const id = sent.formId()
  const plan = sent.oneOf('plan', 'Plan', planIds(visit.console.plans))
  const order = { plan: plan!, ...readFigures(sent), atOnce: sent.text('now') === 'on' }
  return change(visit, sent, async (account) => {
    const changed = await visit.console.setPlan(id, account, order)
    return changed.done && changed.value === 'now' ? { ...changed, value: 'plan' } : changed
  })
}

function changeStatus(visit: ConsoleVisit, status: ConsoleAccount['status']): Promise<PortalAnswer> {
  const sent = readForm(visit.form)
  const id = sent.formId()
  return change(visit, sent, async (account) => {
    const changed = await visit.console.setStatus(id, account, status)
    return changed.done ? { ...changed, value: status } : changed
  })
}

function topUp(visit: ConsoleVisit): Promise<PortalAnswer> {
  const { maxReasonLength } = visit.console
  const sent = readForm(visit.form)
  const id = sent.formId()
  const amount = sent.number('amount', 'Credits to add', 1, MAX_CREDITS)
  const reason = sent.line('reason', 'Reason', maxReasonLength)
  const reference = sent.line('reference', 'Reference of the payment', maxReasonLength)
  if (sent.problems.length === 0 && (amount === undefined || reason === undefined))
    sent.report('The number of credits or the reason is missing. Enter both.')
  return change(visit, sent, async (account) => {
    const order = { amount: amount!, reason: reason!, ...(reference !== undefined && { reference }) }
    return visit.console.topUp(id, account, order)
  })
}

/** Changes an account and shows it, or says why nothing was changed. */
async function change(
  visit: ConsoleVisit,
  { problems }: FormInput,
  make: (account: string) => Promise<ChangeResult<string>>,
): Promise<PortalAnswer> {
  const id = visit.params.id!
  if (problems.length > 0 || !isUuid(id)) return showAccount(visit, problems)
  const changed = await make(id)
  return changed.done ? redirect(`/accounts/${id}?done=${changed.value}`) : showAccount(visit, [changed.why])
}

function problemNote(problems: readonly string[]): Html {
  return problems.length > 0 && note('bad', html`${problems.map((problem) => html`<p>${problem}</p>`)}`)
}

/** A page that reports a rejected form is not a success. */
function withProblems(answer: PageAnswer, problems: readonly string[]): PageAnswer {
  return problems.length > 0 ? { ...answer, status: 422 } : answer
}
