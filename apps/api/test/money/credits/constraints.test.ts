// Constraints of the database, which refuse wrong data from any statement.

import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { placeHold, settleHold } from '../../../src/money/credits/holds.ts'
import { createLedger } from '../../../src/money/credits/ledger.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { acceptJob, callOf, openWith, rows, type TestJob } from './money.ts'

const testDatabase = withTestDatabase()

let account: string
let open: TestJob
let settled: TestJob

beforeAll(async () => {
  const { database } = testDatabase
  const opened = await openWith(database, 100)
  account = opened.accountId
  await createLedger(database).settle(callOf(opened, 'getProperty', 1, { requestId: 'req_charged' }))
  open = await acceptJob(database, opened)
  await placeHold(database, { ...open, wanted: 10, least: 1 })
  settled = await acceptJob(database, opened)
  await placeHold(database, { ...settled, wanted: 10, least: 1 })
  await settleHold(database, rows(settled, 4))
})

const MOVEMENT = 'insert into movements (account_id, kind, amount, held_change, request_id, job_id)'

const USAGE =
  'insert into usage_rows (account_id, key_id, request_id, endpoint, operation, actor, status_code, credits_charged, created_at)'

describe('the database refuses', () => {
  it.each([
    ['a movement that is changed', 'update movements set amount = amount + 1', 'permission denied'],
    ['a movement that is removed', 'delete from movements', 'permission denied'],
    ['movements that are cut off', 'truncate movements', 'permission denied'],
    ['a usage row that is changed', `update usage_rows set status_code = 500`, 'permission denied'],
    [
      'a usage row of a job that becomes another',
      `update usage_rows set endpoint = '/' where job_id is not null`,
      'permission denied',
    ],
    ['a usage row that is removed', 'delete from usage_rows', 'permission denied'],
    ['usage rows that are cut off', 'truncate usage_rows', 'permission denied'],
    ['a hold that is removed', `delete from holds where state = 'open'`, 'permission denied'],
    [
      'a hold charged beyond its amount',
      `update holds set state = 'settled', closed_at = now(), charged = 11 where state = 'open'`,
      'charged_within_amount',
    ],
    [
      'a released hold that is charged',
      `update holds set state = 'released', closed_at = now(), charged = 1 where state = 'open'`,
      'only_settled_holds_charge',
    ],
    [
      'a limit that counts more than it allows',
      `insert into key_limits (account_id, credits, per, used, most, counted_after) select id, 1, 'total', 2, 1, 0 from accounts`,
      'key_limit_is_sound',
    ],
    [
      'a limit per day that never ends',
      `insert into key_limits (account_id, credits, per, used, most, counted_after) select id, 1, 'day', 0, 1, 0 from accounts`,
      'key_limit_is_sound',
    ],
    ['a negative balance', 'update accounts set balance = -1, held = 0, grant_left = 0', 'account_is_sound'],
    ['a hold beyond the balance', 'update accounts set held = balance + 1', 'account_is_sound'],
    ['a negative hold', 'update accounts set held = -1', 'violates check constraint'],
    [
      'a grant beyond the balance',
      'update accounts set grant_left = balance + 1, granted_this_cycle = 1000',
      'account_is_sound',
    ],
    [
      'more left of a grant than was granted',
      'update accounts set granted_this_cycle = 5',
      'account_is_sound',
    ],
    [
      'old credits that no hold lies on',
      'update accounts set expiring = held + 1, grant_left = 0',
      'account_is_sound',
    ],
    [
      'a charge that gives',
      `${MOVEMENT} values (ACCOUNT, 'charge', 1, 1, 'req_x', OTHER)`,
      'movement_fits_its_kind',
    ],
    [
      'a charge of nothing',
      `${MOVEMENT} values (ACCOUNT, 'charge', 0, 0, 'req_x', OTHER)`,
      'movement_fits_its_kind',
    ],
    [
      'a charge without a request',
      `${MOVEMENT} values (ACCOUNT, 'charge', -1, -1, null, OTHER)`,
      'movement_fits_its_kind',
    ],
    [
      'a charge beside its usage row',
      `${MOVEMENT} values (ACCOUNT, 'charge', -1, -1, 'req_x', null)`,
      'movement_fits_its_kind',
    ],
    [
      'a job charged beside its hold',
      `${MOVEMENT} values (ACCOUNT, 'charge', -1, 0, 'req_x', OTHER)`,
      'movement_fits_its_kind',
    ],
    [
      'a grant that takes',
      `${MOVEMENT} values (ACCOUNT, 'grant', -1, 0, null, null)`,
      'movement_fits_its_kind',
    ],
    [
      'a top-up that takes',
      `${MOVEMENT} values (ACCOUNT, 'topup', -1, 0, null, null)`,
      'movement_fits_its_kind',
    ],
    [
      'an adjustment without a reason',
      `${MOVEMENT} values (ACCOUNT, 'adjust', 1, 0, null, null)`,
      'adjustments_have_a_reason',
    ],
    [
      'an adjustment of nothing',
      `insert into movements (account_id, kind, amount, reason) values (ACCOUNT, 'adjust', 0, 'why')`,
      'movement_fits_its_kind',
    ],
    [
      'an expiry that gives',
      `${MOVEMENT} values (ACCOUNT, 'expire', 1, 0, null, null)`,
      'movement_fits_its_kind',
    ],
    [
      'a hold that moves the balance',
      `${MOVEMENT} values (ACCOUNT, 'hold', -1, 1, null, OTHER)`,
      'movement_fits_its_kind',
    ],
    ['a hold of no job', `${MOVEMENT} values (ACCOUNT, 'hold', 0, 1, null, null)`, 'movement_fits_its_kind'],
    [
      'a release that holds',
      `${MOVEMENT} values (ACCOUNT, 'release', 0, 1, null, OTHER)`,
      'movement_fits_its_kind',
    ],
    [
      "a stage under another's actor",
      `insert into usage_rows (account_id, key_id, request_id, endpoint, actor, stage, status_code, created_at)
       values (ACCOUNT, OTHER, 'req_y', '/v1', 'search', 'detail', 202, now())`,
      'usage_is_sound',
    ],
    [
      'a call that gives',
      `${USAGE} values (ACCOUNT, OTHER, 'req_y', '/v1', 'getProperty', 'detail', 200, -1, now())`,
      'usage_is_sound',
    ],
    [
      'a failed call that costs',
      `${USAGE} values (ACCOUNT, OTHER, 'req_y', '/v1', 'getProperty', 'detail', 404, 1, now())`,
      'usage_is_sound',
    ],
    [
      'a charge for no operation',
      `${USAGE} values (ACCOUNT, OTHER, 'req_y', '/v1', null, 'detail', 200, 1, now())`,
      'usage_is_sound',
    ],
    [
      'a second usage row for a request',
      `${USAGE} select account_id, key_id, request_id, '/v1', null, actor, 200, 0, created_at
       from usage_rows where request_id = 'req_charged'`,
      'duplicate key value violates unique constraint "usage_rows_',
    ],
    [
      'a waiting plan that no cycle keeps',
      `update accounts set cycle_months = null, renews_at = null, next_plan = 'free', next_credits_per_cycle = 1,
         next_rate_limit_per_minute = 1, next_denied_operations = '{}'`,
      'account_is_sound',
    ],
    [
      'the length of a plan that does not wait',
      'update accounts set next_cycle_months = 1',
      'account_is_sound',
    ],
    ['an unknown plan', `update accounts set plan = 'gold'`, 'plan_id'],
    ['an unknown status', `update accounts set status = 'asleep'`, 'account_status'],
    ['a negative grant', 'update accounts set credits_per_cycle = -1', 'granted_credits'],
    ['no calls at all', 'update accounts set rate_limit_per_minute = 0', 'calls_per_minute'],
    ['a cycle of no month', 'update accounts set cycle_months = 0', 'cycle_length'],
    [
      'an unknown actor',
      `${USAGE} values (ACCOUNT, OTHER, 'req_y', '/v1', null, 'nobody', 200, 0, now())`,
      'usage_actor',
    ],
    [
      'an endpoint that fills the disk',
      `${USAGE} values (ACCOUNT, OTHER, 'req_y', repeat('x', 201), null, 'detail', 200, 0, now())`,
      'short_text',
    ],
    ['half of a waiting plan', `update accounts set next_plan = 'free'`, 'account_is_sound'],
    ['a plan that renews at no time', 'update accounts set renews_at = null', 'account_is_sound'],
    ['an account that goes away', 'delete from accounts', 'violates foreign key'],
  ])('%s', async (_what, statement, reason) => {
    const { database } = testDatabase
    const text = statement.replaceAll('ACCOUNT', `'${account}'`).replaceAll('OTHER', `'${randomUUID()}'`)
    await expect(
      database.transaction(async (tx) => {
        await tx.query(text)
        // Data that a constraint let through must not affect the next case.
        throw new Error('the database let it through')
      }),
    ).rejects.toThrow(reason)
  })
})
