import { describe, expect, it } from 'vitest'
import { revokeWebhook } from '../../../src/work/webhooks/webhook-store.ts'
import { attemptsOf, box, startDeliveries, statesOf } from '../../setup/deliveries.ts'
import { startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { endJobs, makeAccount, makeWebhook } from '../../setup/webhook-jobs.ts'

const RACES = 200

const testDatabase = withTestDatabase({ poolSize: 20 })
const server = withTestServer(testDatabase)

/**
 * Resolves when whatever was on its way to the receiver has been read by it: this request came later than all that. The
 * receiver reads what came first first, and needs two turns of its loop for a new connection.
 */
async function barrier(url: string): Promise<void> {
  await (
    await fetch(`${url}/barrier`, { method: 'POST', body: '{}', headers: { connection: 'close' } })
  ).text()
}

describe('after DELETE has returned 204', () => {
  it(`no request begins, not even a retry, over ${RACES} races`, async () => {
    const { database } = testDatabase
    let revokedAtFirst = 0
    const receiver = await startReceiver((response, { path }) =>
      response.writeHead(path === '/barrier' ? 200 : 500).end(),
    )
    // Two processes' worth of senders: the lock is the database's, not a process's.
    const env = { WEBHOOK_BACKOFF_MS: '1' }
    startDeliveries(database, { env })
    startDeliveries(database, { env })
    const late: string[] = []
    const race = async (round: number) => {
      const { accountId, key } = await server.openAccount()
      const { id } = await makeWebhook(database, box, accountId, `${receiver.url}/${round}`)
      const requests = () => receiver.events.filter(({ path }) => path === `/${round}`).length
      await endJobs(database, accountId, 3)
      // From before the first attempt until the middle of the retries.
      const wanted = round % 8
      const end = performance.now() + 50
      while (requests() < wanted && performance.now() < end) await new Promise((later) => setImmediate(later))
      expect((await server.send('DELETE', `/v1/webhooks/${id}`, { key })).status).toBe(204)
      await barrier(receiver.url)
      const before = requests()
      if (before < 9) revokedAtFirst += 1
      await until(async () => {
        const { due = 0, waiting = 0, sending = 0 } = await statesOf(database, id)
        return due + waiting + sending === 0
      }, 'everything to be dropped')
      await barrier(receiver.url)
      if (requests() !== before) late.push(`race ${round}: ${requests() - before} after ${before}`)
    }
    for (let round = 0; round < RACES; round += 4) {
      await Promise.all([0, 1, 2, 3].map((one) => race(round + one)))
    }
    expect(late).toEqual([])
    // Otherwise there is nothing to race for.
    expect(revokedAtFirst).toBeGreaterThan(RACES / 2)
  })

  it('no attempt is later than the revocation, although the revocation had to wait for it', async () => {
    const { database } = testDatabase
    const { accountId } = await server.openAccount()
    const { id } = await makeWebhook(database, box, accountId, 'http://127.0.0.1:9/')
    const blocked = `select from pg_locks where not granted and locktype in ('tuple', 'transactionid')`
    let revoking: Promise<boolean> | undefined
    const sentAt = await database.transaction(async (tx) => {
      await tx.query('select from webhooks where id = $1 for share', [id])
      revoking = revokeWebhook(database, accountId, id)
      await until(async () => (await database.query(blocked)).rows.length > 0, 'the revocation to wait')
      const { rows } = await tx.query<{ at: Date }>('select clock_timestamp() as at')
      return rows[0]!.at
    })
    expect(await revoking).toBe(true)
    const { rows } = await database.query<{ later: boolean }>(
      'select revoked_at >= $2 as later from webhooks where id = $1',
      [id, sentAt],
    )
    expect(rows).toEqual([{ later: true }])
  })

  it('sent attempts are in the delivery list, and unsent ones are not', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver((response) => response.writeHead(500).end('no'))
    const { accountId, key } = await server.openAccount()
    const { id } = await makeWebhook(database, box, accountId, receiver.url)
    const deliverer = startDeliveries(database, { env: { WEBHOOK_BACKOFF_MS: '60000' } })
    await endJobs(database, accountId)
    await until(async () => (await statesOf(database, id)).waiting === 1)
    await server.send('DELETE', `/v1/webhooks/${id}`, { key })
    await endJobs(database, accountId)
    await deliverer.stop()
    const { json } = await server.get(`/v1/webhooks/${id}/deliveries`, { key })
    expect(json.data).toMatchObject([
      {
        event: 'job.succeeded',
        attempt: 1,
        status_code: 500,
        delivered: false,
        error: null,
        response_preview: 'no',
      },
    ])
    expect(receiver.events).toHaveLength(1)
  })
})

describe('revoking a webhook', () => {
  it('aborts connections that have written nothing, without waiting for them', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver()
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, box, accountId, `http://hooks.example.com:${receiver.port}/`)
    let asked = 0
    startDeliveries(database, {
      env: { WEBHOOK_TIMEOUT_MS: '60000' },
      network: {
        resolve: () => {
          asked += 1
          return new Promise(() => {})
        },
      },
    })
    await endJobs(database, accountId, 5)
    await until(() => asked === 5, 'five attempts to be on their way')
    await revokeWebhook(database, accountId, id)
    await until(async () => (await statesOf(database, id)).dropped === 5, 'all to be dropped')
    expect(await attemptsOf(database, id)).toEqual([])
    expect(receiver.connections).toBe(0)
  })

  it('lets a written request finish, and records it', async () => {
    const { database } = testDatabase
    let answer = () => {}
    const receiver = await startReceiver((response) => {
      answer = () => response.writeHead(200).end('late')
    })
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, box, accountId, receiver.url)
    startDeliveries(database, { env: { WEBHOOK_TIMEOUT_MS: '60000' } })
    await endJobs(database, accountId)
    await receiver.until(1)
    await revokeWebhook(database, accountId, id)
    answer()
    await until(async () => (await statesOf(database, id)).delivered === 1)
    expect(await attemptsOf(database, id)).toMatchObject([{ status_code: 200, response_preview: 'late' }])
  })

  it('drops very many waiting events without delaying the call', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver()
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, box, accountId, receiver.url)
    await database.query(
      `select count(write_events($1, 'job', gen_random_uuid()::text, 'evt_' || i, 'job.failed', now(), '{}'))
       from generate_series(1, 5000) as i`,
      [accountId],
    )
    await revokeWebhook(database, accountId, id)
    startDeliveries(database)
    await until(async () => (await statesOf(database, id)).dropped === 5000, 'all to be dropped')
    expect(receiver.connections).toBe(0)
  })
})
