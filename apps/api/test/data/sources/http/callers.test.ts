// A service over a remote provider, with real HTTP on both sides: the results and faults that callers see.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { OpenedAccount } from '../../../../src/money/accounts/open-account.ts'
import { SAMPLE } from '../../../domain/record/sample-records.ts'
import { type Fault, PROVIDER_WORDS, withReferenceProvider } from '../../../setup/reference-provider/start.ts'
import { withTestDatabase } from '../../../setup/test-database.ts'
import { startTestServer, type TestResponse, withoutReadTimes } from '../../../setup/test-server.ts'
import { balanceOf, usageOf } from '../../../setup/usage.ts'

const TOKEN = 'a token'
const CREDITS = 10_000
const RECOVERY_MS = 10_000
const WORLD = 'bbox=-180,-90,180,90'

type TestServer = Awaited<ReturnType<typeof startTestServer>>

const testDatabase = withTestDatabase()
const reference = withReferenceProvider({ records: SAMPLE, token: TOKEN })

/** Allows a provider 500 ms. */
let hasty: TestServer
/** Allows 10 s: on a slow machine, other failures must not look like a timeout. */
let server: TestServer
let account: OpenedAccount
beforeAll(async () => {
  const start = (timeoutMs: number) =>
    startTestServer(testDatabase, {
      env: {
        PROVIDER: 'http',
        PROVIDER_URL: reference.url,
        PROVIDER_TOKEN: TOKEN,
        PROVIDER_TIMEOUT_MS: String(timeoutMs),
      },
    })
  hasty = await start(500)
  server = await start(10_000)
  account = await server.openAccount({ credits: CREDITS })
})
afterAll(() => Promise.all([hasty.close(), server.close()]))

const homes = SAMPLE.filter(({ isBuilding, address }) => isBuilding !== true && address?.streetAddress)
const unit = SAMPLE.find(({ unitNumber, bdpUrl }) => unitNumber && bdpUrl)!
let next = 0
/** A home that no cache has yet. */
const freshHome = () => homes[next++]!
const url = (path: string) => encodeURIComponent(new URL(path, 'https://www.zillow.com').href)

const CALLS: readonly (readonly [name: string, path: () => string])[] = [
  ['a lookup by zpid', () => `/v1/properties/${freshHome().zpid}`],
  ['a part of a record', () => `/v1/properties/${freshHome().zpid}/price-history`],
  ['a lookup by URL', () => `/v1/properties/by-url?url=${url(freshHome().hdpUrl!)}`],
  [
    'a lookup by address',
    () => {
      const { streetAddress, city, state, zipcode } = freshHome().address!
      const address = encodeURIComponent(`${streetAddress}, ${city}, ${state} ${zipcode}`)
      return `/v1/properties/by-address?address=${address}`
    },
  ],
  ['a building', () => `/v1/buildings/by-url?url=${url(unit.bdpUrl!)}`],
  ['a search', () => `/v1/listings?${WORLD}`],
]

const get = (path: string, from = server) => from.get(path, { key: account.key })

async function expectFree(answer: TestResponse): Promise<void> {
  expect(answer.text).not.toContain(PROVIDER_WORDS)
  expect(answer.text).not.toContain(reference.url)
  expect(answer.charged).toBe(0)
  expect(await usageOf(testDatabase.database, answer)).toMatchObject([
    { status_code: answer.status, units: 0, credits_charged: 0 },
  ])
}

async function untilAnswered(path: () => string, from: TestServer): Promise<void> {
  const until = Date.now() + RECOVERY_MS
  while ((await get(path(), from)).status !== 200) {
    if (Date.now() > until) throw new Error(`No 200 within ${RECOVERY_MS} ms of the provider's recovery`)
    await sleep(100)
  }
}

describe.each(CALLS)('%s over a remote provider', (_name, path) => {
  it('is answered and charged', async () => {
    const answer = await get(path())
    expect(answer.status).toBe(200)
    expect(answer.charged).toBeGreaterThan(0)
  })
})

const SPOILED: readonly (readonly [name: string, fault: Fault, status: 502 | 504])[] = [
  ['hangs', { kind: 'hang' }, 504],
  ['stalls in the middle', { kind: 'stall' }, 504],
  ['answers too late', { kind: 'delay', ms: 60_000 }, 504],
  ['resets connections', { kind: 'reset' }, 502],
  ['cuts bodies off', { kind: 'truncate' }, 502],
  ['answers 500', { kind: 'status', status: 500 }, 502],
  ['answers 429 with a long Retry-After', { kind: 'status', status: 429, retryAfter: '3600' }, 502],
  ['answers 401', { kind: 'status', status: 401 }, 502],
  ['answers 404 without saying what', { kind: 'status', status: 404 }, 502],
  ['answers with a web page', { kind: 'html' }, 502],
  ['answers with malformed JSON', { kind: 'malformed' }, 502],
  ['answers without end', { kind: 'huge' }, 502],
]

describe.each(SPOILED)('while the provider %s', (_name, fault, status) => {
  it(`every call ends with ${status}, free and without the provider’s words, and soon after its recovery every call works`, async () => {
    const from = status === 504 ? hasty : server
    await reference.fail(fault)
    onTestFinished(() => reference.recover())
    for (const [, path] of CALLS) {
      const answer = await get(path(), from)
      // When the circuit is open, no call waits any more.
      const expected = answer.status === 502 ? 'upstream_error' : 'upstream_timeout'
      expect(answer.code).toBe(expected)
      if (path === CALLS[0]![1]) expect(answer.status).toBe(status)
      await expectFree(answer)
    }
    await reference.recover()
    for (const [, path] of CALLS) await untilAnswered(path, from)
  })
})

it('a bad record costs nothing, and neither do the bad rows of a list', async () => {
  const whole = await get(`/v1/listings?${WORLD}`)
  await reference.fail({ kind: 'bad-rows' })
  const single = await get(`/v1/properties/${freshHome().zpid}`)
  expect([single.status, single.code]).toEqual([502, 'upstream_error'])
  await expectFree(single)
  const list = await get(`/v1/listings?${WORLD}`)
  await reference.recover()
  expect(list.status).toBe(200)
  const odd = whole.json.data.filter((_row: unknown, at: number) => at % 2 === 1)
  expect(withoutReadTimes(list.json.data)).toEqual(withoutReadTimes(odd))
  expect(list.charged).toBe(list.json.data.length)
})

it('a record of another home is never sold', async () => {
  await reference.fail({ kind: 'other-home' })
  const answer = await get(`/v1/properties/${freshHome().zpid}`)
  await reference.recover()
  expect(answer.status).toBe(502)
  await expectFree(answer)
})

it('an unknown home is 404, and so is an ambiguous address, with its candidates', async () => {
  const unknown = await get('/v1/properties/99999999999999999999')
  expect([unknown.status, unknown.code]).toEqual([404, 'not_found'])
  await expectFree(unknown)
  // The address of a building with a record of its own means that record.
  const named = new Set(SAMPLE.flatMap(({ isBuilding, bdpUrl }) => (isBuilding ? [bdpUrl] : [])))
  const unit = SAMPLE.find(({ unitNumber, bdpUrl }) => unitNumber && bdpUrl && !named.has(bdpUrl))!
  const door = unit.address!.streetAddress!.replace(/ (?:apt|unit|ste|#).*$/i, '')
  const address = encodeURIComponent(`${door}, ${unit.address!.zipcode}`)
  const several = await get(`/v1/properties/by-address?address=${address}`)
  expect([several.status, several.code]).toEqual([404, 'not_found'])
  expect(several.json.error.details.candidates.length).toBeGreaterThan(1)
  await expectFree(several)
})

it('a record is requested once a day, however many callers need it', async () => {
  const { zpid } = freshHome()
  await reference.takeAsked()
  const accounts = await Promise.all(Array.from({ length: 10 }, () => server.openAccount()))
  const answers = await Promise.all(accounts.map(({ key }) => server.get(`/v1/properties/${zpid}`, { key })))
  for (const answer of answers) expect([answer.status, answer.charged]).toEqual([200, 1])
  expect((await get(`/v1/properties/${zpid}`)).json.cached).toBe(true)
  expect(await reference.takeAsked()).toHaveLength(1)
})

it('a client that disconnects pays nothing, and other calls are not affected', async () => {
  await reference.fail({ kind: 'delay', ms: 200 })
  const paidBefore = await balanceOf(testDatabase.database, account.accountId)
  for (let n = 0; n < 10; n++) {
    const principal = new AbortController()
    const call = server.get(`/v1/listings?${WORLD}&beds_min=${n}`, {
      key: account.key,
      signal: principal.signal,
    })
    setTimeout(() => principal.abort(), 50)
    await expect(call).rejects.toThrow()
  }
  await reference.recover()
  const answer = await get(`/v1/listings?${WORLD}`)
  expect(answer.status).toBe(200)
  expect(await balanceOf(testDatabase.database, account.accountId)).toBe(paidBefore - answer.charged)
})
