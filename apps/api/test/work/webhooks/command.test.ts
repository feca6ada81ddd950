import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { revokeWebhook } from '../../../src/work/webhooks/webhook-store.ts'
import { jsonOf, lotlineWith } from '../../interfaces/cli/run-lotline.ts'
import { startServer } from '../../process/start/server-process.ts'
import { attemptsOf, box, ENV, startDeliveries, statesOf } from '../../setup/deliveries.ts'
import { startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { endJobs, makeAccount, makeWebhook } from '../../setup/webhook-jobs.ts'

const testDatabase = withTestDatabase()
const lotline = (env = {}) => lotlineWith({ ...ENV, DATABASE_URL: testDatabase.url, ...env })

describe('lotline webhooks', () => {
  it('test sends a signed event and shows the response; its exit code says whether it was accepted', async () => {
    const { database } = testDatabase
    let status = 200
    const receiver = await startReceiver((response) => response.writeHead(status).end('seen'))
    const accountId = await makeAccount(database)
    const { id, secret } = await makeWebhook(database, box, accountId, receiver.url)
    const result = await jsonOf(lotline(), 'webhooks', 'test', id)
    expect(result).toMatchObject({ delivered: true, status_code: 200, error: null, response_preview: 'seen' })
    const [event] = receiver.events
    const verified = new Webhook(secret).verify(event!.body, event!.headers as Record<string, string>)
    expect(verified).toMatchObject({ id: result.event_id, type: 'webhook.ping' })
    status = 500
    const failed = await lotline()('webhooks', 'test', id)
    expect([failed.code, failed.stdout, failed.stderr]).toEqual([
      1,
      expect.stringMatching(/status +500/),
      'lotline: The test event was not delivered.\n',
    ])
    expect(receiver.events).toHaveLength(2)
  })

  it.each([
    ['on', 'off', 'delivers'],
    ['off', 'on', 'refuses'],
  ])(
    "test uses the server's WEBHOOK_ALLOW_PRIVATE_NETWORKS=%s, not the command's =%s",
    async (server, own, does) => {
      const { database } = testDatabase
      const receiver = await startReceiver((response) => response.writeHead(200).end())
      const { id } = await makeWebhook(database, box, await makeAccount(database), receiver.url)
      const started = await startServer({
        DATABASE_URL: testDatabase.url,
        SAMPLE_DATA: 'off',
        SECRETS_KEY: ENV.SECRETS_KEY,
        WEBHOOK_ALLOW_PRIVATE_NETWORKS: server,
      })
      started.kill('SIGTERM')
      expect((await started.exited).code).toBe(0)
      const ran = await lotline({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: own })('webhooks', 'test', id, '--json')
      expect([ran.json.delivered, ran.json.error]).toEqual(
        does === 'delivers'
          ? [true, null]
          : [false, 'The host of the webhook does not resolve to a public address.'],
      )
      expect(receiver.events).toHaveLength(does === 'delivers' ? 1 : 0)
    },
  )

  it('redeliver sends an event, or all dropped events of a webhook, again', async () => {
    const { database } = testDatabase
    let status = 500
    const receiver = await startReceiver((response) => response.writeHead(status).end())
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, box, accountId, receiver.url)
    startDeliveries(database)
    await endJobs(database, accountId, 2)
    await until(async () => (await statesOf(database, id)).dropped === 2)
    status = 200
    const [event] = await attemptsOf(database, id)
    expect(await jsonOf(lotline(), 'webhooks', 'redeliver', event!.event_id)).toMatchObject({
      redelivered: 1,
    })
    await until(async () => (await statesOf(database, id)).delivered === 1)
    const rest = await lotline()('webhooks', 'redeliver', id)
    expect(rest.stdout).toBe(`Sending 1 event again to ${id}.\n`)
    await until(async () => (await statesOf(database, id)).delivered === 2)
    const none = await lotline()('webhooks', 'redeliver', id)
    expect([none.code, none.stderr]).toEqual([1, `lotline: Nothing was dropped for a live webhook ${id}.\n`])
    const wrong = await lotline()('webhooks', 'redeliver', 'evt_1')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('It takes the id of an event')])
  })

  it('rotate-secret shows the new secret once, and is refused without the servers’ encryption key', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver()
    const accountId = await makeAccount(database)
    const { id, secret: old } = await makeWebhook(database, box, accountId, receiver.url)
    const { secret, old_secret_until } = await jsonOf(lotline(), 'webhooks', 'rotate-secret', id)
    expect(Date.parse(old_secret_until)).toBeGreaterThan(Date.now())
    startDeliveries(database)
    await endJobs(database, accountId)
    await receiver.until(1)
    const [event] = receiver.events
    for (const one of [old, secret])
      new Webhook(one).verify(event!.body, event!.headers as Record<string, string>)

    const other = { SECRETS_KEY: Buffer.alloc(32, 9).toString('base64') }
    const refused = await lotline(other)('webhooks', 'rotate-secret', id)
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/set SECRETS_KEY.*add --key-lost/),
    ])
    const now = await lotline()('webhooks', 'rotate-secret', id, '--now')
    expect(now.stdout).toMatch(/secret +whsec_[A-Za-z0-9+/]{43}=\nold secret +signs no more/)
  })

  it('list shows all webhooks of an account, and no secret', async () => {
    const { database } = testDatabase
    const accountId = await makeAccount(database)
    const { id, secret } = await makeWebhook(database, box, accountId, 'https://hooks.example.com/')
    await revokeWebhook(
      database,
      accountId,
      (await makeWebhook(database, box, accountId, 'https://b.example.com/')).id,
    )
    const { stdout } = await lotline()('webhooks', 'list', accountId)
    expect(stdout).toContain(`${id}  live`)
    expect(stdout).toMatch(/revoked \d{4}-/)
    expect(stdout).not.toContain(secret)
  })

  it.each(['test', 'rotate-secret'])('%s reports an unknown or revoked webhook', async (verb) => {
    const { database } = testDatabase
    const accountId = await makeAccount(database)
    const unknown = await lotline()('webhooks', verb, accountId)
    expect([unknown.code, unknown.stderr]).toEqual([1, `lotline: There is no webhook ${accountId}.\n`])
    const { id } = await makeWebhook(database, box, accountId, 'https://hooks.example.com/')
    await revokeWebhook(database, accountId, id)
    const revoked = await lotline()('webhooks', verb, id)
    expect([revoked.code, revoked.stderr]).toEqual([
      1,
      expect.stringContaining(`The webhook ${id} is revoked.`),
    ])
  })
})
