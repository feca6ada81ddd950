import { expect, it } from 'vitest'
import { loadSample } from '../../src/ingest/load-sample.ts'
import { withTestDatabase } from '../setup/test-database.ts'

const test = withTestDatabase()

it('loads the sample once, even when several start at a time, and never into data that is there', async () => {
  const reports = await Promise.all([1, 2, 3].map(() => loadSample(test.database, { homes: 300 })))
  const [report, ...others] = reports.filter((each) => each !== undefined)
  expect(others).toEqual([])
  expect(report).toMatchObject({ rejected: 0, duplicates: 0, updated: 0 })
  const { rows } = await test.database.query<{ count: number }>('select count(*) as count from listings')
  expect(rows[0]?.count).toBe(report?.inserted)
  expect(report?.inserted).toBeGreaterThanOrEqual(250)
  expect(await loadSample(test.database, { homes: 300 })).toBeUndefined()
})

it('has the home of the manual', async () => {
  const { rows } = await test.database.query("select 1 from listings where zpid = '48749425'")
  expect(rows).toHaveLength(1)
})
