// The events credits.low and key.limit_reached: written with the charge, once for each level and cycle or period, and delivered.

import { openapi } from '@lotline/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { changePlan } from '../../../src/money/accounts/change-plan.ts'
import { setKeyLimit } from '../../../src/money/accounts/key-limits.ts'
import { rotateKey } from '../../../src/money/accounts/keys.ts'
import { topUp } from '../../../src/money/accounts/top-up.ts'
import { adjustCredits } from '../../../src/money/credits/adjust.ts'
import { chargeEvents } from '../../../src/money/credits/charge-events.ts'
import { renewIfDue } from '../../../src/money/credits/cycles.ts'
import { placeHold, settleHold } from '../../../src/money/credits/holds.ts'
import { createLedger } from '../../../src/money/credits/ledger.ts'
import { createRequestId } from '../../../src/requests/engine/request-id.ts'
import { acceptJob, callOf, letPass, rows } from '../../money/credits/money.ts'
import { ENV } from '../../setup/deliveries.ts'
import { ok, type ReceivedEvent, startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { env: ENV })

const URL = 'https://example.com/hooks'
const EVENTS = ['credits.low', 'key.limit_reached']

const ajv = new Ajv2020({ strict: false })
;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
ajv.addSchema({ $id: 'contract', ...structuredClone(openapi) } as object)

/** An account with 1,000 credits in its cycle, and a webhook for both events. */
async function openAccount(webhook: object = {}) {
  const account = await server.openAccount({ plan: 'monthly', credits: 1_000 })
  const created = await server.post('/v1/webhooks', { url: URL, events: EVENTS, ...webhook }, account)
  expect(created.status, created.text).toBe(201)
  const ledger = createLedger(testDatabase.database)
  /** Charges this many credits at once. */
  const charge = (credits: number) => ledger.settle(callOf(account, 'listListings', credits))
  return { ...account, charge, webhookId: created.json.data.id as string }
}

type TestAccount = Awaited<ReturnType<typeof openAccount>>

interface WrittenEvent {
  readonly type: string
  // biome-ignore lint/suspicious/noExplicitAny: judged by the schema of the contract
  readonly data: any
}

async function eventsOf({ accountId }: { accountId: string }): Promise<WrittenEvent[]> {
  const { rows: found } = await testDatabase.database.query<{ id: string; type: string; data: string }>(
    'select id, type, data from webhook_events where account_id = $1 order by happened_at, id',
    [accountId],
  )
  return found.map(({ id, type, data }) => {
    expect(id).toMatch(/^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
    return { type, data: JSON.parse(data) }
  })
}

const levelsOf = async (account: { accountId: string }) =>
  (await eventsOf(account))
    .filter(({ type }) => type === 'credits.low')
    .map(({ data }) => data.threshold.percent ?? data.threshold.credits)

describe('credits.low', () => {
  it('is written when the balance falls to 50%, 20% and 5% of the grant, once each', async () => {
    const account = await openAccount()
    await account.charge(499)
    expect(await eventsOf(account)).toEqual([])
    await account.charge(1)
    expect(await eventsOf(account)).toEqual([
      {
        type: 'credits.low',
        data: {
          credits: { balance: 500, held: 0, available: 500, granted_this_cycle: 1_000 },
          threshold: { credits: 500, percent: 50 },
        },
      },
    ])
    await account.charge(1)
    await account.charge(400)
    expect(await levelsOf(account)).toEqual([50, 20])
    await account.charge(49)
    expect(await levelsOf(account)).toEqual([50, 20, 5])
  })

  it('has an event for each level that one charge passes, also when many charges are concurrent', async () => {
    const account = await openAccount()
    await account.charge(790)
    await Promise.all(Array.from({ length: 200 }, () => account.charge(1)))
    expect((await levelsOf(account)).sort()).toEqual([20, 5, 50])
  })

  it.each([
    ['a call', (account) => account.charge(500)],
    [
      'a job',
      async (account) => {
        const job = await acceptJob(testDatabase.database, account)
        await placeHold(testDatabase.database, { ...job, wanted: 500, least: 1 })
        await settleHold(testDatabase.database, rows(job, 500))
      },
    ],
    [
      'events of a watch',
      ({ accountId, keyId }) =>
        chargeEvents(
          testDatabase.database,
          Array.from({ length: 500 }, () => ({ accountId, keyId, requestId: createRequestId() })),
          { operation: 'createWatch', endpoint: '/v1/watches', actor: 'search', price: 1 },
        ),
    ],
    [
      'an adjustment by the operator',
      ({ accountId }) => adjustCredits(testDatabase.database, accountId, -500, 'A test'),
    ],
  ] satisfies [string, (account: TestAccount) => Promise<unknown>][])(
    'is written by %s that lowers the balance to a level, and not by one that stays above it',
    async (_what, take) => {
      const account = await openAccount()
      await topUp(testDatabase.database, account.accountId, 500)
      await take(account)
      expect(await eventsOf(account)).toEqual([])
      await take(account)
      expect(await eventsOf(account)).toMatchObject([
        { type: 'credits.low', data: { credits: { balance: 500, held: 0 }, threshold: { percent: 50 } } },
      ])
    },
  )

  it('goes only to the accounts that reach a level when one statement charges several accounts', async () => {
    const accounts = await Promise.all([openAccount(), openAccount(), openAccount()])
    const ledger = createLedger(testDatabase.database)
    const charges = [600, 100, 900]
    await Promise.all(
      accounts.map((account, at) => ledger.settle(callOf(account, 'listListings', charges[at]!))),
    )
    const levels = await Promise.all(accounts.map(levelsOf))
    // Two events of one charge have the same time, and no order.
    expect(levels.map((own) => own.sort((one, other) => other - one))).toEqual([[50], [], [50, 20]])
  })

  it('is not written when a cycle begins with fewer credits, because the old credits have expired', async () => {
    const { database } = testDatabase
    const account = await openAccount({ creditsThreshold: 900 })
    await changePlan(database, account.accountId, { plan: 'monthly', credits: 100, atOnce: true })
    expect(await eventsOf(account)).toEqual([])
    await account.charge(60)
    expect(await levelsOf(account)).toEqual([50])
  })

  it('is written once in a cycle, even after a top-up, and again in the next cycle', async () => {
    const { database } = testDatabase
    const account = await openAccount()
    await account.charge(600)
    await topUp(database, account.accountId, 400)
    await account.charge(350)
    expect(await levelsOf(account)).toEqual([50])
    await letPass(database, account, '32 days')
    await renewIfDue(database, account.accountId)
    await account.charge(400)
    expect(await levelsOf(account)).toEqual([50])
    await account.charge(500)
    expect(await levelsOf(account)).toEqual([50, 50])
  })

  it('is written at the threshold of a webhook, once in a cycle, and follows a changed threshold', async () => {
    const { database } = testDatabase
    const account = await openAccount({ creditsThreshold: 900 })
    const patch = (creditsThreshold: number) =>
      server.send('PATCH', `/v1/webhooks/${account.webhookId}`, {
        key: account.key,
        body: { creditsThreshold },
      })
    await account.charge(100)
    await account.charge(1)
    await topUp(database, account.accountId, 10)
    await account.charge(50)
    expect(await levelsOf(account)).toEqual([900])
    expect((await patch(800)).json.data.credits_threshold).toBe(800)
    await account.charge(60)
    expect(await levelsOf(account)).toEqual([900, 800])
    // It is above the balance, so nothing falls to it.
    await patch(5_000)
    await account.charge(1)
    expect(await levelsOf(account)).toEqual([900, 800])
  })

  it("is written once at a webhook's threshold when a new cycle begins before the charge but is committed after it", async () => {
    const { database } = testDatabase
    const account = await openAccount({ creditsThreshold: 900 })
    const { accountId, keyId } = account
    await database.transaction(async (tx) => {
      await tx.query('select now()')
      const begin = `update accounts set current_period_start = clock_timestamp() where id = $1`
      await database.query(begin, [accountId])
      const charges = Array.from({ length: 100 }, () => ({ accountId, keyId, requestId: createRequestId() }))
      const price = { operation: 'createWatch', endpoint: '/v1/watches', actor: 'search', price: 1 } as const
      await chargeEvents(tx, charges, price)
    })
    expect(await levelsOf(account)).toEqual([900])
    await topUp(database, accountId, 10)
    await account.charge(50)
    expect(await levelsOf(account)).toEqual([900])
  })

  it('goes only to webhooks with that threshold, as one event for each balance', async () => {
    const account = await openAccount({ creditsThreshold: 900 })
    const created = await Promise.all(
      [900, 900, 800, undefined].map((creditsThreshold) =>
        server.post('/v1/webhooks', { url: URL, events: EVENTS, creditsThreshold }, account),
      ),
    )
    const [second, third, fourth] = created.map(({ json }) => json.data.id as string)
    await account.charge(250)
    expect(await levelsOf(account)).toEqual(expect.arrayContaining([900, 800]))
    expect(await levelsOf(account)).toHaveLength(2)
    const { rows: sent } = await testDatabase.database.query(
      `select e.data::json -> 'threshold' ->> 'credits' as level, array_agg(d.webhook_id::text order by d.webhook_id) as webhooks
       from webhook_events e join webhook_deliveries d on d.account_id = e.account_id and d.event_id = e.id
       where e.account_id = $1 group by e.id, e.data order by 1`,
      [account.accountId],
    )
    expect(sent).toEqual([
      { level: '800', webhooks: [fourth] },
      { level: '900', webhooks: [account.webhookId, second, third].sort() },
    ])
  })

  it('is written at a threshold while a sender has locked the row of its webhook', async () => {
    const { database } = testDatabase
    const account = await openAccount({ creditsThreshold: 900 })
    await database.transaction(async (tx) => {
      await tx.query('select from webhooks where account_id = $1 for share', [account.accountId])
      await account.charge(100)
    })
    expect(await levelsOf(account)).toEqual([900])
  })

  it('is written in the transaction of the charge: with the charge of a job, and not after a rollback', async () => {
    const { database } = testDatabase
    const account = await openAccount()
    const job = await acceptJob(database, account)
    await placeHold(database, { ...job, wanted: 700, least: 1 })
    expect(await levelsOf(account)).toEqual([])
    class Undo extends Error {}
    const undone = database.transaction(async (tx) => {
      await settleHold(tx, rows(job, 700))
      throw new Undo()
    })
    await expect(undone).rejects.toThrow(Undo)
    expect(await levelsOf(account)).toEqual([])
    await settleHold(database, rows(job, 700))
    expect(await levelsOf(account)).toEqual([50])
  })

  it('is not sent later in the cycle for levels that are passed while the webhook is paused', async () => {
    const { database } = testDatabase
    const account = await openAccount({ creditsThreshold: 900 })
    const patch = async (active: boolean) => {
      const body = { active }
      const changed = await server.send('PATCH', `/v1/webhooks/${account.webhookId}`, {
        key: account.key,
        body,
      })
      expect(changed.json.data.active).toBe(active)
    }
    await patch(false)
    await account.charge(600)
    await patch(true)
    // The charge passes 900 and 50% again.
    await topUp(database, account.accountId, 500)
    await account.charge(500)
    expect(await levelsOf(account)).toEqual([])
    // The next level, and those of the next cycle, are sent.
    await account.charge(200)
    expect(await levelsOf(account)).toEqual([20])
    await letPass(database, account, '32 days')
    await database.query(
      "update webhook_thresholds_sent set sent_at = sent_at - interval '32 days' where account_id = $1",
      [account.accountId],
    )
    await renewIfDue(database, account.accountId)
    // 200 of the top-up are left.
    await account.charge(700)
    expect((await levelsOf(account)).slice(1).sort()).toEqual([50, 900])
  })

  it('is not sent to a webhook that does not subscribe to it', async () => {
    const account = await server.openAccount({ plan: 'monthly', credits: 10 })
    await server.post('/v1/webhooks', { url: URL }, account)
    await createLedger(testDatabase.database).settle(callOf(account, 'listListings', 10))
    expect(await eventsOf(account)).toEqual([])
  })
})

describe('key.limit_reached', () => {
  it('is written once when the limit is lowered to the used amount, and once when a hold uses it up', async () => {
    const { database } = testDatabase
    const account = await openAccount()
    await setKeyLimit(database, account.keyId, { credits: 10, per: 'total' })
    await account.charge(4)
    expect(await eventsOf(account)).toEqual([])
    for (const credits of [4, 3]) await setKeyLimit(database, account.keyId, { credits, per: 'total' })
    expect(await eventsOf(account)).toMatchObject([
      { data: { limit: { credits: 4, per: 'total' }, used: 4, remaining: 0, resets_at: null } },
    ])
    // The raised limit is no longer reached.
    await setKeyLimit(database, account.keyId, { credits: 20, per: 'total' })
    const job = await acceptJob(database, account)
    await placeHold(database, { ...job, wanted: 16, least: 1, keyId: account.keyId })
    expect((await eventsOf(account)).map(({ data }) => data.used)).toEqual([4, 20])
  })

  it('is written once in a period, when the limit is used up or prevents a charge', async () => {
    const { database } = testDatabase
    const account = await openAccount()
    await setKeyLimit(database, account.keyId, { credits: 5, per: 'day' })
    await account.charge(4)
    expect(await eventsOf(account)).toEqual([])
    // Check 8 refuses it: 3 credits are needed, and 1 is left.
    const path = '/v1/properties/by-address?address=2114%20Bigelow%20Ave%20N,%20Seattle,%20WA%2098109'
    // The limit is known within a second.
    await expect
      .poll(async () => (await server.get(path, account)).code, { timeout: 5_000, interval: 20 })
      .toBe('key_limit_reached')
    const [event, ...others] = await eventsOf(account)
    expect([event!.type, others]).toEqual(['key.limit_reached', []])
    const { resets_at, ...data } = event!.data
    expect(new Date(resets_at).getUTCHours()).toBe(0)
    expect(data).toEqual({
      key_ids: [account.keyId],
      limit: { credits: 5, per: 'day' },
      used: 4,
      remaining: 1,
    })
    await account.charge(3)
    expect(await eventsOf(account)).toHaveLength(1)
    await database.query('update key_limits set period_ends = now() where account_id = $1', [
      account.accountId,
    ])
    await account.charge(5)
    const { data: next } = (await eventsOf(account))[1]!
    expect([next.used, next.remaining]).toEqual([5, 0])
  })
})

it('lists only active keys: not revoked or expired ones', async () => {
  const { database } = testDatabase
  const account = await openAccount()
  await setKeyLimit(database, account.keyId, { credits: 5, per: 'day' })
  const rotation = await rotateKey(database, account.keyId, 60)
  if (!rotation.rotated) throw new Error(rotation.because)
  await database.query(
    `update api_keys set expires_at = now() - interval '1 s', revoked_at = null where id = $1`,
    [account.keyId],
  )
  await createLedger(database).settle(callOf(account, 'listListings', 5, { keyId: rotation.keyId }))
  expect((await eventsOf(account)).map(({ data }) => data.key_ids)).toEqual([[rotation.keyId]])
})

it('credits.low and key.limit_reached are delivered in the form of the contract', async () => {
  const received: ReceivedEvent[] = []
  const receiver = await startReceiver((response, event) => {
    received.push(event)
    return ok(response)
  })
  const account = await openAccount({ url: `${receiver.url}/hooks` })
  await setKeyLimit(testDatabase.database, account.keyId, { credits: 600, per: 'total' })
  await account.charge(600)
  const running = server.app.webhooks.start()
  // On a slow machine, an attempt may be repeated.
  const types = () => [...new Set(received.map(({ json }) => json.type))].sort()
  await until(() => types().length >= 2, 'the deliveries').finally(() => running.stop())
  expect(types()).toEqual(EVENTS)
  for (const { json } of received) {
    const name = json.type === 'credits.low' ? 'CreditsEvent' : 'KeyLimitEvent'
    const validate = ajv.compile({ $ref: `contract#/components/schemas/${name}` })
    expect([validate(json), validate.errors]).toEqual([true, null])
  }
  const log = await server.get(`/v1/webhooks/${account.webhookId}/deliveries`, account)
  const subjects: string[] = log.json.data.map(({ subject }: { subject: { type: string } }) => subject.type)
  expect([...new Set(subjects)].sort()).toEqual(['account', 'key_limit'])
})
