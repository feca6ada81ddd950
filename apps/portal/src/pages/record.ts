// The record of a home: facts, photos as links, and its price and tax history as charts and tables.

import type { SuccessBody } from '@lotline/contract'
import { type PortalAnswer, page, type Visit } from '../answer.ts'
import { callForPage } from '../api.ts'
import { barChart, lineChart } from '../chart.ts'
import { count, day, dollars, whole, words } from '../format.ts'
import { type Html, html } from '../html.ts'
import { attribution, facts, table } from '../parts.ts'

type Record = SuccessBody<'getProperty', 200>['data']

/** A record costs 1 credit, and the button says so. */
const PRICE_IN_CREDITS = '1'
const MAX_PHOTOS = 60

export async function openRecord({ api, params }: Visit): Promise<PortalAnswer> {
  const headers = { 'x-max-credits': PRICE_IN_CREDITS }
  const { data: home, meta } = await callForPage(api, 'getProperty', { params, headers })
  const title = homeAddress(home) || `Home ${params.zpid}`
  return page(
    'explore',
    title,
    html`<p class="crumb"><a href="/portal/explore">Explore</a></p><h1>${title}</h1>
      <p class="figure small"><strong>${home.price == null ? 'No price' : priceText(home.price, home.homeStatus === 'FOR_RENT')}</strong>${home.homeStatus && html` ${words(home.homeStatus.toLowerCase())}`}</p>
      ${facts(homeFacts(home))}
      ${home.description && html`<section><h2>Description</h2><p>${home.description}</p></section>`}
      ${priceHistoryTable(home)}
      ${taxHistoryTable(home)}
      ${photoGallery(home)}
      ${attribution(meta?.source?.attribution)}`,
  )
}

/** Only known facts. */
function homeFacts(home: Record): readonly (readonly [name: string, value: Html])[] {
  const { homeType, bedrooms, bathrooms, livingArea, yearBuilt, zestimate, zpid } = home
  const all: readonly (readonly [name: string, value: Html])[] = [
    ['Type', homeType && words(homeType.toLowerCase())],
    ['Bedrooms', bedrooms],
    ['Bathrooms', bathrooms],
    ['Living area', livingArea && `${whole(livingArea)} sq ft`],
    ['Year built', yearBuilt],
    ['Estimate', zestimate && dollars(zestimate)],
    ['zpid', html`<code>${zpid}</code>`],
  ]
  return all.filter(([, value]) => value !== null && value !== undefined && value !== '')
}

/** Sources name it within the address or beside it. */
function homeAddress(home: Record): string {
  const part = (name: 'streetAddress' | 'city' | 'state' | 'zipcode') => home.address?.[name] || home[name]
  const region = [part('state'), part('zipcode')].filter(Boolean).join(' ')
  return [part('streetAddress'), part('city'), region].filter(Boolean).join(', ')
}

function priceHistoryTable({ priceHistory }: Record): Html {
  const events = (priceHistory ?? [])
    .map(({ date, event, price, postingIsRental }) => ({
      time: Date.parse(date ?? ''),
      event,
      price,
      isRent: postingIsRental === true,
    }))
    .filter(({ time }) => !Number.isNaN(time))
    .toSorted((a, b) => a.time - b.time)
  if (events.length === 0) return ''
  // Monthly rents and prices have no common scale, so each has its own chart.
  const chartOf = (isRent: boolean, name: string) => {
    const points = events.flatMap(({ time, price, ...event }) =>
      price == null || event.isRent !== isRent ? [] : [{ time, value: price }],
    )
    const [first, last] = [points[0], points.at(-1)]
    if (!first || !last || points.length < 2) return ''
    const period = `from ${day(new Date(first.time))} to ${day(new Date(last.time))}`
    return lineChart(points, `${name} of the home ${period}. The table has the numbers.`)
  }
  return html`<section><h2>Price history</h2>
    ${chartOf(false, 'Prices')}
    ${chartOf(true, 'Monthly rents')}
    ${table<(typeof events)[number]>(
      'Price history, the latest first',
      [
        { title: 'Date', cell: ({ time }) => day(new Date(time)) },
        { title: 'Event', cell: ({ event }) => event },
        { title: 'Price', cell: ({ price, isRent }) => priceText(price, isRent), isNumber: true },
      ],
      events.toReversed(),
      true,
    )}</section>`
}

/** In dollars; a rent is for a month. */
function priceText(price: number | null | undefined, isRent: boolean): string {
  if (price == null) return ''
  return isRent ? `${dollars(price)} a month` : dollars(price)
}

function taxHistoryTable({ taxHistory }: Record): Html {
  const years = (taxHistory ?? [])
    .map(({ time, taxPaid, value }) => ({
      year: new Date(time ?? Number.NaN).getUTCFullYear(),
      taxPaid,
      value,
    }))
    .filter(({ year }) => !Number.isNaN(year))
    .toSorted((a, b) => a.year - b.year)
  if (years.length === 0) return ''
  // Some counties only publish assessments.
  const hasTax = years.some(({ taxPaid }) => taxPaid != null)
  const bars = years.map(({ year, taxPaid, value }) => {
    const shown = hasTax ? taxPaid : value
    return {
      label: String(year),
      value: shown ?? 0,
      title: `${year}: ${shown == null ? 'unknown' : dollars(shown)}`,
    }
  })
  const what = hasTax ? 'Property tax' : 'Assessed value'
  return html`<section><h2>Tax history</h2>
    <p class="quiet">${what} by year</p>
    ${barChart(bars, `${what} from ${bars[0]!.label} to ${bars.at(-1)!.label}. The table has the numbers.`)}
    ${table<(typeof years)[number]>(
      'Tax history, the latest first',
      [
        { title: 'Year', cell: ({ year }) => year },
        {
          title: 'Tax paid',
          cell: ({ taxPaid }) => (taxPaid == null ? '' : dollars(taxPaid)),
          isNumber: true,
        },
        {
          title: 'Assessed value',
          cell: ({ value }) => (value == null ? '' : dollars(value)),
          isNumber: true,
        },
      ],
      years.toReversed(),
      true,
    )}</section>`
}

/** Photos are links, because they are on other hosts and pages of the portal load nothing from other hosts. */
function photoGallery({ photos: all }: Record): Html {
  const shown = (all ?? []).filter(({ url }) => /^https?:\/\//i.test(String(url)))
  if (shown.length === 0) return ''
  return html`<section><h2>${count(shown.length, 'photo')}</h2>
    <p class="quiet">Photos are on the servers of their source. A link opens the photo there.</p>
    <ul class="photos">${shown
      .slice(0, MAX_PHOTOS)
      .map(
        ({ url, caption }, at) =>
          html`<li><a href=${url} rel="noreferrer noopener" target="_blank">${caption || `Photo ${at + 1}`}</a></li>`,
      )}</ul></section>`
}
