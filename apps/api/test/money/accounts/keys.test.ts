// Keys from the clients' view. Two servers on one database stand for two processes, which do not communicate with each other.

import { isApiKey } from '@lotline/contract/checks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createApiKey,
  findKey,
  issueKey,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../../src/money/accounts/keys.ts'
import { hashKey, MAX_AGE_MS } from '../../../src/money/accounts/principals.ts'
import { resumeAccount, suspendAccount } from '../../../src/money/accounts/suspend.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, withTestServer } from '../../setup/test-server.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
let otherProcess: Awaited<ReturnType<typeof startTestServer>>

beforeAll(async () => {
  otherProcess = await startTestServer(testDatabase)
})
afterAll(() => otherProcess.close())

/** The error codes that both processes return within a second. */
async function bothAnswer(key: string, code: string | undefined): Promise<void> {
  for (const one of [server, otherProcess]) {
    await expect.poll(async () => (await one.get('/v1/me', { key })).code, { interval: 20 }).toBe(code)
  }
}

describe('a key', () => {
  it('is read again within a second, with its account', () => {
    expect(MAX_AGE_MS).toBeLessThan(1_000)
  })

  it('has a checksum, and is stored as its hash alone', async () => {
    const { database } = testDatabase
    const { key, keyId } = await server.openAccount()
    expect(key).toMatch(/^lot_[0-9A-Za-z]{38}$/)
    expect(isApiKey(key)).toBe(true)
    for (let at = 4; at < key.length; at++) {
      const other = key[at] === 'a' ? 'b' : 'a'
      expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false)
    }
    const { rows } = await database.query<{ row: string }>(
      'select k::text as row from api_keys k where id = $1',
      [keyId],
    )
    expect(rows[0]!.row).not.toContain(key.slice(4, 36))
    expect(rows[0]!.row).toContain(hashKey(key))
    expect(new Set(Array.from({ length: 1_000 }, createApiKey)).size).toBe(1_000)
  })

  it('shares the credits of its account with the other keys', async () => {
    const { database } = testDatabase
    const { key, accountId } = await server.openAccount({ credits: 40 })
    const { key: second } = await issueKey(database, accountId)
    const [one, other] = await Promise.all([
      server.get('/v1/me', { key }),
      otherProcess.get('/v1/me', { key: second }),
    ])
    expect(one.json.data).toEqual(other.json.data)
    await database.query('select top_up($1, 2)', [accountId])
    await expect.poll(async () => (await server.get('/v1/me', { key: second })).remaining).toBe(42)
  })

  it('that was issued to an OAuth client does not reveal the email address', async () => {
    const { database } = testDatabase
    const { key, accountId } = await server.openAccount({ email: 'ana@example.com' })
    const { key: oauthKey, keyId } = await issueKey(database, accountId, { oauthClient: 'Some Assistant' })
    expect((await server.get('/v1/me', { key })).json.data.email).toBe('ana@example.com')
    expect((await server.get('/v1/me', { key: oauthKey })).json.data).not.toHaveProperty('email')
    const rotated = await rotateKey(database, keyId)
    expect(
      (await server.get('/v1/me', { key: (rotated as { key: string }).key })).json.data,
    ).not.toHaveProperty('email')
  })

  it('that is revoked is refused in every process within a second, and the other keys still work', async () => {
    const { database } = testDatabase
    const { key, keyId, accountId } = await server.openAccount()
    const { key: other } = await issueKey(database, accountId)
    await bothAnswer(key, undefined)
    expect(await revokeKey(database, keyId)).toBe(true)
    await bothAnswer(key, 'invalid_api_key')
    await bothAnswer(other, undefined)
    const first = (await listKeys(database, accountId))[0]!.revoked_at
    expect(await revokeKey(database, keyId)).toBe(true)
    expect((await listKeys(database, accountId))[0]!.revoked_at).toEqual(first)
    expect(await revokeKey(database, crypto.randomUUID())).toBe(false)
  })

  it('that is rotated is refused within a second, and the new one works immediately', async () => {
    const { database } = testDatabase
    const { key, keyId, accountId } = await server.openAccount()
    await bothAnswer(key, undefined)
    const rotation = await rotateKey(database, keyId)
    if (!rotation.rotated) throw new Error(rotation.because)
    expect(rotation.accountId).toBe(accountId)
    expect((await server.get('/v1/me', { key: rotation.key })).status).toBe(200)
    await bothAnswer(key, 'invalid_api_key')
    expect(await rotateKey(database, keyId)).toEqual({ rotated: false, because: 'already revoked' })
    expect(await rotateKey(database, crypto.randomUUID())).toEqual({ rotated: false, because: 'no such key' })
  })

  it('that is rotated with a grace period works until its end, and can be revoked earlier', async () => {
    const { database } = testDatabase
    const { key, keyId } = await server.openAccount()
    const rotation = await rotateKey(database, keyId, 60)
    if (!rotation.rotated) throw new Error(rotation.because)
    expect(rotation.oldKeyRevokedAt.getTime()).toBeGreaterThan(Date.now() + 59 * 60_000)
    expect((await findKey(database, { text: key }))!).toMatchObject({ key_id: keyId, revoked: false })
    await bothAnswer(key, undefined)
    // An hour passes.
    await database.query(
      "update api_keys set revoked_at = revoked_at - interval '61 minutes' where id = $1",
      [keyId],
    )
    await bothAnswer(key, 'invalid_api_key')

    const again = await rotateKey(database, rotation.keyId, 60)
    if (!again.rotated) throw new Error(again.because)
    // A second rotation does not extend the first grace period.
    await rotateKey(database, rotation.keyId, 600)
    expect((await findKey(database, { id: rotation.keyId }))!.revoked_at).toEqual(again.oldKeyRevokedAt)
    await revokeKey(database, rotation.keyId)
    await bothAnswer(rotation.key, 'invalid_api_key')
  })
})

describe('an account', () => {
  it('that is suspended is refused with all its keys within a second, and admitted again when it is resumed', async () => {
    const { database } = testDatabase
    const { key, accountId } = await server.openAccount()
    const { key: second } = await issueKey(database, accountId)
    expect(await suspendAccount(database, accountId)).toBe(true)
    expect(await suspendAccount(database, accountId)).toBe(true)
    await bothAnswer(key, 'account_suspended')
    await bothAnswer(second, 'account_suspended')
    expect(await resumeAccount(database, accountId)).toBe(true)
    await bothAnswer(key, undefined)
    expect(await suspendAccount(database, crypto.randomUUID())).toBe(false)
  })
})
