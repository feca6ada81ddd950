// The parts of valid calls that wrong requests are made from: each changes one thing.

export const BOX = { west: -122.375, south: 47.622, east: -122.34, north: 47.65 }
export const BOX_TEXT = '-122.375,47.622,-122.340,47.650'
export const HOME_URL =
  'https://www.zillow.com/homedetails/2114-Bigelow-Ave-N-Seattle-WA-98109/48749425_zpid/'
export const BUILDING_URL = 'https://www.zillow.com/b/hickory-grove-residences-seattle-wa-LgrnZc/'
export const ADDRESS = '2114 Bigelow Ave N, Seattle, WA 98109'
export const WEBHOOK_URL = 'https://hooks.example.com/lotline'
export const UUID = '5e0d8c1a-7f43-4d0b-9a52-3c1f6b7e2d90'

/** A search URL whose searchQueryState is this text. */
export function searchUrl(state: string, host = 'www.zillow.com'): string {
  return `https://${host}/seattle-wa/?searchQueryState=${encodeURIComponent(state)}`
}

export const SEARCH_URL = searchUrl(JSON.stringify({ mapBounds: BOX }))

/** A path with a query; a value that is a list is given that often. */
export function withQuery(path: string, query: Readonly<Record<string, string | readonly string[]>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((text) => `${name}=${encodeURIComponent(text)}`),
  )
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

/** A URL of the contract with valid ids in it. */
export function samplePath(template: string): string {
  return template.replace('{zpid}', '48749425').replace('{id}', UUID).replace('{delivery_id}', '90398')
}
