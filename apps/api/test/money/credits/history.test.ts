import { expect, it } from 'vitest'
import { listPostings } from '../../../src/money/credits/history.ts'
import { placeHold, settleHold } from '../../../src/money/credits/holds.ts'
import { createLedger } from '../../../src/money/credits/ledger.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { acceptJob, callOf, openWith, rows } from './money.ts'

const testDatabase = withTestDatabase()

it('the history of an account lists balance changes in order, including calls that had waited', async () => {
  const { database } = testDatabase
  const account = await openWith(database, 100)
  const ledger = createLedger(database)
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000)
  for (const seconds of [250, 240, 10]) {
    await ledger.settle(callOf(account, 'getProperty', 1, { admittedAt: ago(seconds) }))
  }
  const job = await acceptJob(database, account)
  await placeHold(database, { ...job, wanted: 10, least: 1 })
  await ledger.settle(callOf(account, 'getPropertyByAddress', 1, { admittedAt: ago(299) }))
  await settleHold(database, rows(job, 4))
  await ledger.settle(callOf(account, 'listListings', 2, { admittedAt: ago(298) }))

  const history = [
    ['charge', -2, 0, 88],
    ['release', 0, -6, 90],
    ['charge', -4, -4, 90],
    ['charge', -3, 0, 94],
    ['hold', 0, 10, 97],
    ['charge', -1, 0, 97],
    ['charge', -1, 0, 98],
    ['charge', -1, 0, 99],
    ['grant', 100, 0, 100],
  ]
  for (const limit of [1, 2, 4, 5, 9, 100]) {
    const postings = await listPostings(database, account.accountId, limit)
    expect(
      postings.map((posting) => [posting.kind, posting.amount, posting.held_change, posting.balance]),
    ).toEqual(history.slice(0, limit))
  }
})
