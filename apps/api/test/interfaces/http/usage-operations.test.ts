// Each row of GET /v1/usage names the operation of its call, by whatever part of the service it is written: the settlement of a call, the worker of a job,
// or the evaluation of watches.

import { beforeAll, expect, it } from 'vitest'
import { evaluateStep } from '../../../src/work/watches/evaluate.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { startJob, untilEnded, withWorker } from '../../work/jobs/job-calls.ts'
import { homes, PRICE, watchTools } from '../../work/watches/watch-tools.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
withWorker(server)
const { importRecords } = watchTools(() => testDatabase.database)
const FILTERS = { status: 'for_sale', bbox: { west: -123, south: 47, east: -122, north: 48 } }

beforeAll(() => importRecords(homes(1, 4)))

interface Row {
  readonly endpoint: string
  readonly operation: string | null
  readonly stage: string | null
  readonly credits_charged: number
}

it('a usage row names the operation of its call: a lookup, search, job, dry run, event, or unknown path', async () => {
  const { key } = await server.openAccount()
  const created = await server.post('/v1/watches', { name: 'Seattle', filters: FILTERS }, { key })
  expect(created.status).toBe(201)
  await server.get('/v1/properties/1', { key })
  await server.post('/v1/search', { filters: FILTERS }, { key })
  await server.get('/v1/listings?status=for_sale&bbox=-123,47,-122,48', { key })
  await server.post('/v1/search', { filters: FILTERS }, { key, headers: { prefer: 'dry-run' } })
  await server.get('/v1/nothing', { key })
  const jobs = [
    await startJob(server, '/v1/search', { filters: FILTERS, async: true }, { key }),
    await startJob(server, '/v1/search/with-details', { filters: FILTERS }, { key }),
    await startJob(
      server,
      '/v1/properties/batch',
      { urls: [1, 2].map((zpid) => `https://www.zillow.com/homedetails/x/${zpid}_zpid/`) },
      { key },
    ),
  ]
  for (const { id } of jobs) await untilEnded(server, key, id)
  await importRecords(homes(1, 2, { price: 450_000 }))
  for (let isMore = true; isMore; ) isMore = (await evaluateStep(testDatabase.database, PRICE)).isMore

  const { json } = await server.get('/v1/usage?limit=500', { key })
  const rows = (json.data as Row[])
    .filter(({ endpoint }) => !endpoint.startsWith('/v1/jobs/'))
    .map(({ endpoint, operation, stage, credits_charged }) => [endpoint, operation, stage, credits_charged])
  expect(rows.reverse()).toEqual([
    ['/v1/watches', 'createWatch', null, 0],
    ['/v1/properties/1', 'getProperty', null, 1],
    ['/v1/search', 'searchListings', null, 3],
    ['/v1/listings', 'listListings', null, 3],
    ['/v1/search', 'estimateCall', null, 0],
    ['/v1/nothing', null, null, 0],
    ['/v1/search', 'searchListings', null, 3],
    ['/v1/search/with-details', 'searchWithDetails', 'search', 3],
    ['/v1/search/with-details', 'searchWithDetails', 'detail', 3],
    ['/v1/properties/batch', 'createPropertyBatch', null, 2],
    ['watch', 'createWatch', null, 1],
  ])
})
