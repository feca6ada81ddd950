// Reading and changing a key with another key of its account. No key gains more rights than the key of the call has.

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findKeyAllowance, setKeyLimit } from '../../../src/money/accounts/key-limits.ts'
import { issueKey, type NewKey } from '../../../src/money/accounts/keys.ts'
import type { OpenedAccount } from '../../../src/money/accounts/open-account.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { type TestResponse, withTestServer } from '../../setup/test-server.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const FUTURE = '2090-01-01T00:00:00.000Z'
const LATER = '2091-01-01T00:00:00.000Z'
const PER_DAY = { credits: 5, per: 'day' } as const

const read = (key: string, id: string): Promise<TestResponse> => server.get(`/v1/keys/${id}`, { key })
const change = (key: string, id: string, body: object): Promise<TestResponse> =>
  server.send('PATCH', `/v1/keys/${id}`, { key, body })

/** Another key of the account, issued without the API. */
async function issue({ accountId }: OpenedAccount, { limit, ...key }: NewKey & { limit?: true } = {}) {
  const issued = await issueKey(testDatabase.database, accountId, key)
  if (limit) await setKeyLimit(testDatabase.database, issued.keyId, PER_DAY)
  return issued
}

describe('GET /v1/keys/{id} (getKey)', () => {
  it('returns the key as the list does, without its secret text', async () => {
    const account = await server.openAccount()
    const made = await server.post(
      '/v1/keys',
      { name: 'Reader', credit_limit: PER_DAY },
      { key: account.key },
    )
    const { key, ...shown } = made.json.data
    const answer = await read(account.key, shown.id)
    expect([answer.status, answer.charged, answer.json.data]).toEqual([200, 0, shown])
    expect(answer.text).not.toContain(key)
    await server.send('DELETE', `/v1/keys/${shown.id}`, { key: account.key })
    expect((await read(account.key, shown.id)).json.data.active).toBe(false)
  })

  it('does not find a key of another account', async () => {
    const [mine, theirs] = [await server.openAccount(), await server.openAccount()]
    for (const id of [theirs.keyId, randomUUID()]) {
      for (const answer of [await read(mine.key, id), await change(mine.key, id, { name: 'Mine' })])
        expect([answer.status, answer.code]).toEqual([404, 'not_found'])
    }
    expect((await read(theirs.key, theirs.keyId)).json.data.name).toBe('')
  })
})

describe('PATCH /v1/keys/{id} (updateKey)', () => {
  it('changes the fields that are sent, and leaves the others', async () => {
    const account = await server.openAccount()
    const { keyId } = await issue(account, { name: 'Old', limit: true })
    const before = (await read(account.key, keyId)).json.data
    const renamed = await change(account.key, keyId, { name: 'New' })
    expect([renamed.status, renamed.charged]).toEqual([200, 0])
    expect(renamed.json.data).toEqual({ ...before, name: 'New' })
    const rights = { allowed_operations: ['listUsage'], expires_at: FUTURE, credit_limit: PER_DAY }
    const limited = await change(account.key, keyId, rights)
    expect(limited.json.data).toEqual({ ...before, name: 'New', ...rights })
    expect((await read(account.key, keyId)).json.data).toEqual(limited.json.data)
  })

  it('removes a field that is sent as null', async () => {
    const account = await server.openAccount()
    const own = { allowedOperations: ['listUsage'], expiresAt: new Date(FUTURE), limit: true } as const
    const { key, keyId } = await issue(account, own)
    const nothing = { allowed_operations: null, expires_at: null, credit_limit: null }
    expect((await change(account.key, keyId, nothing)).json.data).toMatchObject(nothing)
    await expect.poll(async () => (await server.get('/v1/me', { key })).status, { interval: 20 }).toBe(200)
  })

  it('applies to calls with the key within a second', async () => {
    const account = await server.openAccount()
    const { key, keyId } = await issue(account)
    expect((await server.get('/v1/me', { key })).status).toBe(200)
    await change(account.key, keyId, { allowed_operations: ['listUsage'] })
    await expect
      .poll(async () => (await server.get('/v1/me', { key })).code, { interval: 20 })
      .toBe('key_not_allowed')
  })

  it('keeps the used credits of a limit if the period stays the same', async () => {
    const account = await server.openAccount()
    const { keyId } = await issue(account, { limit: true })
    await testDatabase.database.query(
      'update key_limits set used = 3 where id = (select limit_id from api_keys where id = $1)',
      [keyId],
    )
    const allowance = () => findKeyAllowance(testDatabase.database, keyId)
    await change(account.key, keyId, { credit_limit: { credits: 10, per: 'day' } })
    expect(await allowance()).toMatchObject({ credits: 10, used: 3 })
    await change(account.key, keyId, { credit_limit: { credits: 10, per: 'week' } })
    expect(await allowance()).toMatchObject({ per: 'week', used: 0 })
  })

  it('refuses an ended key, an unknown operation, and a time in the past', async () => {
    const account = await server.openAccount()
    const { keyId } = await issue(account)
    const unknown = await change(account.key, keyId, { allowed_operations: ['getProperty', 'buyHome'] })
    expect(unknown.json.error.details).toEqual({ parameter: 'allowed_operations.1' })
    const past = await change(account.key, keyId, { expires_at: '2020-01-01T00:00:00Z' })
    expect(past.json.error.details).toEqual({ parameter: 'expires_at' })
    await server.send('DELETE', `/v1/keys/${keyId}`, { key: account.key })
    expect((await change(account.key, keyId, { name: 'Alive' })).code).toBe('key_revoked')
  })
})

describe('a key with fewer rights than others', () => {
  const RIGHTS = ['updateKey', 'getKey'] as const

  it.each<[string, NewKey & { limit?: true }, object, string]>([
    [
      'more operations',
      { allowedOperations: RIGHTS },
      { allowed_operations: ['updateKey', 'getJob'] },
      'allowed_operations',
    ],
    ['a later end', { expiresAt: new Date(FUTURE) }, { expires_at: LATER }, 'expires_at'],
    ['a greater limit', { limit: true }, { credit_limit: { credits: 6, per: 'day' } }, 'credit_limit'],
    [
      'a limit of another period',
      { limit: true },
      { credit_limit: { credits: 1, per: 'week' } },
      'credit_limit',
    ],
    ['all operations', { allowedOperations: RIGHTS }, { allowed_operations: null }, 'allowed_operations'],
    ['no end', { expiresAt: new Date(FUTURE) }, { expires_at: null }, 'expires_at'],
    ['no limit', { limit: true }, { credit_limit: null }, 'credit_limit'],
  ])('cannot give itself, or a key with equal rights, %s', async (_what, own, body, exceeds) => {
    const account = await server.openAccount()
    const { key, keyId } = await issue(account, own)
    const before = (await read(account.key, keyId)).json.data
    const ids = [keyId]
    if (!own.limit) ids.push((await issue(account, own)).keyId)
    for (const id of ids) {
      const answer = await change(key, id, { name: 'More', ...body })
      expect([answer.status, answer.code, answer.json.error.details]).toEqual([
        403,
        'key_not_allowed',
        { exceeds },
      ])
    }
    expect((await read(account.key, keyId)).json.data).toMatchObject({
      name: before.name,
      allowed_operations: before.allowed_operations,
      expires_at: before.expires_at,
      credit_limit: before.credit_limit,
    })
  })

  it.each<[string, NewKey & { limit?: true }, string]>([
    ['more operations', { allowedOperations: RIGHTS }, 'allowed_operations'],
    ['a later end', { expiresAt: new Date(FUTURE) }, 'expires_at'],
    ['no credit limit', { limit: true }, 'credit_limit'],
    ['no OAuth client', { oauthClient: 'Some Assistant' }, 'oauth_client'],
  ])('cannot change a key with %s', async (_what, own, exceeds) => {
    const account = await server.openAccount()
    const { key } = await issue(account, own)
    const answer = await change(key, account.keyId, { allowed_operations: ['getKey'] })
    expect([answer.status, answer.code, answer.json.error.details]).toEqual([
      403,
      'key_not_allowed',
      { exceeds },
    ])
    expect((await read(account.key, account.keyId)).json.data.allowed_operations).toBeNull()
  })

  it('can restrict itself', async () => {
    const account = await server.openAccount()
    const { key, keyId } = await issue(account, {
      allowedOperations: RIGHTS,
      expiresAt: new Date(LATER),
      limit: true,
    })
    const less = {
      allowed_operations: ['updateKey'],
      expires_at: FUTURE,
      credit_limit: { credits: 4, per: 'day' },
    }
    expect((await change(key, keyId, less)).json.data).toMatchObject(less)
  })

  it('of an OAuth client never gets more rights than its user approved', async () => {
    const account = await server.openAccount()
    const { keyId } = await issue(account, { oauthClient: 'Agent', allowedOperations: ['getProperty'] })
    const answer = await change(account.key, keyId, { allowed_operations: ['getProperty', 'getJob'] })
    expect([answer.code, answer.json.error.details]).toEqual([
      'key_not_allowed',
      { exceeds: 'allowed_operations' },
    ])
    expect((await change(account.key, keyId, { credit_limit: PER_DAY })).status).toBe(200)
  })
})
