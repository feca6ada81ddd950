import { expect, it } from 'vitest'
import { loadSample } from '../../../src/data/ingest/load-sample.ts'
import { withTestDatabase } from '../../setup/test-database.ts'

const test = withTestDatabase()

it('several processes that start together load the sample once, and none loads it into a data set with listings', async () => {
  const reports = await Promise.all([1, 2, 3].map(() => loadSample(test.database, { homes: 300 })))
  const [report, ...others] = reports.filter((each) => each !== undefined)
  expect(others).toEqual([])
  expect(report).toMatchObject({ rejected: 0, duplicates: 0, updated: 0 })
  const { rows } = await test.database.query<{ count: number }>('select count(*) as count from listings')
  expect(rows[0]?.count).toBe(report?.inserted)
  expect(report?.inserted).toBeGreaterThanOrEqual(250)
  expect(await loadSample(test.database, { homes: 300 })).toBeUndefined()
})

it('the sample has its source name, and an identity for each record', async () => {
  const { rows } = await test.database.query<{ source: string; listings: number; identified: number }>(
    `select l.source, count(*) as listings, count(i.zpid) as identified
     from listings l left join record_identities i on i.zpid = l.zpid and i.source = l.source and i.source_key = l.zpid
     group by l.source`,
  )
  expect(rows).toEqual([{ source: 'sample', listings: rows[0]!.listings, identified: rows[0]!.listings }])
})

it('the sample has the home of the manual', async () => {
  const { rows } = await test.database.query("select 1 from listings where zpid = '48749425'")
  expect(rows).toHaveLength(1)
})
