import type { WebhookEventType } from '@lotline/contract'
import { openapi } from '@lotline/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/infrastructure/config/config.ts'
import { writeJobEvent } from '../../../src/work/jobs/store/settle-job.ts'
import { pingWebhook } from '../../../src/work/webhooks/ping.ts'
import { rotateSecret } from '../../../src/work/webhooks/secrets.ts'
import { attemptsOf, box, ENV, startDeliveries, statesOf } from '../../setup/deliveries.ts'
import { type ReceivedEvent, startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { endedJob, endJobs, makeAccount, makeWebhook } from '../../setup/webhook-jobs.ts'

const testDatabase = withTestDatabase()
const ENDINGS = ['succeeded', 'failed', 'timed_out', 'aborted'] as const

const ajv = new Ajv2020({ strict: false, allErrors: true })
;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
ajv.addSchema({ $id: 'contract', ...structuredClone(openapi) } as object)

function verify(event: ReceivedEvent, secret: string): unknown {
  return new Webhook(secret).verify(event.body, event.headers as Record<string, string>)
}

describe('an event', () => {
  it('is sent for each of the four final job states, in the form of the contract, signed and numbered', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver()
    const accountId = await makeAccount(database)
    const { secret } = await makeWebhook(database, box, accountId, `${receiver.url}/hook?token=1`)
    startDeliveries(database)
    for (const status of ENDINGS) {
      const [job] = await endJobs(database, accountId, 1, status)
      await receiver.until(ENDINGS.indexOf(status) + 1)
      const event = receiver.events.at(-1)!
      expect(verify(event, secret)).toEqual({
        id: event.headers['webhook-id'],
        type: `job.${status}`,
        timestamp: job!.completed_at,
        attempt: 1,
        data: { job },
      })
      const validate = ajv.compile({ $ref: 'contract#/components/schemas/JobEvent' })
      expect(validate(event.json), ajv.errorsText(validate.errors)).toBe(true)
      expect(event.path).toBe('/hook?token=1')
      expect(event.headers).toMatchObject({
        'content-type': 'application/json',
        host: `127.0.0.1:${receiver.port}`,
        'webhook-attempt': '1',
        'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      })
      expect(event.headers).not.toHaveProperty('content-encoding')
    }
    expect(new Set(receiver.events.map(({ json }) => json.id)).size).toBe(4)
  })

  it('reaches each subscribed webhook once, including webhooks that subscribe to all events', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver()
    const accountId = await makeAccount(database)
    const asked: Readonly<Record<string, readonly WebhookEventType[] | undefined>> = {
      all: undefined,
      good: ['job.succeeded'],
      bad: ['job.failed', 'job.timed_out'],
      stopped: ['job.aborted'],
    }
    for (const [name, events] of Object.entries(asked)) {
      await makeWebhook(database, box, accountId, `${receiver.url}/${name}`, events)
    }
    const other = await makeAccount(database)
    await makeWebhook(database, box, other, `${receiver.url}/other`)
    startDeliveries(database)
    for (const status of ENDINGS) await endJobs(database, accountId, 1, status)
    await receiver.until(8)
    const got = receiver.events.map(({ path, json }) => `${path.slice(1)} ${json.type}`).sort()
    expect(got).toEqual(
      [
        ...ENDINGS.map((status) => `all job.${status}`),
        'good job.succeeded',
        'bad job.failed',
        'bad job.timed_out',
        'stopped job.aborted',
      ].sort(),
    )
  })

  it('is written in the transaction that ends the job, and disappears with a rollback', async () => {
    const { database } = testDatabase
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, box, accountId, 'http://127.0.0.1:9/')
    const undone = database.transaction(async (tx) => {
      await writeJobEvent(tx, accountId, endedJob('succeeded'))
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await statesOf(database, id)).toEqual({})
    await endJobs(database, accountId)
    expect(await statesOf(database, id)).toEqual({ due: 1 })
  })

  it('is unique for a job, even if its end were written twice', async () => {
    const { database } = testDatabase
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, box, accountId, 'http://127.0.0.1:9/')
    const job = endedJob('failed')
    await database.transaction((tx) => writeJobEvent(tx, accountId, job))
    await expect(database.transaction((tx) => writeJobEvent(tx, accountId, job))).rejects.toThrow(/unique/)
    expect(await statesOf(database, id)).toEqual({ due: 1 })
  })

  it('is not written without a subscribed webhook, and not for webhooks created later', async () => {
    const { database } = testDatabase
    const accountId = await makeAccount(database)
    await endJobs(database, accountId)
    const late = await makeWebhook(database, box, accountId, 'http://127.0.0.1:9/')
    const { rows } = await database.query('select from webhook_events where account_id = $1', [accountId])
    expect(rows).toHaveLength(0)
    expect(await statesOf(database, late.id)).toEqual({})
  })

  it('reaches every webhook that was created before the job’s end became visible', async () => {
    const { database } = testDatabase
    const accountId = await makeAccount(database)
    for (let round = 0; round < 30; round++) {
      let ended = false
      const ending = database.transaction(async (tx) => {
        await writeJobEvent(tx, accountId, endedJob('succeeded'))
        await tx.query('select pg_sleep(0.003)')
        ended = true
      })
      const made = makeWebhook(database, box, accountId, 'http://127.0.0.1:9/').then(({ id }) => ({
        id,
        ended,
      }))
      await ending
      const { id, ended: wasSeen } = await made
      if (!wasSeen) expect(await statesOf(database, id)).toEqual({ due: 1 })
    }
  })
})

describe('a replaced secret', () => {
  it('also signs for a day, and then no longer', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver()
    const accountId = await makeAccount(database)
    const { id, secret: old } = await makeWebhook(database, box, accountId, receiver.url)
    startDeliveries(database)
    const rotation = await rotateSecret(database, box, id)
    if (!rotation.rotated) throw new Error(rotation.because)
    await endJobs(database, accountId)
    await receiver.until(1)
    for (const secret of [old, rotation.secret]) verify(receiver.events[0]!, secret)
    expect(rotation.oldUntil!.getTime() - Date.now()).toBeGreaterThan(23.9 * 3_600_000)

    await database.query(
      `update webhook_secrets set retires_at = retires_at - interval '24 hours 1 second'
       where webhook_id = $1 and retires_at is not null`,
      [id],
    )
    await endJobs(database, accountId)
    await receiver.until(2)
    verify(receiver.events[1]!, rotation.secret)
    expect(() => verify(receiver.events[1]!, old)).toThrow()
  })

  it('stops signing immediately if it has leaked', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver()
    const accountId = await makeAccount(database)
    const { id, secret: old } = await makeWebhook(database, box, accountId, receiver.url)
    startDeliveries(database)
    const rotation = await rotateSecret(database, box, id, { overlapHours: 0 })
    if (!rotation.rotated) throw new Error(rotation.because)
    expect(rotation.oldUntil).toBeNull()
    await endJobs(database, accountId)
    await receiver.until(1)
    verify(receiver.events[0]!, rotation.secret)
    expect(() => verify(receiver.events[0]!, old)).toThrow()
  })
})

describe('a test delivery', () => {
  it('is signed like an event, is sent once, and is not listed as a delivery', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver((response) => response.writeHead(202).end('thanks'))
    const accountId = await makeAccount(database)
    const { id, secret } = await makeWebhook(database, box, accountId, receiver.url)
    const ping = await pingWebhook(readConfig(ENV), database, box, id)
    expect(ping).toMatchObject({
      sent: true,
      outcome: { delivered: true, statusCode: 202, preview: 'thanks' },
    })
    expect(verify(receiver.events[0]!, secret)).toMatchObject({ type: 'webhook.ping', attempt: 1, data: {} })
    const body = JSON.parse(String(receiver.events[0]!.body))
    const validate = ajv.compile({ $ref: 'contract#/components/schemas/PingEvent' })
    expect(validate(body), ajv.errorsText(validate.errors)).toBe(true)
    expect(await attemptsOf(database, id)).toEqual([])
    await database.query('update webhooks set revoked_at = now() where id = $1', [id])
    expect(await pingWebhook(readConfig(ENV), database, box, id)).toEqual({ sent: false, because: 'revoked' })
    expect(receiver.events).toHaveLength(1)
  })
})

describe('a lost notification', () => {
  it('delays an event by at most one poll, a second', async () => {
    const { database } = testDatabase
    const deaf = { ...database, listen: () => new Promise<never>(() => {}) }
    const receiver = await startReceiver()
    const accountId = await makeAccount(database)
    await makeWebhook(database, box, accountId, receiver.url)
    startDeliveries(deaf)
    await endJobs(database, accountId)
    await until(() => receiver.events.length === 1, 'the event')
  })
})
