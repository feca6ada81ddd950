import { beforeEach, describe, expect, it } from 'vitest'
import { attemptsOf, box, startDeliveries, statesOf } from '../../setup/deliveries.ts'
import { startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { endJobs, makeAccount, makeWebhook } from '../../setup/webhook-jobs.ts'

const testDatabase = withTestDatabase()
/** Of an event of an account whose receivers answer, while another's hang. A busy machine takes longer, but no attempt ends by then. */
const MAX_DELAY_MS = process.env.LOTLINE_FULL ? 2_000 : 20_000
const PATIENT = { WEBHOOK_TIMEOUT_MS: '60000' }

// Thousands of deliveries that an earlier test left to its stopped receiver would be attempted first.
beforeEach(async () => {
  await testDatabase.database.query('delete from webhook_deliveries')
})

describe('accounts whose receivers asked for a pause', () => {
  it('take no place of an account that has events to send, however few places are left', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver()
    const paused = await Promise.all(Array.from({ length: 6 }, () => makeAccount(database)))
    for (const accountId of paused) {
      const { id } = await makeWebhook(database, box, accountId, receiver.url)
      await database.query(
        "insert into webhook_pauses (account_id, webhook_id, until) values ($1, $2, now() + interval '1 hour')",
        [accountId, id],
      )
      await endJobs(database, accountId)
    }
    const busy = await makeAccount(database)
    const { id } = await makeWebhook(database, box, busy, receiver.url)
    await endJobs(database, busy, 2)
    const claim = async () => {
      const { rows } = await database.query<{ webhook_id: string }>(
        'select webhook_id from claim_deliveries(4, 64, 64, 60000, null)',
      )
      return rows.map((row) => row.webhook_id)
    }
    expect(await claim()).toEqual([id])
    // It has an attempt under way now, and the paused accounts have none.
    expect(await claim()).toEqual([id])
    expect(await claim()).toEqual([])
  })
})

describe('slow receivers of one account do not delay other accounts', () => {
  it(`500 hanging receivers delay another account’s events by less than ${MAX_DELAY_MS} ms`, async () => {
    const { database } = testDatabase
    const hanging = await startReceiver(() => {})
    const slow = await makeAccount(database)
    // More than an account may have, made beside the API: so that each has a receiver of its own.
    await database.query(
      `insert into webhooks (account_id, url, events)
       select $1, $2 || i, array['job.succeeded'] from generate_series(1, 500) as i`,
      [slow, `${hanging.url}/`],
    )
    const quick = await startReceiver()
    const neighbours = await Promise.all(Array.from({ length: 5 }, () => makeAccount(database)))
    for (const accountId of neighbours) await makeWebhook(database, box, accountId, quick.url)
    startDeliveries(database, { env: PATIENT })
    await endJobs(database, slow, 4)
    await until(() => hanging.events.length >= 64, 'the slow account to have all that it may have')

    for (let round = 1; round <= 5; round++) {
      await Promise.all(neighbours.map((accountId) => endJobs(database, accountId)))
      await until(
        () => quick.events.length === round * neighbours.length,
        'the neighbours’ events',
        MAX_DELAY_MS,
      )
    }
    expect(hanging.events).toHaveLength(64)
  })

  it('receivers of 20 accounts, enough to use all attempts, do not delay another account', async () => {
    const { database } = testDatabase
    const hanging = await startReceiver(() => {})
    const quick = await startReceiver()
    for (let count = 0; count < 20; count++) {
      const slow = await makeAccount(database)
      for (let index = 0; index < 4; index++) await makeWebhook(database, box, slow, hanging.url)
      await database.query(
        `select count(write_events($1, 'job', gen_random_uuid()::text, 'evt_' || i, 'job.failed', now(), '{}'))
         from generate_series(1, 16) as i`,
        [slow],
      )
    }
    startDeliveries(database, { env: PATIENT })
    await until(() => hanging.events.length >= 450, 'the slow accounts to have what they may have')
    const neighbour = await makeAccount(database)
    const { id } = await makeWebhook(database, box, neighbour, quick.url)
    await endJobs(database, neighbour, 3)
    await until(
      async () => (await statesOf(database, id)).delivered === 3,
      'the neighbour’s events',
      MAX_DELAY_MS,
    )
  })

  it('a hanging receiver does not delay another webhook of the same account', async () => {
    const { database } = testDatabase
    const hanging = await startReceiver(() => {})
    const quick = await startReceiver()
    const accountId = await makeAccount(database)
    await makeWebhook(database, box, accountId, hanging.url)
    await makeWebhook(database, box, accountId, quick.url)
    startDeliveries(database, { env: PATIENT })
    await endJobs(database, accountId, 40)
    await until(() => quick.events.length === 40, 'the quick receiver’s events', MAX_DELAY_MS)
    // Its first events may have been claimed last: it gets what it may have, and no more.
    await until(() => hanging.events.length >= 16, 'the hanging receiver to have what it may have')
    expect(hanging.events).toHaveLength(16)
  })
})

describe('the limits on concurrent deliveries', () => {
  it('hold for each webhook and each account over several processes', async () => {
    const { database } = testDatabase
    let [now, most] = [0, 0]
    const byWebhook = new Map<string, number>()
    let mostOfOne = 0
    const receiver = await startReceiver((response, { path }) => {
      most = Math.max(most, ++now)
      byWebhook.set(path, (byWebhook.get(path) ?? 0) + 1)
      mostOfOne = Math.max(mostOfOne, byWebhook.get(path)!)
      setTimeout(() => {
        now -= 1
        byWebhook.set(path, byWebhook.get(path)! - 1)
        response.writeHead(200).end()
      }, 10)
    })
    const accountId = await makeAccount(database)
    const webhooks = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        makeWebhook(database, box, accountId, `${receiver.url}/${index}`),
      ),
    )
    const bounds = { perAccount: 5, perWebhook: 2 }
    for (let processes = 0; processes < 3; processes++) startDeliveries(database, { bounds, env: PATIENT })
    await endJobs(database, accountId, 30)
    await until(() => receiver.events.length === 120, 'all events')
    for (const { id } of webhooks) await until(async () => (await statesOf(database, id)).delivered === 30)
    expect([most, mostOfOne]).toEqual([5, 2])
  })

  it('let several processes share the work without duplicates', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver()
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, box, accountId, receiver.url)
    for (let processes = 0; processes < 3; processes++) startDeliveries(database, { env: PATIENT })
    await endJobs(database, accountId, 300)
    await until(async () => (await statesOf(database, id)).delivered === 300, 'all events')
    expect(receiver.events).toHaveLength(300)
    expect(new Set(receiver.events.map(({ headers }) => headers['webhook-id'])).size).toBe(300)
    expect(
      (await attemptsOf(database, id)).every(({ attempt, delivered }) => attempt === 1 && delivered),
    ).toBe(true)
  })
})
