// Homes with several listings under one zpid, which only a remote provider has: `status` and `propertyStatus` choose between them in every
// kind of lookup, and no call gets a listing that another call preferred.

import type { Property } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { settingsFor, withReferenceProvider } from '../../../setup/reference-provider/start.ts'
import { withTestDatabase } from '../../../setup/test-database.ts'
import { withTestServer } from '../../../setup/test-server.ts'
import { BOX, homeUrl, readRows, startJob, untilEnded, withWorker } from '../../../work/jobs/job-calls.ts'
import { HOMES } from '../../../work/jobs/sample-homes.ts'

const STATUSES = ['FOR_SALE', 'RECENTLY_SOLD', 'FOR_RENT'] as const

/** Homes for sale, for rent, and sold at the same time. */
const homes = HOMES.filter(({ homeStatus }) => homeStatus === 'FOR_SALE').slice(0, 12)
const single = HOMES.find(({ homeStatus }) => homeStatus === 'FOR_RENT')!
const records = [
  ...homes.flatMap((home) => STATUSES.map((homeStatus) => ({ ...home, homeStatus }) as Property)),
  single,
]

const testDatabase = withTestDatabase()
const reference = withReferenceProvider({ records })
const server = withTestServer(testDatabase, { env: settingsFor(reference) })
withWorker(server)

let key: string
beforeAll(async () => {
  key = (await server.openAccount()).key
})

let next = 0
/** A home with three listings that no call has requested yet. */
const freshHome = () => homes[next++]!

const addressOf = (record: Property) => {
  const { streetAddress, city, state, zipcode } = record.address!
  return `${streetAddress}, ${city}, ${state} ${zipcode}`
}
const byZpid = ({ zpid }: Property) => server.get(`/v1/properties/${zpid}`, { key })
const byUrl = ({ zpid }: Property, status: string) =>
  server.get(`/v1/properties/by-url?status=${status}&url=${encodeURIComponent(homeUrl(zpid))}`, { key })
const byAddress = (home: Property, status: string) =>
  server.get(`/v1/properties/by-address?status=${status}&address=${encodeURIComponent(addressOf(home))}`, {
    key,
  })

describe.each([
  ['by URL', byUrl],
  ['by address', byAddress],
])('a home looked up %s', (_name, find) => {
  it.each(STATUSES)('is the listing %s, whatever was requested before', async (status) => {
    const home = freshHome()
    for (const before of STATUSES) {
      const answer = await find(home, before)
      expect([answer.status, answer.json.data.homeStatus]).toEqual([200, before])
    }
    expect((await find(home, status)).json.data.homeStatus).toBe(status)
    expect((await byZpid(home)).json.data.homeStatus).toBe('FOR_SALE')
    expect((await find(home, status)).json.data.homeStatus).toBe(status)
  })

  it.each(['as %s is not cached for the lookup by zpid', 'FOR_RENT'])(
    'as %s leaves nothing to the lookup by zpid',
    async (status) => {
      const home = freshHome()
      await find(home, status)
      const answer = await byZpid(home)
      expect([answer.json.data.homeStatus, answer.json.cached]).toEqual(['FOR_SALE', false])
    },
  )

  it.each(STATUSES)('with one listing is that listing, even if %s is preferred', async (status) => {
    const answer = await find(single, status)
    expect([answer.status, answer.json.data.homeStatus]).toEqual([200, 'FOR_RENT'])
  })
})

describe.each(STATUSES)('a job with the propertyStatus %s', (propertyStatus) => {
  it('returns that listing of each home of a batch, by URL and by address', async () => {
    const [one, other] = homes as [Property, Property]
    const body = { urls: [homeUrl(one.zpid)], addresses: [addressOf(other)], propertyStatus }
    const { id } = await startJob(server, '/v1/properties/batch', body, { key })
    await untilEnded(server, key, id)
    expect(await readRows(server, key, id)).toMatchObject([
      { zpid: one.zpid, homeStatus: propertyStatus },
      { zpid: other.zpid, homeStatus: propertyStatus },
    ])
  })

  it('returns that listing of each home that a search found', async () => {
    const body = { filters: { status: 'for_sale', bbox: BOX }, propertyStatus }
    const { id } = await startJob(server, '/v1/search/with-details', body, { key })
    await untilEnded(server, key, id)
    const rows = await readRows(server, key, id)
    expect(rows).toHaveLength(homes.length)
    for (const row of rows) expect(row.homeStatus).toBe(propertyStatus)
    expect((await byZpid(homes[0]!)).json.data.homeStatus).toBe('FOR_SALE')
  })
})
