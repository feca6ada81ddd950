// The data set: its sources, how current they are, and its content.

import { type PortalAnswer, page } from '../../answer.ts'
import { count, moment, whole, words } from '../../format.ts'
import { type Html, html } from '../../html.ts'
import { badge, emptyState, facts, note, table, userText } from '../../parts.ts'
import type { ConsoleRejectedRow, ConsoleSource, DataSet } from '../port.ts'
import type { ConsolePages, ConsoleVisit } from '../visit.ts'

export const sourcePages: ConsolePages = {
  section: 'sources',
  path: '/sources',
  title: 'Sources',
  routes: [['GET', '/sources', 'data.read', showSources]],
}

export const dataPages: ConsolePages = {
  section: 'data-set',
  path: '/data-set',
  title: 'Data set',
  routes: [['GET', '/data-set', 'data.read', showDataSet]],
}

async function showSources({ console }: ConsoleVisit): Promise<PortalAnswer> {
  const sources = await console.readSources()
  return page(
    'sources',
    'Sources',
    html`<h1>Sources</h1>
      <p class="lead">Feeds and files that the service keeps up to date. Lag is the age of the newest change that was applied.</p>
      ${
        sources.length === 0
          ? emptyState(
              'No connected sources',
              html`Connect a feed or a file with <code>lotline sources add</code>.`,
            )
          : table<ConsoleSource>(
              'Connected sources',
              [
                {
                  title: 'Source',
                  cell: ({ name, kind }) => html`${name} <span class="quiet">${kind}</span>`,
                },
                { title: 'State', cell: sourceStateBadge },
                { title: 'Lag', cell: ({ lagSeconds }) => duration(lagSeconds), isNumber: true },
                { title: 'Homes', cell: ({ counts }) => whole(counts.records ?? 0), isNumber: true },
                { title: 'Rejected', cell: ({ counts }) => whole(counts.rejected ?? 0), isNumber: true },
                { title: 'Last success', cell: ({ syncedAt }) => moment(syncedAt?.toISOString()) },
                { title: 'Next run', cell: nextSyncText },
                { title: 'Limits', cell: quotaText },
              ],
              sources,
            )
      }`,
  )
}

const BADGE_BY_STATE = {
  paused: 'off',
  syncing: 'busy',
  held: 'bad',
  failing: 'bad',
  waiting: 'good',
} as const

function sourceStateBadge({
  state,
  held,
  failures,
  lastError,
  sweepError,
  missingRecords,
}: ConsoleSource): Html {
  if (held)
    return html`${badge(words(state), BADGE_BY_STATE[state])} <span class="quiet"><a href=${`/imports/${held.id}`}>Import ${String(held.id)}</a>: ${userText(held.why)}.</span>`
  return html`${badge(words(state), BADGE_BY_STATE[state])} ${
    failures > 0 && html`<span class="quiet">${count(failures, 'failure')}: ${userText(lastError)}</span>`
  } ${sweepError !== null && html`<span class="quiet">Sweep refused: ${userText(sweepError)}</span>`} ${
    (missingRecords ?? 0) > 0 && html`<span class="quiet">${whole(missingRecords ?? 0)} missing</span>`
  }`
}

function nextSyncText({ state, dueAt, blockedUntil }: ConsoleSource): Html {
  if (state === 'paused') return html`<span class="quiet">Paused</span>`
  if (blockedUntil) return html`Not before ${moment(blockedUntil.toISOString())}`
  return moment(dueAt?.toISOString(), 'Now')
}

function quotaText({ quotas }: ConsoleSource): Html {
  if (quotas.length === 0) return html`<span class="quiet">None</span>`
  return html`<ul class="changes">${quotas.map(
    ({ window, unit, used, limit }) =>
      html`<li>${whole(used)} of ${whole(limit)} ${unit} in ${duration(window)}</li>`,
  )}</ul>`
}

/** `45 s`, `12 min`, `3 h`, `2 d`. */
export function duration(seconds: number | null): Html {
  if (seconds === null) return html`<span class="quiet">Unknown</span>`
  if (seconds < 120) return `${whole(seconds)} s`
  if (seconds < 7_200) return `${whole(seconds / 60)} min`
  return seconds < 172_800 ? `${whole(seconds / 3_600)} h` : `${whole(seconds / 86_400)} d`
}

async function showDataSet({ console }: ConsoleVisit): Promise<PortalAnswer> {
  const data = await console.readDataSet()
  const { imports, rejected, homes } = data
  return page(
    'data-set',
    'Data set',
    html`<h1>Data set</h1>
      ${listingCounts(data)}
      ${
        homes.length > 0 &&
        html`<section class="result-map"><h2>Where the homes are</h2>${listingMap(homes)}
          <p class="quiet">${count(homes.length, 'home')} of the data set, chosen by chance if it has more. The map needs script.</p></section>`
      }
      <section><h2>Last imports</h2>
      ${
        imports.length === 0
          ? emptyState('No imports', html`Import listings with <code>lotline listings import</code>.`)
          : table<DataSet['imports'][number]>(
              'Sources, the last import first',
              [
                { title: 'Source', cell: ({ name }) => name },
                { title: 'Imported', cell: ({ imported_at }) => moment(imported_at.toISOString()) },
                { title: 'Rows read', cell: ({ read_rows }) => whole(read_rows), isNumber: true },
                { title: 'Rejected', cell: ({ rejected_rows }) => whole(rejected_rows), isNumber: true },
                { title: 'Warnings', cell: ({ warnings }) => whole(warnings), isNumber: true },
              ],
              imports,
            )
      }</section>
      <section><h2>Rejected rows</h2>
      ${
        rejected.length === 0
          ? emptyState('No rejected rows', 'The last imports could use every row.')
          : html`<p class="quiet">The first ones of each source. <code>lotline listings import --report</code> writes all of a file.</p>
            ${table<ConsoleRejectedRow>(
              'Rejected rows',
              [
                { title: 'Source', cell: ({ source }) => source },
                { title: 'Place', cell: ({ place }) => html`<code>${place}</code>` },
                { title: 'Reason', cell: ({ reason }) => userText(reason) },
              ],
              rejected,
            )}`
      }</section>`,
  )
}

function listingCounts({ counts, estimate }: DataSet): Html {
  if (!counts) {
    return html`<p class="figure"><strong>${whole(estimate)}</strong> homes, as the database estimates</p>
      ${note('plain', html`There are too many to count them here. <code>lotline listings stats</code> counts them.`)}`
  }
  const total = counts.reduce((sum, { homes }) => sum + homes, 0)
  if (total === 0)
    return emptyState('No homes', html`Import listings with <code>lotline listings import</code>.`)
  const by = (name: 'source' | 'kind') => {
    const sums = new Map<string, number>()
    for (const row of counts) sums.set(row[name], (sums.get(row[name]) ?? 0) + row.homes)
    return [...sums].sort(([, a], [, b]) => b - a).map(([value, homes]) => [value, homes] as const)
  }
  return html`<p class="figure"><strong>${whole(total)}</strong> ${total === 1 ? 'home' : 'homes'}</p>
    <div class="columns">
      <section><h2>By source</h2>${facts(by('source').map(([name, homes]) => [name, whole(homes)] as const))}</section>
      <section><h2>By status</h2>${facts(by('kind').map(([name, homes]) => [words(name), whole(homes)] as const))}</section>
    </div>`
}

/** The portal's map without drawing tools. */
function listingMap(homes: DataSet['homes']): Html {
  return html`<div class="map-frame" id="map-frame" hidden>
    <div class="map-tools" hidden></div>
    <div class="map" id="map" data-homes=${JSON.stringify(homes)} data-area="{}"></div>
  </div>`
}
