// Calls that create something and are sent again with their Idempotency-Key.

import { randomUUID } from 'node:crypto'
import { operationIds, operations } from '@lotline/contract'
import { listParameters } from '@lotline/contract/nodes'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  CREATIONS,
  type Creation,
  countCreated,
  deliverEvents,
  WATCH,
  WEBHOOK,
} from '../../setup/creations.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, type TestResponse, withTestServer } from '../../setup/test-server.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)

async function prepare() {
  const account = await server.openAccount()
  const { json } = await server.post('/v1/webhooks', WEBHOOK, { key: account.key })
  const webhook = json.data.id as string
  const deliveries = await deliverEvents(testDatabase.database, account.accountId, webhook)
  const made = { webhook, keyId: account.keyId, deliveries }
  const headers = { 'idempotency-key': randomUUID() }
  const send = (path: string, body: object | undefined, key = account.key): Promise<TestResponse> =>
    server.send('POST', path, { key, headers, ...(body && { body }) })
  return { account, made, send, headers }
}

const isReplay = ({ headers }: TestResponse) => headers.get('idempotent-replayed') === 'true'

describe.each<[string, Creation]>(Object.entries(CREATIONS))(
  '%s with an Idempotency-Key',
  (_name, creation) => {
    const { path, body, other, status } = creation
    it('acts once for concurrent calls, and returns the first response again', async () => {
      const { account, made, send } = await prepare()
      const answers = await Promise.all([1, 2, 3].map(() => send(path(made), body)))
      expect(answers.map(({ status }) => status)).toEqual([status, status, status])
      const after = await countCreated(testDatabase.database, account.accountId)
      const again = await send(path(made), body)
      expect([...answers, again].filter(isReplay)).toHaveLength(3)
      expect(new Set([...answers, again].map(({ json }) => JSON.stringify(json.data))).size).toBe(1)
      expect(again.headers.get('location')).toBe(answers[0]!.headers.get('location'))
      expect(await countCreated(testDatabase.database, account.accountId)).toEqual(after)
    })

    it('refuses the same key with another request, and acts again a day later', async () => {
      const { account, made, send } = await prepare()
      const first = await send(path(made), body)
      const refused = await (typeof other === 'function' ? send(other(made), body) : send(path(made), other))
      expect([refused.status, refused.code]).toEqual([409, 'idempotency_key_reused'])
      await testDatabase.database.query(
        "update idempotency_keys set created_at = now() - interval '24 hours' where account_id = $1",
        [account.accountId],
      )
      const later = await send(path(made), body)
      expect(isReplay(later)).toBe(false)
      if (later.status < 300) expect(later.json.data).not.toEqual(first.json.data)
    })
  },
)

it('this test calls every operation with an Idempotency-Key, except those that can return without a job', () => {
  const keyed = operationIds.filter(
    (id) =>
      !(200 in operations[id].statuses && 202 in operations[id].statuses) &&
      listParameters(id).some(({ name }) => name === 'Idempotency-Key'),
  )
  expect(keyed.filter((id) => !(id in CREATIONS))).toEqual([])
})

// A retry that reaches a process with other keys, as after the last step of replacing SECRETS_KEY.
describe('a response with a secret whose encryption key was removed from SECRETS_KEY', () => {
  it.each(['createWebhook', 'createKey', 'rotateKey', 'rotateWebhookSecret'] as const)(
    'is not returned to a retry of %s, which changes nothing',
    async (name) => {
      const { path, body }: Creation = CREATIONS[name]
      const { account, made, send, headers } = await prepare()
      const first = await send(path(made), body)
      expect(first.status).toBeLessThan(300)
      const before = await countCreated(testDatabase.database, account.accountId)
      const other = await startTestServer(testDatabase, {
        env: { SECRETS_KEY: Buffer.alloc(32, 8).toString('base64') },
      })
      onTestFinished(() => other.close())
      const again = await other.send('POST', path(made), { key: account.key, headers, ...(body && { body }) })
      expect([again.status, again.code]).toEqual([409, 'idempotency_key_reused'])
      expect(again.json.error.message).toContain('cannot be returned any more')
      expect(await countCreated(testDatabase.database, account.accountId)).toEqual(before)
      // The key that was removed is back.
      expect((await send(path(made), body)).json.data).toEqual(first.json.data)
    },
  )
})

describe('an Idempotency-Key', () => {
  it('stores no readable secret in the database', async () => {
    const { account, send } = await prepare()
    const secrets = [
      (await send('/v1/webhooks', WEBHOOK)).json.data.secret,
      (
        await server.send('POST', '/v1/keys', {
          key: account.key,
          body: { name: 'One' },
          headers: { 'idempotency-key': randomUUID() },
        })
      ).json.data.key,
    ]
    const { rows } = await testDatabase.database.query<{ text: string }>(
      "select k::text || encode(coalesce(sealed, ''), 'escape') as text from idempotency_keys k where account_id = $1",
      [account.accountId],
    )
    expect(rows).toHaveLength(2)
    for (const secret of secrets) for (const { text } of rows) expect(text).not.toContain(secret)
  })

  it('returns a secret to no other key of the account', async () => {
    const { account, send } = await prepare()
    await send('/v1/webhooks', WEBHOOK)
    const other = await server.post('/v1/keys', { name: 'Other' }, { key: account.key })
    expect((await send('/v1/webhooks', WEBHOOK, other.json.data.key)).code).toBe('idempotency_key_reused')
  })

  it('is free again after a refusal, and bypasses no limit', async () => {
    const { account, send } = await prepare()
    await testDatabase.database.query(
      "insert into webhooks (account_id, url, events, description) select $1, $2, array['job.failed'], '' from generate_series(1, 99)",
      [account.accountId, WEBHOOK.url],
    )
    expect((await send('/v1/webhooks', WEBHOOK)).code).toBe('webhook_limit')
    await testDatabase.database.query(
      'update webhooks set revoked_at = now() where id = (select id from webhooks where account_id = $1 limit 1)',
      [account.accountId],
    )
    const made = await send('/v1/webhooks', WEBHOOK)
    expect([made.status, isReplay(made)]).toEqual([201, false])
    // At the limit again: the repetition creates nothing.
    expect((await send('/v1/webhooks', WEBHOOK)).json.data).toEqual(made.json.data)
  })

  it('that created a deleted watch is refused', async () => {
    const { account, send } = await prepare()
    const { json } = await send('/v1/watches', WATCH)
    await server.send('DELETE', `/v1/watches/${json.data.id}`, { key: account.key })
    expect((await send('/v1/watches', WATCH)).code).toBe('idempotency_key_reused')
  })
})
