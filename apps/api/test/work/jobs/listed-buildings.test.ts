// A source that lists a building as one row, as listing sites do with rentals, and not by its units: what searches show
// of it, and what extractBuildingUnits makes of it in a chained search.

import { beforeAll, expect, it } from 'vitest'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { BOX, readRows, startJob, untilEnded, usageOfJob, withWorker } from './job-calls.ts'
import { createListProvider } from './list-provider.ts'

const place = { latitude: 47.6, longitude: -122.3 }
const rental = { homeStatus: 'FOR_RENT', ...place }
const tower = { zpid: '900', ...rental, isBuilding: true, bdpUrl: '/b/tower-seattle-wa-TowErX/' }
const unit = (zpid: string, unitNumber: string) => ({ ...rental, zpid, unitNumber, bdpUrl: tower.bdpUrl })
const RECORDS = [
  { zpid: '100', ...rental },
  tower,
  unit('901', '1'),
  unit('902', '2'),
  { ...unit('903', '3'), homeStatus: 'OTHER' },
]

const testDatabase = withTestDatabase()
const provider = createListProvider(RECORDS, { listsBuildings: true })
const server = withTestServer(testDatabase, { parts: { provider } })
withWorker(server)

const filters = { status: 'for_rent', bbox: BOX }
let key: string
beforeAll(async () => {
  key = (await server.openAccount()).key
})

it('a search shows the home and the building, at one credit each', async () => {
  const answer = await server.post('/v1/search', { filters }, { key })
  expect(answer.json.data).toMatchObject([
    { zpid: '100', detailUrl: '' },
    { zpid: '900', isBuilding: true, detailUrl: `https://www.zillow.com${tower.bdpUrl}` },
  ])
  expect(answer.charged).toBe(2)
})

it.each([
  ['disabled', ['100', '900'], 2],
  ['for_rent', ['100', '900', '901', '902'], 3],
  ['all', ['100', '900', '901', '902', '903'], 4],
  ['for_sale', ['100', '900'], 2],
])(
  'a chained search with extractBuildingUnits %s returns the home and the selected parts of the building, itself free beside units',
  async (extractBuildingUnits, zpids, details) => {
    const body = { filters, extractBuildingUnits }
    const { id } = await startJob(server, '/v1/search/with-details', body, { key })
    expect(await untilEnded(server, key, id)).toMatchObject({ status: 'succeeded', failures: [] })
    expect((await readRows(server, key, id)).map(({ zpid }) => zpid)).toEqual(zpids)
    expect(await usageOfJob(testDatabase.database, id)).toMatchObject([
      { stage: 'search', units: 2 },
      { stage: 'detail', units: details },
    ])
  },
)

it('a chained search charges units only at their actual number', async () => {
  const account = await server.openAccount({ credits: 1000 })
  const body = { filters, maxItems: 2, extractBuildingUnits: 'all' }
  const { id, answer } = await startJob(server, '/v1/search/with-details', body, { key: account.key })
  expect(answer.remaining).toBe(996)
  expect(await untilEnded(server, account.key, id)).toMatchObject({
    credits_held: 0,
    credits_charged: 6,
    truncated_by: null,
  })
})
