// Key management with a key of the account. A key never creates or changes a key that has more rights than itself.

import { randomUUID } from 'node:crypto'
import { isApiKey } from '@lotline/contract/checks'
import { describe, expect, it } from 'vitest'
import { setKeyLimit } from '../../../src/money/accounts/key-limits.ts'
import { issueKey, type NewKey } from '../../../src/money/accounts/keys.ts'
import type { OpenedAccount } from '../../../src/money/accounts/open-account.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { type TestResponse, withTestServer } from '../../setup/test-server.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const FUTURE = '2090-01-01T00:00:00.000Z'
const LATER = '2091-01-01T00:00:00.000Z'

const create = (key: string, body: object, headers = {}): Promise<TestResponse> =>
  server.post('/v1/keys', body, { key, headers })
const rotate = (key: string, id: string, query = ''): Promise<TestResponse> =>
  server.send('POST', `/v1/keys/${id}/rotate${query}`, { key })
const remove = (key: string, id: string): Promise<TestResponse> =>
  server.send('DELETE', `/v1/keys/${id}`, { key })

async function list(key: string) {
  const answer = await server.get('/v1/keys', { key })
  expect([answer.status, answer.charged], answer.text).toEqual([200, 0])
  return answer.json.data as {
    id: string
    name: string
    current: boolean
    active: boolean
    last_used_at: string | null
    revoked_at: string | null
  }[]
}

/** Another key of the account, issued without the API. */
const issue = ({ accountId }: OpenedAccount, key: NewKey = {}) =>
  issueKey(testDatabase.database, accountId, key)

/** The error code that the key gets within a second, the bound of the principal cache. */
async function comesToGet(key: string, code: string | undefined): Promise<void> {
  await expect
    .poll(async () => (await server.get('/v1/usage?limit=1', { key })).code, { interval: 20 })
    .toBe(code)
}

describe('POST /v1/keys (createKey)', () => {
  it('creates a key that works immediately and is shown once', async () => {
    const account = await server.openAccount()
    const made = await create(account.key, { name: 'Production' })
    expect([made.status, made.charged]).toEqual([201, 0])
    const { key, id } = made.json.data
    expect(isApiKey(key)).toBe(true)
    expect(made.json.data).toMatchObject({
      name: 'Production',
      last4: key.slice(-4),
      active: true,
      current: false,
      allowed_operations: null,
      credit_limit: null,
      expires_at: null,
      revoked_at: null,
    })
    expect((await server.get('/v1/me', { key })).json.data.id).toBe(account.accountId)
    const text = JSON.stringify(await list(key))
    expect(text).not.toContain(key)
    expect((await list(key)).map((one) => [one.id, one.current])).toEqual([
      [id, true],
      [account.keyId, false],
    ])
  })

  it('creates a key that can use only its allowed operations', async () => {
    const { key } = await server.openAccount()
    const made = await create(key, { name: 'Reader', allowed_operations: ['listUsage', 'getProperty'] })
    const { key: reader } = made.json.data
    expect((await server.get('/v1/usage', { key: reader })).status).toBe(200)
    const refused = await server.get('/v1/me', { key: reader })
    expect([refused.status, refused.code, refused.charged]).toEqual([403, 'key_not_allowed', 0])
    expect(refused.json.error.details).toEqual({ operation: 'getAccount' })
    expect((await create(reader, { name: 'More' })).code).toBe('key_not_allowed')
    const estimate = await server.post('/v1/estimate', { operation: 'listUsage' }, { key: reader })
    expect(estimate.code).toBe('key_not_allowed')
  })

  it('creates a key that works until it expires', async () => {
    const { key } = await server.openAccount()
    const made = (await create(key, { name: 'Short', expires_at: FUTURE })).json.data
    expect(made.expires_at).toBe(FUTURE)
    await testDatabase.database.query('update api_keys set expires_at = now() where id = $1', [made.id])
    await comesToGet(made.key, 'invalid_api_key')
    expect((await list(key)).find(({ id }) => id === made.id)).toMatchObject({
      active: false,
      revoked_at: null,
    })
    expect((await rotate(key, made.id)).code).toBe('key_revoked')
  })

  it('creates a key with a credit limit', async () => {
    const { key } = await server.openAccount()
    const limit = { credits: 0, per: 'total' }
    const made = (await create(key, { name: 'Capped', credit_limit: limit })).json.data
    expect(made.credit_limit).toEqual(limit)
    const call = await server.get(
      '/v1/properties/by-address?address=1%20Main%20St%2C%20Seattle%2C%20WA%2098109',
      {
        key: made.key,
      },
    )
    expect([call.status, call.code]).toEqual([402, 'key_limit_reached'])
  })

  it('creates one key for concurrent requests with the same Idempotency-Key, and shows it only to its creator', async () => {
    const { key } = await server.openAccount()
    const headers = { 'idempotency-key': randomUUID() }
    const sibling = await issueSibling(key)
    const answers = await Promise.all([1, 2, 3].map(() => create(key, { name: 'Once' }, headers)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    const texts = answers.map(({ json }) => json.data.key)
    expect(new Set(texts).size).toBe(1)
    expect(isApiKey(texts[0])).toBe(true)
    const replays = answers.filter(({ headers: sent }) => sent.get('idempotent-replayed') === 'true')
    expect(replays).toHaveLength(2)
    // No other key can read the text of a key.
    expect((await create(sibling, { name: 'Once' }, headers)).code).toBe('idempotency_key_reused')
    const other = await create(key, { name: 'Another' }, headers)
    expect([other.status, other.code]).toEqual([409, 'idempotency_key_reused'])
    expect((await list(key)).filter(({ name }) => name === 'Once')).toHaveLength(1)
  })

  it('refuses the 21st live key, also for concurrent requests', async () => {
    const account = await server.openAccount()
    for (let count = 1; count < 16; count++) await issue(account)
    const keys = await Promise.all([1, 2].map(() => issue(account)))
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        create([account.key, ...keys.map(({ key }) => key)][at % 3]!, { name: 'One' }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)!.code).toBe('key_count_limit')
    expect((await rotate(account.key, account.keyId)).code).toBe('key_count_limit')
    await remove(account.key, keys[0]!.keyId)
    const headers = { 'idempotency-key': randomUUID() }
    expect((await create(account.key, { name: 'One' }, headers)).status).toBe(201)
    // A refusal does not consume the Idempotency-Key.
    const again = { 'idempotency-key': randomUUID() }
    expect((await create(account.key, { name: 'Two' }, again)).code).toBe('key_count_limit')
    await remove(account.key, keys[1]!.keyId)
    expect((await create(account.key, { name: 'Two' }, again)).status).toBe(201)
  })

  it('refuses an unknown operation and a time in the past', async () => {
    const { key } = await server.openAccount()
    const unknown = await create(key, { name: 'Key', allowed_operations: ['getProperty', 'buyHome'] })
    expect([unknown.code, unknown.json.error.details]).toEqual([
      'invalid_parameter',
      { parameter: 'allowed_operations.1' },
    ])
    const past = await create(key, { name: 'Key', expires_at: '2020-01-01T00:00:00Z' })
    expect([past.code, past.json.error.message]).toEqual([
      'invalid_parameter',
      'expires_at must be a time in the future. You sent "2020-01-01T00:00:00Z".',
    ])
  })
})

async function issueSibling(key: string): Promise<string> {
  return (await create(key, { name: 'Sibling' })).json.data.key
}

const ALL_KEYS = ['createKey', 'rotateKey', 'deleteKey', 'listKeys'] as const

describe('a key that has less than others', () => {
  it.each<[string, NewKey & { limit?: true }, object, string]>([
    [
      'the operations of all keys',
      { allowedOperations: ALL_KEYS },
      { allowed_operations: ['createKey', 'getJob'] },
      'allowed_operations',
    ],
    ['a later end', { expiresAt: new Date(FUTURE) }, { expires_at: LATER }, 'expires_at'],
    ['a key beside its credit limit', { limit: true }, {}, 'credit_limit'],
    [
      'a key with a credit limit of its own',
      { limit: true },
      { credit_limit: { credits: 1, per: 'day' } },
      'credit_limit',
    ],
  ])('cannot create a key with %s', async (_what, { limit, ...own }, body, exceeds) => {
    const account = await server.openAccount()
    const { key, keyId } = await issue(account, own)
    if (limit) await setKeyLimit(testDatabase.database, keyId, { credits: 5, per: 'day' })
    const answer = await create(key, { name: 'More', ...body })
    expect([answer.status, answer.code, answer.json.error.details]).toEqual([
      403,
      'key_not_allowed',
      { exceeds },
    ])
    expect((await list(account.key)).map(({ name }) => name)).not.toContain('More')
  })

  it('passes on its operations, expiry, and OAuth client to a new key', async () => {
    const account = await server.openAccount({ email: 'owner@example.com' })
    const own = await issue(account, {
      allowedOperations: [...ALL_KEYS, 'getAccount'],
      expiresAt: new Date(FUTURE),
      oauthClient: 'Some Assistant',
    })
    const { data } = (await create(own.key, { name: 'Child' })).json
    expect(data).toMatchObject({
      allowed_operations: [...ALL_KEYS, 'getAccount'],
      expires_at: FUTURE,
    })
    expect((await server.get('/v1/me', { key: account.key })).json.data.email).toBe('owner@example.com')
    expect((await server.get('/v1/me', { key: data.key })).json.data.email).toBeUndefined()
  })

  it.each<[string, NewKey & { limit?: true }, string]>([
    ['more operations', { allowedOperations: ALL_KEYS }, 'allowed_operations'],
    ['a later end', { expiresAt: new Date(FUTURE) }, 'expires_at'],
    ['no credit limit', { limit: true }, 'credit_limit'],
    ['no OAuth client', { oauthClient: 'Some Assistant' }, 'oauth_client'],
  ])('cannot rotate or revoke a key with %s', async (_what, { limit, ...own }, exceeds) => {
    const account = await server.openAccount()
    const { key, keyId } = await issue(account, own)
    if (limit) await setKeyLimit(testDatabase.database, keyId, { credits: 5, per: 'day' })
    for (const answer of [await rotate(key, account.keyId), await remove(key, account.keyId)]) {
      expect([answer.status, answer.code, answer.json.error.details]).toEqual([
        403,
        'key_not_allowed',
        { exceeds },
      ])
    }
    expect((await server.get('/v1/me', { key: account.key })).status).toBe(200)
  })

  it('cannot create a key that outlives its grace period', async () => {
    const account = await server.openAccount()
    const rotated = (await rotate(account.key, account.keyId, '?grace_minutes=5')).json.data
    const child = await create(account.key, { name: 'Child' })
    expect(child.json.data.expires_at).toBe(rotated.old_key_revoked_at)
    expect((await create(account.key, { name: 'Child', expires_at: FUTURE })).code).toBe('key_not_allowed')
    expect((await rotate(account.key, account.keyId)).code).toBe('key_revoked')
  })
})

describe('POST /v1/keys/{id}/rotate (rotateKey)', () => {
  it('replaces a key with one of the same rights, and the old one works for the grace period', async () => {
    const { key } = await server.openAccount()
    const limit = { credits: 50, per: 'month' }
    const made = (
      await create(key, {
        name: 'Reader',
        allowed_operations: ['listUsage'],
        expires_at: FUTURE,
        credit_limit: limit,
      })
    ).json.data
    const answer = await rotate(key, made.id)
    expect([answer.status, answer.charged]).toEqual([200, 0])
    const { data } = answer.json
    expect(data).toMatchObject({
      name: 'Reader',
      allowed_operations: ['listUsage'],
      expires_at: FUTURE,
      credit_limit: limit,
      old_key_id: made.id,
    })
    const minutes = (Date.parse(data.old_key_revoked_at) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(58)
    expect(minutes).toBeLessThanOrEqual(60.1)
    for (const one of [made.key, data.key])
      expect((await server.get('/v1/usage', { key: one })).status).toBe(200)
    expect((await server.get('/v1/me', { key: data.key })).code).toBe('key_not_allowed')
  })

  it('revokes the old key immediately without a grace period, even if it is the key of the call', async () => {
    const { key, keyId } = await server.openAccount()
    const { data } = (await rotate(key, keyId, '?grace_minutes=0')).json
    await comesToGet(key, 'invalid_api_key')
    await comesToGet(data.key, undefined)
  })

  it('creates one key for two concurrent rotations', async () => {
    const account = await server.openAccount()
    const other = await issue(account)
    const answers = await Promise.all([account.key, other.key].map((key) => rotate(key, account.keyId)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)!.code).toBe('key_revoked')
    expect(await list(other.key)).toHaveLength(3)
  })
})

describe('DELETE /v1/keys/{id} (deleteKey)', () => {
  it('revokes a key within a second, and answers 204 again', async () => {
    const account = await server.openAccount()
    const { key, keyId } = await issue(account)
    await comesToGet(key, undefined)
    for (const _ of [1, 2]) {
      const answer = await remove(account.key, keyId)
      expect([answer.status, answer.text, answer.charged]).toEqual([204, '', 0])
    }
    await comesToGet(key, 'invalid_api_key')
    expect((await list(account.key)).find(({ id }) => id === keyId)).toMatchObject({ active: false })
  })

  it('answers 404 for a key of another account and an unknown one, and changes nothing', async () => {
    const [mine, theirs] = [await server.openAccount(), await server.openAccount()]
    for (const id of [theirs.keyId, randomUUID()]) {
      for (const answer of [await remove(mine.key, id), await rotate(mine.key, id)])
        expect([answer.status, answer.code]).toEqual([404, 'not_found'])
    }
    expect(await list(theirs.key)).toMatchObject([{ active: true, revoked_at: null }])
  })
})

describe('GET /v1/keys (listKeys)', () => {
  it('shows when each key was last used, to the minute, without a write per call', async () => {
    const account = await server.openAccount()
    const unused = await issue(account)
    const before = await list(account.key)
    expect(before.map(({ last_used_at }) => last_used_at)).toEqual([null, null])
    await server.app.keyUse.write()
    const after = await list(account.key)
    const used = after.find(({ id }) => id === account.keyId)!
    expect(Date.now() - Date.parse(used.last_used_at!)).toBeLessThan(120_000)
    expect(used.last_used_at).toMatch(/:00\.000Z$/)
    expect(after.find(({ id }) => id === unused.keyId)!.last_used_at).toBeNull()
  })

  it('lists all live keys and the 100 that ended most recently', async () => {
    const account = await server.openAccount()
    await testDatabase.database.query(
      `insert into api_keys (account_id, hash, last4, name, created_at, revoked_at)
       select $1, sha256(gen_random_uuid()::text::bytea), '0000', i::text, now() - interval '1 year',
         now() - interval '1 day' + i * interval '1 minute'
       from generate_series(1, 130) as i`,
      [account.accountId],
    )
    const names = (await list(account.key)).map(({ name }) => name)
    expect(names).toHaveLength(101)
    expect(names[0]).toBe('')
    expect(
      names
        .slice(1)
        .map(Number)
        .toSorted((a, b) => a - b),
    ).toEqual(Array.from({ length: 100 }, (_, at) => at + 31))
  })
})
