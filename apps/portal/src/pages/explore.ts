// Explore: a search over the data set with its price, its rows as a table and on a map, and the record of a home. A GET costs nothing: it
// shows the filters and the price of the search. Only a POST searches or opens a record, and it never costs more than the price shown.

import type { OperationId, SuccessBody } from '@lotline/contract'
import { type MapTiles, type PageAnswer, type PortalAnswer, page, type Visit } from '../answer.ts'
import { type ApiError, type ApiInput, callForPage, type PortalApi } from '../api.ts'
import { count, dollars, whole, words } from '../format.ts'
import { type Html, html } from '../html.ts'
import { attribution, emptyState, form, note, problem, rowAttribution, table } from '../parts.ts'
import type { PageRoute } from '../routes.ts'
import { openRecord } from './record.ts'

type ExploreRow = SuccessBody<'listListings', 200>['data'][number]
type EstimateView = SuccessBody<'estimateCall'>['data']

export const exploreRoutes: readonly PageRoute[] = [
  ['GET', '/portal/explore', showForm],
  ['POST', '/portal/explore', search],
  ['POST', '/portal/explore/homes/:zpid', openRecord],
]

const STATUS_OPTIONS = [
  ['for_sale', 'For sale'],
  ['for_rent', 'For rent'],
  ['sold', 'Sold'],
] as const
const HOME_TYPE_OPTIONS = [
  ['', 'All types'],
  ['house', 'Houses'],
  ['condo', 'Condos'],
  ['townhouse', 'Townhouses'],
  ['multi_family', 'Multi-family'],
  ['manufactured', 'Manufactured'],
  ['lot', 'Lots'],
  ['apartment', 'Apartments'],
] as const
const SORT_OPTIONS = [
  ['newest', 'Newest first'],
  ['price', 'Lowest price first'],
  ['-price', 'Highest price first'],
  ['-sqft', 'Largest first'],
] as const
const ROW_COUNT_OPTIONS = ['10', '25', '50'] as const

/** Filters whose form fields have the same names as in GET /v1/listings. */
const FILTER_FIELDS = [
  'status',
  'bbox',
  'polygon',
  'near',
  'radius_m',
  'price_min',
  'price_max',
  'beds_min',
  'baths_min',
  'home_types',
  'sort',
  'max_items',
  'cursor',
] as const
/** The filters for the location. */
const AREA_FIELDS = ['bbox', 'polygon', 'near', 'zip', 'city', 'place'] as const

type ListingFilters = Readonly<Record<string, string>>

/** The query of GET /v1/listings for the form's fields. Empty fields are omitted. */
function readFilters(sent: URLSearchParams): ListingFilters {
  // The form's defaults.
  const filters: Record<string, string> = {
    status: STATUS_OPTIONS[0][0],
    sort: SORT_OPTIONS[0][0],
    max_items: ROW_COUNT_OPTIONS[0],
  }
  for (const name of FILTER_FIELDS) {
    const value = sent.get(name)?.trim() ?? ''
    if (value !== '') filters[name] = value
  }
  if (filters.near === undefined) delete filters.radius_m
  const where = sent.get('where')?.trim() ?? ''
  if (where !== '') Object.assign(filters, readArea(where))
  return filters
}

/** `98109` and `98109, 98119` are ZIP codes, `county:53033` is a place by its id, and everything else is a city with its state. */
function readArea(text: string): ListingFilters {
  if (/^[\d\s,]+$/.test(text)) return { zip: text }
  if (/^(state|county|place|zip|neighborhood)\s*:/.test(text)) return { place: text }
  return { city: text }
}

const NO_AREA = html`<p class="quiet">A search needs an area: a city, a ZIP code, a place, or coordinates.</p>`

async function showForm({ api, query, session, tiles }: Visit): Promise<PortalAnswer> {
  const filters = readFilters(query)
  const hasArea = AREA_FIELDS.some((name) => filters[name] !== undefined)
  return page(
    'explore',
    'Explore',
    html`<h1>Explore</h1>
      <p class="lead">Choose an area and filters. You see the price before you search.</p>
      ${filterForm(query, tiles)}
      <div id="price">${hasArea ? await estimatePrice(api, session, query, filters) : NO_AREA}</div>`,
  )
}

function filterForm(sent: URLSearchParams, tiles: MapTiles | undefined): Html {
  const value = (name: string) => sent.get(name) ?? ''
  const choice = (name: string, label: string, options: readonly (readonly [string, string])[]) => html`<div>
    <label for=${name}>${label}</label>
    <select id=${name} name=${name}>${options.map(
      ([option, text]) => html`<option value=${option} selected=${option === value(name)}>${text}</option>`,
    )}</select></div>`
  const number = (name: string, label: string) => html`<div>
    <label for=${name}>${label}</label>
    <input id=${name} name=${name} value=${value(name)} inputmode="numeric" pattern="[0-9]*" placeholder="Any" /></div>`
  const text = (name: string, label: string, hint: string) => html`<div>
    <label for=${name}>${label}</label>
    <input id=${name} name=${name} value=${value(name)} placeholder=${hint} autocomplete="off" class="code" /></div>`
  const hasCoordinates = ['bbox', 'polygon', 'near'].some((name) => value(name) !== '')
  // The results are below the form, and the browser scrolls there.
  return html`<form method="get" action="/portal/explore#price" class="explore" id="filters">
    ${searchMap([], sent, tiles)}
    <div class="fields">
      <div class="wide"><label for="where">City, ZIP code or place</label>
        <input id="where" name="where" value=${value('where')} placeholder="Seattle, WA" autocomplete="off" /></div>
      ${choice('status', 'Listings', STATUS_OPTIONS)}
      ${choice('home_types', 'Type', HOME_TYPE_OPTIONS)}
      ${number('price_min', 'Lowest price')}
      ${number('price_max', 'Highest price')}
      ${number('beds_min', 'Bedrooms, at least')}
      ${number('baths_min', 'Bathrooms, at least')}
      ${choice('sort', 'Order', SORT_OPTIONS)}
      ${choice(
        'max_items',
        'Rows, at most',
        ROW_COUNT_OPTIONS.map((rows) => [rows, rows] as const),
      )}
    </div>
    <details class="more" id="coordinates" open=${hasCoordinates}><summary>Area by coordinates</summary>
      <div class="fields">
        ${text('bbox', 'Box', 'west,south,east,north')}
        ${text('polygon', 'Polygon', 'lon,lat;lon,lat;lon,lat')}
        ${text('near', 'Center of a circle', 'lon,lat')}
        ${text('radius_m', 'Radius in meters', '1000')}
      </div>
    </details>
    <button>Show price</button>
  </form>`
}

/** The map needs script. Without it, areas are typed. The map of a result has no tools (explore.js). */
function searchMap(rows: readonly ExploreRow[], sent: URLSearchParams, tiles: MapTiles | undefined): Html {
  // A home without a position is only in the list.
  const homes = rows.flatMap(({ zpid, latLong, priceLabel }) =>
    latLong ? [[latLong.longitude, latLong.latitude, zpid, priceLabel ?? '']] : [],
  )
  const area = Object.fromEntries(
    ['bbox', 'polygon', 'near', 'radius_m'].map((name) => [name, sent.get(name) ?? '']),
  )
  return html`<div class="map-frame" id="map-frame" hidden>
    <div class="map-tools" role="group" aria-label="Draw an area">
      <button type="button" class="plain" data-draw="box" aria-pressed="false">Box</button>
      <button type="button" class="plain" data-draw="circle" aria-pressed="false">Circle</button>
      <button type="button" class="plain" data-draw="polygon" aria-pressed="false">Polygon</button>
      <button type="button" class="plain" data-draw="clear">Clear</button>
      <span class="quiet" id="map-hint" role="status"></span>
    </div>
    <div class="map" id="map" data-homes=${JSON.stringify(homes)} data-area=${JSON.stringify(area)}
      data-tiles=${tiles && JSON.stringify(tiles)}></div>
    ${tiles?.attribution && html`<p class="quiet attribution">Map: ${tiles.attribution}</p>`}
  </div>`
}

async function estimatePrice(
  api: PortalApi,
  session: Visit['session'],
  sent: URLSearchParams,
  filters: ListingFilters,
): Promise<Html> {
  const answer = await estimate(api, 'listListings', { query: filters })
  if ('code' in answer) return problem(answer)
  const { min, max, would_be_refused, error_code } = answer
  const most = max ?? min
  const price = min === most ? count(most, 'credit') : `${whole(min)} to ${count(most, 'credit')}`
  if (would_be_refused) {
    return note('bad', html`<p>This search costs ${price}, and would be refused (${error_code}).</p>`)
  }
  return html`<section class="price">
    <p class="figure small"><strong>${price}</strong> for this search${answer.available !== undefined && html`, of ${whole(answer.available)} available`}</p>
    ${searchForm(session, sent, { max_credits: String(most) }, `Search for ${price}`)}
  </section>`
}

/** Hidden copies of the filter fields, in the form that searches. */
function searchForm(
  session: Visit['session'],
  sent: URLSearchParams,
  added: Readonly<Record<string, string>>,
  label: string,
): Html {
  const kept = ['where', ...FILTER_FIELDS].filter((name) => (sent.get(name) ?? '') !== '' && !(name in added))
  return form(
    session,
    '/portal/explore',
    html`${kept.map((name) => html`<input type="hidden" name=${name} value=${sent.get(name)} />`)}
      ${Object.entries(added).map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
      <button>${label}</button>`,
  )
}

/** The current price of a call, or the reason why its input would be refused. The estimate is free. */
async function estimate(
  api: PortalApi,
  operation: OperationId,
  { query }: ApiInput,
): Promise<EstimateView | ApiError> {
  const answer = await api.call(operation, { ...(query && { query }), headers: { prefer: 'dry-run' } })
  return answer.ok ? (answer.body as unknown as { readonly data: EstimateView }).data : answer.error
}

async function search({ api, session, form: sent, tiles }: Visit): Promise<PageAnswer> {
  const filters = readFilters(sent)
  const limit = sent.get('max_credits') ?? ''
  // Spends nothing unless the page has shown a price.
  const query = { ...filters, max_credits: limit === '' ? '0' : limit }
  const { data: rows, meta } = await callForPage(api, 'listListings', { query })
  const next = meta?.next_cursor
  const again = new URLSearchParams(
    [...sent].filter(([name]) => !['csrf', 'cursor', 'max_credits'].includes(name)),
  )
  return page(
    'explore',
    'Explore',
    html`<h1>Explore</h1>
      ${rows.length > 0 ? html`<div class="result-map">${searchMap(rows, sent, tiles)}</div>` : ''}
      <div class="title"><h2>${count(meta?.total ?? rows.length, 'home')}</h2><div class="actions">
        <a class="button plain" href=${`/portal/explore?${again}`}>Change filters</a></div></div>
      ${
        rows.length === 0
          ? emptyState(
              'No homes match',
              'Choose a larger area, or fewer filters. A search that finds nothing costs 1 credit.',
            )
          : html`${rowTable(session, rows)}${attribution(meta?.source?.attribution)}`
      }
      ${next !== undefined && searchForm(session, sent, { cursor: next, max_credits: limit }, `Next rows for up to ${count(Number(limit), 'credit')}`)}`,
  )
}

function rowTable(session: Visit['session'], rows: readonly ExploreRow[]): Html {
  return table<ExploreRow>(
    'Homes',
    [
      {
        title: 'Home',
        cell: (row) =>
          html`<span id=${`home-${row.zpid}`}>${row.address || 'Address not disclosed'}</span> <code class="quiet">${row.zpid}</code>${rowAttribution(row)}`,
      },
      {
        title: 'Price',
        cell: ({ unformattedPrice: price }) => (price == null ? '' : dollars(price)),
        isNumber: true,
      },
      { title: 'Beds', cell: ({ beds }) => beds ?? '', isNumber: true },
      { title: 'Baths', cell: ({ baths }) => baths ?? '', isNumber: true },
      { title: 'Sq ft', cell: ({ area }) => (area == null ? '' : whole(area)), isNumber: true },
      { title: 'Type', cell: ({ homeType }) => (homeType ? words(homeType.toLowerCase()) : '') },
      {
        title: 'Record',
        cell: ({ zpid, address }) =>
          form(
            session,
            `/portal/explore/homes/${zpid}`,
            html`<button class="plain" aria-label=${`Open for 1 credit: ${address || zpid}`}>Open for 1 credit</button>`,
            'inline',
          ),
      },
    ],
    rows,
  )
}
