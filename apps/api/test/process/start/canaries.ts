// Texts that must never appear in a log, and calls that contain them wherever a call can contain text.

import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

/** In bodies, headers, search terms and wherever else somebody may write something. */
export const CANARY = 'CanaryYellow71'
/** Of the home that is looked up. */
export const ADDRESS = '2114 Bigelow Avenue North, Seattle, WA 98109'
const HOME_URL = 'https://www.zillow.com/homedetails/2114-Bigelow-Ave-N-Seattle-WA-98109/48749425_zpid/'
const BUILDING_URL = 'https://www.zillow.com/b/2114-bigelow-ave-n-seattle-wa-5XhKxs/'
const STATE = {
  usersSearchTerm: `${CANARY} ${ADDRESS}`,
  mapBounds: { west: -122.36, south: 47.63, east: -122.34, north: 47.645 },
  filterState: { [CANARY]: { value: true } },
}
const SEARCH_URL = `https://www.zillow.com/homes/for_sale/?searchQueryState=${encodeURIComponent(JSON.stringify(STATE))}`
const BOX = 'bbox=-122.36,47.63,-122.34,47.645'

/** A key of the right form that was never issued. */
export const UNKNOWN_KEY = 'lot_0000000000000000000000000000000023mCxn'

interface CanaryCall {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** `key` is in each of them. */
function canaryCalls(key: string): CanaryCall[] {
  const json = { 'content-type': 'application/json' }
  const q = encodeURIComponent
  const post = (path: string, body: unknown): CanaryCall => ({
    method: 'POST',
    path,
    headers: { ...json, 'idempotency-key': `${CANARY}-${path}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return [
    { path: '/v1/me' },
    { path: '/v1/me', method: 'DELETE' },
    { path: `/v1/properties/48749425?fields=${CANARY},address` },
    { path: `/v1/properties/${CANARY}` },
    { path: `/v1/properties/${key}` },
    { path: `/v1/${CANARY}/%zz?key=${key}`, method: 'DELETE' },
    { path: `/v1/properties/by-address?address=${q(ADDRESS)}` },
    { path: `/v1/properties/by-address?address=${q(`${CANARY} ${ADDRESS}`)}` },
    { path: `/v1/properties/by-url?url=${q(HOME_URL)}` },
    { path: `/v1/properties/by-url?url=${q(HOME_URL)}&extract_units=${CANARY}` },
    { path: `/v1/buildings/by-url?url=${q(BUILDING_URL)}` },
    { path: `/v1/listings?${BOX}&max_items=2&location=${q(ADDRESS)}` },
    { path: `/v1/listings?bbox=${CANARY}&${BOX}` },
    {
      path: `/v1/me?api_key=${key}`,
      headers: { 'x-api-key': key, cookie: `key=${key}`, 'user-agent': CANARY },
    },
    {
      path: '/v1/me',
      headers: { authorization: `Basic ${Buffer.from(`${key}:${CANARY}`).toString('base64')}` },
    },
    { path: '/v1/me', headers: { authorization: `Bearer ${key}${CANARY}` } },
    { path: '/v1/me', headers: { authorization: `Bearer ${UNKNOWN_KEY}` } },
    { path: '/v1/me', headers: { authorization: key } },
    { path: `/docs/${CANARY}?key=${key}` },
    { path: `/openapi.json?key=${key}`, headers: { 'if-none-match': CANARY } },
    post('/v1/search', { searchUrls: [{ url: SEARCH_URL }], maxItems: 2 }),
    post('/v1/search', { filters: { location: ADDRESS, [CANARY]: 1 } }),
    post('/v1/search', { searchUrls: [{ url: `https://${CANARY}.example/${key}` }] }),
    post('/v1/search', `{"${CANARY}": "${ADDRESS}"`),
    post('/v1/search', `${CANARY}${'x'.repeat(1100 * 1024)}`),
    post('/v1/search', { [`__proto__${CANARY}`]: key, filters: JSON.parse('{"__proto__": 1}') }),
    { ...post('/v1/search', CANARY), headers: { 'content-type': `application/${CANARY}` } },
    { ...post('/v1/search', CANARY), headers: { ...json, 'content-encoding': CANARY } },
    post('/v1/search/with-details', { searchUrls: [{ url: SEARCH_URL }], maxItems: 2 }),
    post('/v1/properties/batch', {
      addresses: [ADDRESS, `1 ${CANARY} Street, Nowhere, WA`],
      urls: [{ url: HOME_URL }],
    }),
    post('/v1/webhooks', {
      url: `https://nowhere.example.com/${CANARY}?key=${key}`,
      events: ['job.succeeded', 'job.failed'],
    }),
  ]
}

/** Makes all the calls with the key. Returns the statuses that were answered. */
export async function callWithCanaries(url: string, key: string): Promise<number[]> {
  const statuses: number[] = []
  for (const { path, headers, ...rest } of canaryCalls(key)) {
    const answer = await fetch(url + path, {
      ...rest,
      headers: { authorization: `Bearer ${key}`, ...headers },
    })
    await answer.arrayBuffer()
    statuses.push(answer.status)
  }
  for (const request of [
    `${CANARY} /v1/me HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET /v1/me HTTP/1.1\r\nHost: x\r\nBroken ${CANARY} ${key}\r\n\r\n`,
    `GET /v1/me?address=${CANARY}${'x'.repeat(13_000)} HTTP/1.1\r\nConnection: close\r\nHost: x\r\n\r\n`,
    `POST /v1/search HTTP/1.1\r\nHost: ${CANARY}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 9\r\nConnection: close\r\n\r\n"${CANARY}"`,
  ]) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(request)
    statuses.push(Number(/^HTTP\/1\.1 (\d+)/.exec(await text(socket).catch(() => ''))?.[1]))
  }
  return statuses
}

/** Waits for the jobs that such calls have started. */
export async function untilJobsEnd(url: string, key: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/v1/jobs`, { headers: { authorization: `Bearer ${key}` } })
    const body = (await answer.json()) as { data?: readonly { status: string }[] }
    if (!body.data?.some(({ status }) => status === 'queued' || status === 'running')) return
    await sleep(50)
  }
}

/** Hangs up in the middle of a call. */
export async function hangUp(url: string, key: string): Promise<void> {
  const gone = AbortSignal.timeout(30)
  const path = `/v1/properties/by-address?address=${encodeURIComponent(ADDRESS)}`
  await fetch(url + path, { headers: { authorization: `Bearer ${key}` }, signal: gone }).catch(() => {})
}

/** The forbidden texts in the log. Keys are also searched for in part. */
export function findCanaries(log: string, keys: readonly string[], secrets: readonly string[]): string[] {
  const parts = keys.flatMap((key) => windows(key.slice('lot_'.length), 8))
  const forbidden = [...keys, ...parts, ...secrets, CANARY, 'bigelow', 'searchQueryState', 'usersSearchTerm']
  const lower = log.toLowerCase()
  return forbidden.filter((secret) => lower.includes(secret.toLowerCase()))
}

function windows(text: string, length: number): string[] {
  return Array.from({ length: text.length - length + 1 }, (_, at) => text.slice(at, at + length))
}
