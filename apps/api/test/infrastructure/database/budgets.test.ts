// The table of shared budgets: windows with takes and refunds, and rates that are charged.

import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { type Budget, takeBudget } from '../../../src/infrastructure/database/budgets.ts'
import { removeExpired } from '../../../src/work/retention/remove-expired.ts'
import { withTestDatabase } from '../../setup/test-database.ts'

const testDatabase = withTestDatabase()
const db = () => testDatabase.database

const SMALL: Budget = { kind: 'small', perMinute: 5, perDay: 7 }
const LARGE: Budget = { kind: 'large', perHour: 12 }

const takenOf = async (...subjects: string[]) => {
  const { rows } = await db().query<{ taken: number }>(
    'select taken from budgets where subject = any ($1) order by kind, subject, seconds',
    [subjects],
  )
  return rows.map(({ taken }) => taken)
}

it('concurrent takes never exceed the limit, in any order of the budgets', async () => {
  const [one, other] = [randomUUID(), randomUUID()]
  const waits = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      at % 2
        ? takeBudget(db(), [SMALL, one], [LARGE, other])
        : takeBudget(db(), [LARGE, other], [SMALL, one]),
    ),
  )
  expect(waits.filter((wait) => wait === undefined)).toHaveLength(5)
  expect(await takenOf(one, other)).toEqual([5, 5, 5])
  // If one is used up, nothing is taken from the others.
  expect(await takeBudget(db(), [LARGE, other], [SMALL, one])).toBeGreaterThan(50)
  expect(await takenOf(one, other)).toEqual([5, 5, 5])
})

it('a used-up budget returns the longest wait, and an expired window restarts with the next take', async () => {
  const subject = randomUUID()
  await takeBudget(db(), [SMALL, subject])
  const end = (seconds: number) =>
    db().query("update budgets set ends_at = now() - interval '1 s' where subject = $1 and seconds = $2", [
      subject,
      seconds,
    ])
  await db().query('update budgets set taken = 7 where subject = $1', [subject])
  expect(await takeBudget(db(), [SMALL, subject])).toBeGreaterThan(86_000)
  await end(86_400)
  const wait = await takeBudget(db(), [SMALL, subject])
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(60)
  await end(60)
  expect(await takeBudget(db(), [SMALL, subject])).toBeUndefined()
  expect(await takenOf(subject)).toEqual([1, 1])
})

it('a partial take gets what is left, and a refund goes only to the window of its take', async () => {
  const subject = randomUUID()
  const take = async (wanted: number) => {
    const { rows } = await db().query<{ taken: number; ends: Date[] }>(
      "select taken, ends from take_budgets($1, array['small'], array[$2], array[60], array[5])",
      [wanted, subject],
    )
    return rows[0]!
  }
  const giveBack = (ends: Date[]) =>
    db().query("select give_back_budgets('small', array[$1], array[60], $2)", [subject, ends])
  expect((await take(3)).taken).toBe(3)
  const { taken, ends } = await take(3)
  expect(taken).toBe(2)
  await giveBack(ends)
  expect(await takenOf(subject)).toEqual([4])
  await db().query("update budgets set ends_at = now() - interval '1 s' where subject = $1", [subject])
  await take(2)
  await giveBack(ends)
  expect(await takenOf(subject)).toEqual([2])
})

it('a rate is charged for completed work, and its row is kept for an hour after its end', async () => {
  const subject = randomUUID()
  const leftS = async () => {
    const { rows } = await db().query<{ left: number }>(
      'select extract(epoch from ends_at - now())::float8 as left from budgets where subject = $1',
      [subject],
    )
    return rows[0]?.left
  }
  const charge = (count: number) =>
    db().query("select charge_rate('rate', $1, 3600, $2, 10)", [subject, count])
  await charge(10)
  expect(await leftS()).toBeCloseTo(0, -1)
  await charge(20)
  expect(await leftS()).toBeCloseTo(7_200, -2)
  await db().query("update budgets set ends_at = now() - interval '59 minutes' where subject = $1", [subject])
  await removeExpired(db(), 'budgets')
  expect(await leftS()).toBeCloseTo(-3_540, -2)
  await db().query("update budgets set ends_at = now() - interval '61 minutes' where subject = $1", [subject])
  await charge(0)
  expect(await leftS()).toBeCloseTo(-3_600, -2)
  await db().query("update budgets set ends_at = now() - interval '61 minutes' where subject = $1", [subject])
  await removeExpired(db(), 'budgets')
  expect(await leftS()).toBeUndefined()
})
