// What keeps one watch, or one account, from stopping the evaluation of all others; and what a step does.

import { beforeEach, describe, expect, it } from 'vitest'
import { resumeAccount, suspendAccount } from '../../src/accounts/suspend.ts'
import { MAX_FAILED_COMPARISONS } from '../../src/watches/compare-watch.ts'
import { evaluateStep } from '../../src/watches/evaluate.ts'
import { updateWatch } from '../../src/watches/update-watch.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { FOR_SALE, home, homes, PRICE, watchTools } from './watch-tools.ts'

const test = withTestDatabase()
const database = () => test.database
const { empty, importRecords, watch, evaluate, eventsOf, usageOf } = watchTools(database)

beforeEach(empty)

describe('a watch that cannot be evaluated', () => {
  const statusOf = async (id: string) =>
    (
      await database().query<{ status: string; paused_reason: string | null }>(
        'select status, paused_reason from watches where id = $1',
        [id],
      )
    ).rows[0]!
  // Its boundary is not in the database.
  const BROKEN = `update watches set search = search || '{"areas": [{"type": "place", "boundary": "unknown"}]}' where id = $1`

  it('stops no other watch, neither its comparison nor the log, and is paused with the reason after ten failures', async () => {
    await importRecords(homes(1, 11))
    const broken = await watch()
    const other = await watch()
    await evaluate()
    // It follows the log, so it is the index that cannot judge it first.
    await database().query(BROKEN, [broken.id])
    const later = await watch()
    await importRecords(homes(1, 11, { price: 1 }))
    expect(await evaluate()).toBe(20)
    expect(await eventsOf(other)).toHaveLength(10)
    expect(await eventsOf(later)).toHaveLength(10)
    for (let failures = 1; failures < MAX_FAILED_COMPARISONS; failures++) {
      expect(await statusOf(broken.id)).toEqual({ status: 'active', paused_reason: null })
      await database().query('update watches set due_at = now() where id = $1', [broken.id])
      await evaluate()
    }
    expect(await statusOf(broken.id)).toEqual({ status: 'paused', paused_reason: 'evaluation_failed' })
  })
})

describe('a watch of a suspended account', () => {
  it('is not charged, and reports the net change when the account is active again', async () => {
    await importRecords(homes(1, 11))
    const watching = await watch()
    const listed = await watch({ zpids: ['1'] })
    await evaluate()
    for (const { accountId } of [watching, listed]) await suspendAccount(database(), accountId)
    await importRecords(homes(1, 11, { price: 1 }))
    await importRecords(homes(1, 11, { price: 2 }))
    expect(await evaluate()).toBe(0)
    for (const { accountId } of [watching, listed]) await resumeAccount(database(), accountId)
    expect(await evaluate()).toBe(11)
    expect(await usageOf(watching.accountId)).toEqual({ units: 10, credits: 10 })
  })
})

describe('a step of the evaluation', () => {
  it('reads the log though watches wait for their comparison, and a watch that is changed over and over waits', async () => {
    await importRecords(homes(1, 11))
    const watching = await watch()
    await evaluate()
    const changed = await watch()
    const another = await watch()
    await importRecords([home(1, { price: 1 })])
    // One of the two is compared in the first step, and the log is read in the same one.
    await evaluateStep(database(), PRICE)
    expect(await eventsOf(watching)).toHaveLength(1)
    await evaluate()
    expect(await eventsOf(another)).toHaveLength(1)
    const isDue = async () =>
      (
        await database().query<{ due: boolean }>('select due_at <= now() as due from watches where id = $1', [
          changed.id,
        ])
      ).rows[0]!.due
    const update = { watched: { search: FOR_SALE } }
    for (let round = 0; round < 20 && (await isDue()); round++) {
      await updateWatch(database(), changed.accountId, changed.id, update, { matches: 100 })
      await evaluate()
    }
    expect(await isDue()).toBe(false)
  })

  it('reports two changes of a home in one version as one event', async () => {
    await importRecords(homes(1, 4))
    const watching = await watch()
    const listed = await watch({ zpids: ['1', '2', '3'] })
    await evaluate()
    await database().transaction(async (tx) => {
      await tx.query(`update listings set price = 1 where zpid in ('1', '2')`)
      await tx.query(
        `update listings set price = case zpid when '1' then 2 else 500000 end where zpid in ('1', '2')`,
      )
    })
    expect(await evaluate()).toBe(2)
    for (const one of [watching, listed])
      expect(await eventsOf(one)).toMatchObject([
        { zpid: '1', previous: { price: 500_000 }, current: { price: 2 } },
      ])
  })

  it('that finds a pending home whose price has left the filters says so, if the filters allow pending homes', async () => {
    await importRecords(homes(1, 3))
    const watching = await watch({ search: { ...FOR_SALE, price: { max: 600_000 } } })
    const without = await watch({ search: { ...FOR_SALE, pending: false, price: { max: 600_000 } } })
    await evaluate()
    await importRecords([home(1, { homeStatus: 'PENDING', price: 700_000 })])
    await evaluate()
    expect(await eventsOf(watching)).toMatchObject([{ type: 'listing.removed', reason: 'left_filters' }])
    expect(await eventsOf(without)).toMatchObject([{ type: 'listing.removed', reason: 'pending' }])
  })
})
