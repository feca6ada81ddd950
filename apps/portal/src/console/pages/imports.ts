// Imports: those that are held with the difference that they would make, and the last ones, which can be undone.

import { type PortalAnswer, page, redirect } from '../../answer.ts'
import { count, moment, whole, words } from '../../format.ts'
import { type Html, html } from '../../html.ts'
import { badge, changeForm, emptyState, facts, note, table, userText, withConfirmation } from '../../parts.ts'
import { readForm } from '../forms.ts'
import type {
  ChangeResult,
  ConsoleHeldImport,
  ConsoleImport,
  ConsoleImportUndo,
  HeldImportDetail,
  ImportDifference,
} from '../port.ts'
import type { ConsolePages, ConsoleVisit } from '../visit.ts'

export const importPages: ConsolePages = {
  section: 'imports',
  path: '/imports',
  title: 'Imports',
  routes: [
    ['GET', '/imports', 'data.read', (visit) => showImports(visit)],
    ['GET', '/imports/:id', 'data.read', showHeldImport],
    ['POST', '/imports/:id/release', 'data.change', release],
    ['POST', '/imports/:id/discard', 'data.change', discard],
    ['GET', '/imports/:id/undo', 'data.change', showUndo],
    ['POST', '/imports/:id/undo', 'data.change', undo],
  ],
}

const LISTED = 50
const DONE: Readonly<Record<string, string>> = {
  applied: 'The import was applied.',
  'next-run': 'The import was released. The next run of the feed is not judged.',
  discarded: 'The import was discarded. The data set stays as it was.',
  undone: 'The import was undone.',
}

async function showImports(visit: ConsoleVisit, problem?: string): Promise<PortalAnswer> {
  const { console, query } = visit
  const [held, imports] = await Promise.all([console.readHeldImports(), console.readImports(LISTED)])
  const done = problem === undefined ? DONE[query.get('done') ?? ''] : undefined
  const answer = page(
    'imports',
    'Imports',
    html`<h1>Imports</h1>
      <p class="lead">Files, runs of feeds, and removals that changed the data set. An import that exceeds limits of its source is held until
        an operator decides.</p>
      ${done && note('good', done)}${problem && note('bad', problem)}
      <section><h2>Held imports</h2>${
        held.length === 0
          ? html`<p class="quiet">No import is held.</p>`
          : table<ConsoleHeldImport>('Held imports, the latest first', HELD_COLUMNS, held)
      }</section>
      <section><h2>Last imports</h2>${
        imports.length === 0
          ? emptyState('No imports', html`Import listings with <code>lotline listings import</code>.`)
          : table<ConsoleImport>('Imports, the latest first', importColumns(visit), imports)
      }</section>`,
  )
  return problem === undefined ? answer : { ...answer, status: 422 }
}

const HELD_COLUMNS = [
  {
    title: 'Import',
    cell: ({ id }: ConsoleHeldImport) => html`<a href=${`/imports/${id}`}>${String(id)}</a>`,
  },
  { title: 'Since', cell: ({ startedAt }: ConsoleHeldImport) => moment(startedAt.toISOString()) },
  { title: 'Kind', cell: ({ kind }: ConsoleHeldImport) => words(kind) },
  { title: 'Sources', cell: ({ sources }: ConsoleHeldImport) => userText(sources.join(', ')) },
  {
    title: 'Reason',
    cell: ({ findings }: ConsoleHeldImport) => userText(findings.map(({ text }) => text).join('; ')),
  },
]

const BADGE_BY_STATE = { held: 'bad', applied: 'good', discarded: 'off', reverted: 'off' } as const

function importColumns({ can }: ConsoleVisit) {
  return [
    { title: 'Import', cell: ({ id }: ConsoleImport) => String(id) },
    { title: 'Started', cell: ({ startedAt }: ConsoleImport) => moment(startedAt.toISOString()) },
    { title: 'Kind', cell: ({ kind }: ConsoleImport) => words(kind) },
    { title: 'State', cell: stateBadge },
    { title: 'Sources', cell: ({ sources }: ConsoleImport) => userText(sources.join(', ')) },
    { title: 'Rows', cell: ({ counts }: ConsoleImport) => countTexts(counts) },
    {
      title: 'Undo',
      cell: ({ id, canBeUndone }: ConsoleImport) =>
        canBeUndone && can('data.change')
          ? html`<a class="button plain" href=${`/imports/${id}/undo`} aria-label=${`Undo import ${id}`}>Undo</a>`
          : '',
    },
  ]
}

function stateBadge({ state, decidedBy }: Pick<ConsoleImport, 'state' | 'decidedBy'>): Html {
  return html`${badge(words(state), BADGE_BY_STATE[state])} ${
    decidedBy !== null && html`<span class="quiet">by ${userText(decidedBy)}</span>`
  }`
}

function countTexts(counts: ConsoleImport['counts']): Html {
  const texts = Object.entries(counts).flatMap(([name, value]) =>
    value > 0 ? [`${name.replaceAll('_', ' ')} ${whole(value)}`] : [],
  )
  return texts.join(', ')
}

/** The number of the import in the path. undefined: it is not a number. */
function importIdOf({ params }: ConsoleVisit): number | undefined {
  return /^[1-9]\d{0,14}$/.test(params.id!) ? Number(params.id) : undefined
}

async function showHeldImport(visit: ConsoleVisit): Promise<PortalAnswer> {
  const id = importIdOf(visit)
  const detail = id === undefined ? undefined : await visit.console.getHeldImport(id)
  if (!detail) return redirect('/imports')
  const { held, difference } = detail
  return page(
    'imports',
    `Import ${held.id}`,
    html`<h1>Import ${String(held.id)}</h1>
      ${facts([
        ['Kind', words(held.kind)],
        ['State', stateBadge(held)],
        ['Since', moment(held.startedAt.toISOString())],
        ['Sources', userText(held.sources.join(', '))],
        ...(held.decidedAt ? [['Decided', moment(held.decidedAt.toISOString())] as const] : []),
        ...(held.note === null ? [] : [['Note', userText(held.note)] as const]),
      ])}
      <section><h2>Limits that it exceeds</h2><ul>${held.findings.map(
        ({ limit, text }) => html`<li><code>${limit}</code>: ${userText(text)}</li>`,
      )}</ul></section>
      ${differenceSection(detail)}
      ${difference !== 'decided' && visit.can('data.change') && decisionButtons(visit, held)}`,
  )
}

function differenceSection({ held, difference }: HeldImportDetail): Html {
  if (difference === 'decided') return ''
  if (difference === 'not kept')
    return html`<section><h2>Homes that it would change</h2><p class="quiet">Not known: the records of a feed are not kept. They are read
      again after your decision.</p></section>`
  if (difference === 'too slow')
    return html`<section><h2>Homes that it would change</h2><p class="quiet">There are too many to compare them here. Show them with
      <code>lotline listings show ${String(held.id)}</code>.</p></section>`
  const { homes, examples, maxEvents, maxCredits } = difference
  return html`<section><h2>Homes that it would change</h2>
    ${facts([
      ...Object.entries(homes).map(([change, number]) => [words(change), whole(number)] as const),
      ['Watch events, at most', whole(maxEvents)],
      ['Credits, at most', whole(maxCredits)],
    ])}</section>
    ${
      examples.length > 0 &&
      html`<section><h2>Examples</h2>${table<DifferenceExample>('Homes that it would change', EXAMPLE_COLUMNS, examples)}</section>`
    }`
}

type DifferenceExample = ImportDifference['examples'][number]

const EXAMPLE_COLUMNS = [
  { title: 'Home', cell: ({ zpid }: DifferenceExample) => html`<code>${zpid}</code>` },
  { title: 'Change', cell: ({ change }: DifferenceExample) => words(change) },
  { title: 'Before and after', cell: changedFacts },
]

function changedFacts({ before, after }: DifferenceExample): Html {
  const names = Object.keys(after ?? before ?? {}).filter((name) => before?.[name] !== after?.[name])
  return html`<ul class="changes">${names.map(
    (name) =>
      html`<li><span class="quiet">${name}</span> ${before && factText(before[name])}${before && after && ' → '}${
        after && factText(after[name])
      }</li>`,
  )}</ul>`
}

function factText(value: unknown): Html {
  return userText(value === null || value === undefined ? 'none' : String(value))
}

function decisionButtons({ session }: ConsoleVisit, { id, isOfFeed }: ConsoleHeldImport): Html {
  return html`<section><h2>Decide</h2>${withConfirmation(
    'Release',
    `Release import ${id}`,
    changeForm(
      session,
      `/imports/${id}/release`,
      html`<p>${
        isOfFeed
          ? 'The next run of the feed is not judged.'
          : 'The import is applied as it is. Watches get its events, which are charged.'
      }</p><button>Release import</button>`,
    ),
  )}${withConfirmation(
    'Discard',
    `Discard import ${id}`,
    changeForm(
      session,
      `/imports/${id}/discard`,
      html`<p>The data set stays as it is. ${
        isOfFeed ? 'The feed is read and judged again.' : 'The rows of the import are dropped.'
      }</p><button class="danger">Discard import</button>`,
    ),
  )}</section>`
}

async function release(visit: ConsoleVisit): Promise<PortalAnswer> {
  return change(visit, async (form, id) => {
    const released = await visit.console.releaseImport(form, id)
    return released.done && released.value === 'next run' ? done('next-run') : asDone(released, 'applied')
  })
}

async function discard(visit: ConsoleVisit): Promise<PortalAnswer> {
  return change(visit, async (form, id) => asDone(await visit.console.discardImport(form, id), 'discarded'))
}

async function undo(visit: ConsoleVisit): Promise<PortalAnswer> {
  return change(visit, async (form, id) => asDone(await visit.console.undoImport(form, id), 'undone'))
}

/** Makes the change of a form. The value of its result is a name in `DONE`. */
async function change(
  visit: ConsoleVisit,
  make: (form: string, id: number) => Promise<ChangeResult<string>>,
): Promise<PortalAnswer> {
  const sent = readForm(visit.form)
  const form = sent.formId()
  if (sent.problems.length > 0) return showImports(visit, sent.problems[0])
  const id = importIdOf(visit)
  if (id === undefined) return redirect('/imports')
  const changed = await make(form, id)
  return changed.done ? redirect(`/imports?done=${changed.value}`) : showImports(visit, changed.why)
}

const done = (value: string) => ({ done: true as const, value })

function asDone(changed: ChangeResult<unknown>, value: string): ChangeResult<string> {
  return changed.done ? done(value) : changed
}

/** Shows the effect of an undo before the operator confirms it. */
async function showUndo(visit: ConsoleVisit): Promise<PortalAnswer> {
  const id = importIdOf(visit)
  if (id === undefined) return redirect('/imports')
  const preview = await visit.console.previewUndo(id)
  if (!preview.done) return showImports(visit, preview.why)
  return page(
    'imports',
    `Undo import ${id}`,
    html`<h1>Undo import ${String(id)}</h1>
      <p class="lead">Nothing was changed yet. Undoing this import now would give:</p>
      ${undoFacts(preview.value)}
      ${changeForm(
        visit.session,
        `/imports/${id}/undo`,
        html`<button class="danger">Undo import</button> <a class="button plain" href="/imports">Cancel</a>`,
      )}`,
  )
}

function undoFacts(effect: ConsoleImportUndo): Html {
  const { pausedSources } = effect
  return html`${facts([
    ['Homes restored', whole(effect.restored)],
    ['Of these, removed', whole(effect.removed)],
    ['Changed by a later import, left as they are', whole(effect.changedLater)],
    ['Not shown any more, left removed', whole(effect.withheld)],
    ['Retracted events', `${whole(effect.retractedEvents)} of ${count(effect.watches, 'watch', 'watches')}`],
    [
      'Refunded',
      `${count(effect.refundedCredits, 'credit')} to ${count(effect.refundedAccounts, 'account')}`,
    ],
  ])}${
    pausedSources.length > 0 &&
    note(
      'plain',
      html`These sources are paused, because their next run may repeat the import: ${userText(pausedSources.join(', '))}. Resume them with
        <code>lotline sources resume NAME</code>.`,
    )
  }`
}
