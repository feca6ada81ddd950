// Downloads of the portal: the rows of a job as one file, however many pages they have.

import { beforeAll, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { BOX, startJob, untilEnded, withWorker } from '../../work/jobs/job-calls.ts'
import { homes } from '../../work/watches/watch-tools.ts'
import { signedIn } from './visitor.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
withWorker(server)

/** The API returns at most 1,000 rows at a time. */
const ROWS = 1_050

beforeAll(async () => {
  const spread = homes(1, ROWS + 1).map((home, at) => ({ ...home, latitude: 47.5 + at / 10_000 }))
  await importListings(testDatabase.database, rowsOf(spread as never[]), { source: 'mls' })
})

it('a file has all rows of a job under one header, and an aborted download releases the key', async () => {
  const { key } = await server.openAccount()
  const body = {
    filters: { status: 'for_sale', bbox: BOX },
    maxItems: ROWS,
    extractionMethod: 'PAGINATION_WITH_ZOOM_IN',
  }
  const { id } = await startJob(server, '/v1/search', body, { key })
  expect((await untilEnded(server, key, id)).result_count).toBe(ROWS)
  const visitor = await signedIn(server, key)
  const pages = async (format: string) => {
    const path = `/v1/jobs/${id}/results?format=${format}&limit=1000`
    return [(await server.get(path, { key })).text, (await server.get(`${path}&offset=1000`, { key })).text]
  }

  const csv = await visitor.get(`/portal/jobs/${id}/csv`)
  const [first, second] = await pages('csv')
  expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="job-${id}.csv"`)
  expect(csv.text).toBe(first + second!.slice(second!.indexOf('\n') + 1))
  expect((await visitor.get(`/portal/jobs/${id}/ndjson`)).text).toBe((await pages('ndjson')).join(''))

  const left = new AbortController()
  const { cookie } = visitor
  const broken = await fetch(`${server.url}/portal/jobs/${id}/csv`, {
    headers: { cookie },
    signal: left.signal,
  })
  await broken.body!.getReader().read()
  left.abort()
  expect((await server.get('/v1/me', { key })).status).toBe(200)
})

it('downloading a missing job shows an error page', async () => {
  const { key } = await server.openAccount()
  const visitor = await signedIn(server, key)
  const { status, headers, text } = await visitor.get(`/portal/jobs/${crypto.randomUUID()}/csv`)
  expect(status).toBe(404)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(text).toContain('not_found')
})
