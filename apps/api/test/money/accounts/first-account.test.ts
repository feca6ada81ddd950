import { expect, it } from 'vitest'
import { openFirstAccount } from '../../../src/money/accounts/open-account.ts'
import { withTestDatabase } from '../../setup/test-database.ts'

const testDatabase = withTestDatabase()

it('the first account is opened once, however many processes start over a new database', async () => {
  const { database } = testDatabase
  const open = () => openFirstAccount(database, { plan: 'free' })
  const opened = await Promise.all(Array.from({ length: 8 }, open))
  expect(opened.filter((account) => account !== undefined)).toHaveLength(1)
  expect(await open()).toBeUndefined()
  const { rows } = await database.query('select balance from accounts')
  expect(rows).toEqual([{ balance: 100 }])
})
