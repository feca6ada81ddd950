// Calls that create something and are sent again with their Idempotency-Key.

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { withTestDatabase } from '../setup/test-database.ts'
import { type Received, withTestServer } from '../setup/test-server.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const WEBHOOK = { url: 'https://hooks.example.com/lotline' }
const WATCH = { name: 'Homes', zpids: ['48749425'] }

interface Creation {
  readonly path: (made: { readonly webhook: string; readonly keyId: string }) => string
  readonly body?: object
  readonly other?: object
}

const CREATIONS: Readonly<Record<string, Creation>> = {
  createWebhook: { path: () => '/v1/webhooks', body: WEBHOOK, other: { ...WEBHOOK, description: 'Other' } },
  createWatch: { path: () => '/v1/watches', body: WATCH, other: { ...WATCH, name: 'Other' } },
  createKey: { path: () => '/v1/keys', body: { name: 'One' }, other: { name: 'Other' } },
  rotateKey: { path: ({ keyId }) => `/v1/keys/${keyId}/rotate` },
  rotateWebhookSecret: { path: ({ webhook }) => `/v1/webhooks/${webhook}/rotate-secret` },
}

/** Rows that the calls can create. */
async function countRows(accountId: string): Promise<unknown> {
  const { rows } = await testDatabase.database.query(
    `select (select count(*) from webhooks where account_id = $1) as webhooks,
       (select count(*) from webhook_secrets where account_id = $1) as secrets,
       (select count(*) from watches where account_id = $1) as watches,
       (select count(*) from api_keys where account_id = $1) as keys`,
    [accountId],
  )
  return rows[0]
}

async function prepare() {
  const account = await server.openAccount()
  const { json } = await server.post('/v1/webhooks', WEBHOOK, { key: account.key })
  const made = { webhook: json.data.id as string, keyId: account.keyId }
  const headers = { 'idempotency-key': randomUUID() }
  const send = (path: string, body: object | undefined, key = account.key): Promise<Received> =>
    server.send('POST', path, { key, headers, ...(body && { body }) })
  return { account, made, send, headers }
}

const isReplay = ({ headers }: Received) => headers.get('idempotent-replayed') === 'true'

describe.each(Object.entries(CREATIONS))('%s with an Idempotency-Key', (_name, { path, body, other }) => {
  it('acts once, also for calls at the same time, and returns the first response again', async () => {
    const { account, made, send } = await prepare()
    const answers = await Promise.all([1, 2, 3].map(() => send(path(made), body)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => (body ? 201 : 200)))
    const after = await countRows(account.accountId)
    const again = await send(path(made), body)
    expect([...answers, again].filter(isReplay)).toHaveLength(3)
    expect(new Set([...answers, again].map(({ json }) => JSON.stringify(json.data))).size).toBe(1)
    expect(again.headers.get('location')).toBe(answers[0]!.headers.get('location'))
    expect(await countRows(account.accountId)).toEqual(after)
  })

  it('refuses the same key with another request, and acts again a day later', async () => {
    const { account, made, send } = await prepare()
    const first = await send(path(made), body)
    const refused = await send(other ? path(made) : `${path(made)}?grace_minutes=1&overlap_hours=1`, other)
    expect([refused.status, refused.code]).toEqual([409, 'idempotency_key_reused'])
    await testDatabase.database.query(
      "update idempotency_keys set created_at = now() - interval '24 hours' where account_id = $1",
      [account.accountId],
    )
    const later = await send(path(made), body)
    expect(isReplay(later)).toBe(false)
    if (later.status < 300) expect(later.json.data).not.toEqual(first.json.data)
  })
})

describe('an Idempotency-Key', () => {
  it('stores no secret that can be read in the database', async () => {
    const { account, send } = await prepare()
    const secrets = [
      (await send('/v1/webhooks', WEBHOOK)).json.data.secret,
      (
        await server.send('POST', '/v1/keys', {
          ...{ key: account.key, body: { name: 'One' } },
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

  it('shows a secret to no other key of the account', async () => {
    const { account, send } = await prepare()
    await send('/v1/webhooks', WEBHOOK)
    const other = await server.post('/v1/keys', { name: 'Other' }, { key: account.key })
    expect((await send('/v1/webhooks', WEBHOOK, other.json.data.key)).code).toBe('idempotency_key_reused')
  })

  it('is free again after a refusal, and passes no limit', async () => {
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

  it('of a watch that was deleted is refused', async () => {
    const { account, send } = await prepare()
    const { json } = await send('/v1/watches', WATCH)
    await server.send('DELETE', `/v1/watches/${json.data.id}`, { key: account.key })
    expect((await send('/v1/watches', WATCH)).code).toBe('idempotency_key_reused')
  })
})
