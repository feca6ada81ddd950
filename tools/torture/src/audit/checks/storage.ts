// Checks the stored bytes and rows of accounts, which limit new jobs, against the rows that exist.

import { type Check, groupBy } from '../check.ts'

export const storedIsWhatIsThere: Check = ({ books }, tell) => {
  for (const { id, stored_bytes, real_bytes, dropped } of books.storedJobs) {
    if (stored_bytes !== real_bytes) tell(`job ${id} says ${stored_bytes} bytes and stores ${real_bytes}`)
    if (!dropped) tell(`job ${id} has ended and still has its request`)
  }
  const sums = new Map(books.storedSums.map((sum) => [sum.account_id, sum]))
  for (const [account, jobs] of groupBy(books.storedJobs, ({ account_id }) => account_id)) {
    const due = {
      jobs: jobs.length,
      rows: jobs.reduce((sum, { row_count }) => sum + row_count, 0),
      bytes: jobs.reduce((sum, { stored_bytes }) => sum + stored_bytes, 0),
    }
    const sum = sums.get(account)
    for (const what of ['jobs', 'rows', 'bytes'] as const)
      if (sum?.[what] !== due[what])
        tell(`account ${account} is said to store ${sum?.[what]} ${what} and stores ${due[what]}`)
  }
  return books.storedJobs.length
}
