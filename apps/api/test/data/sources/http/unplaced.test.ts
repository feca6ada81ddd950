// A provider that returns homes in an area without their positions: they make no rows, so no client gets one or pays for it, however the
// area is searched.

import type { Property } from '@lotline/contract'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { settingsFor, withReferenceProvider } from '../../../setup/reference-provider/start.ts'
import { withTestDatabase } from '../../../setup/test-database.ts'
import { withTestServer } from '../../../setup/test-server.ts'
import { BOX, readRows, startJob, untilEnded, usageOfJob, withWorker } from '../../../work/jobs/job-calls.ts'
import { HOMES } from '../../../work/jobs/sample-homes.ts'

const records = HOMES.filter(({ homeStatus }) => homeStatus === 'FOR_SALE').slice(0, 20)

const testDatabase = withTestDatabase()
const reference = withReferenceProvider({ records })
const server = withTestServer(testDatabase, { env: settingsFor(reference) })
withWorker(server)

const filters = { status: 'for_sale', bbox: BOX }
const zpidOf = ({ zpid }: Pick<Property, 'zpid'>) => String(zpid)
let key: string
let placed: string[]
beforeAll(async () => {
  key = (await server.openAccount()).key
  const whole = await server.post('/v1/search', { filters }, { key })
  expect(whole.json.data).toHaveLength(records.length)
  placed = whole.json.data.map(zpidOf).filter((_zpid: string, at: number) => at % 2 === 1)
})
beforeEach(() => reference.fail({ kind: 'unplaced' }))
afterEach(() => reference.recover())

it.each([
  ['GET /v1/listings', () => server.get('/v1/listings?bbox=-180,-90,180,90', { key })],
  ['POST /v1/search', () => server.post('/v1/search', { filters, maxItems: 49 }, { key })],
  [
    'POST /v1/search for markers',
    () => server.post('/v1/search', { filters, extractionMethod: 'MAP_MARKERS' }, { key }),
  ],
])('%s returns, counts and charges the placed homes alone', async (_name, search) => {
  const answer = await search()
  expect(answer.status, answer.text).toBe(200)
  expect(answer.json.data.map(zpidOf)).toEqual(placed)
  expect(answer.json.meta).toMatchObject({ count: placed.length, total: placed.length })
  expect(answer.charged).toBe(placed.length)
})

it.each(['PAGINATION', 'PAGINATION_WITH_ZOOM_IN'])(
  'a search job by %s does, and asks no more often for what is not there',
  async (extractionMethod) => {
    await reference.takeAsked()
    const body = { filters, extractionMethod, async: true }
    const { id } = await startJob(server, '/v1/search', body, { key })
    const job = await untilEnded(server, key, id)
    expect(job).toMatchObject({
      status: 'succeeded',
      error: null,
      result_count: placed.length,
      credits_charged: placed.length,
    })
    expect((await readRows(server, key, id)).map(zpidOf)).toEqual(placed)
    expect(await reference.takeAsked()).toHaveLength(1)
  },
)

it('a chained search looks up and charges only homes with a position', async () => {
  const { id } = await startJob(server, '/v1/search/with-details', { filters }, { key })
  expect(await untilEnded(server, key, id)).toMatchObject({ status: 'succeeded', failures: [] })
  expect((await readRows(server, key, id)).map(zpidOf)).toEqual(placed)
  expect(await usageOfJob(testDatabase.database, id)).toMatchObject([
    { stage: 'search', units: placed.length },
    { stage: 'detail', units: placed.length },
  ])
})
