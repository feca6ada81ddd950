import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { Secret } from '../../../src/infrastructure/platform/secret.ts'
import { createSecretBox, type SecretBox, UnknownKey } from '../../../src/work/webhooks/secret-box.ts'
import { openSecrets, prepareSecrets, rotateSecret } from '../../../src/work/webhooks/secrets.ts'
import { revokeWebhook } from '../../../src/work/webhooks/webhook-store.ts'
import { attemptsOf, startDeliveries, statesOf } from '../../setup/deliveries.ts'
import { startReceiver } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { endJobs, makeAccount, makeWebhook } from '../../setup/webhook-jobs.ts'

const testDatabase = withTestDatabase()
const [old, young] = [randomBytes(32), randomBytes(32)]

afterEach(async () => {
  await testDatabase.database.query(
    'delete from webhook_deliveries; delete from webhook_secrets; delete from secret_keys',
  )
})

function boxOf(...keys: readonly Buffer[]): SecretBox {
  return createSecretBox({
    dataDir: '/nowhere',
    secretsKeys: keys.map((key) => new Secret(key.toString('base64'))),
  })
}

async function sealedOf(webhookId: string): Promise<Buffer[]> {
  const { rows } = await testDatabase.database.query<{ sealed: Buffer }>(
    'select sealed from webhook_secrets where webhook_id = $1 order by id desc',
    [webhookId],
  )
  return rows.map(({ sealed }) => sealed)
}

describe('a key in SECRETS_KEY', () => {
  it('can be rotated: the next start re-encrypts all secrets with the first key, and the old key can be removed', async () => {
    const { database } = testDatabase
    const accountId = await makeAccount(database)
    const { id, secret } = await makeWebhook(database, boxOf(old), accountId, 'https://hooks.example.com/')
    await prepareSecrets(database, boxOf(young, old))
    await prepareSecrets(database, boxOf(young))
    const [opened] = openSecrets(boxOf(young), id, await sealedOf(id))
    expect(`whsec_${opened!.toString('base64')}`).toBe(secret)
  })

  it('that is missing prevents a server from starting, with an error that says what to do', async () => {
    const { database } = testDatabase
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, boxOf(old), accountId, 'https://hooks.example.com/')
    await expect(prepareSecrets(database, boxOf(young))).rejects.toThrow(
      new RegExp(`key ${boxOf(old).keyIds()[0]}, which is not here\\. Add it to SECRETS_KEY`),
    )
    await revokeWebhook(database, accountId, id)
    await prepareSecrets(database, boxOf(young))
  })

  it('that another server lacks is not used for encryption', async () => {
    const { database } = testDatabase
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, boxOf(old), accountId, 'https://hooks.example.com/')
    await expect(
      makeWebhook(database, boxOf(young), accountId, 'https://hooks.example.com/'),
    ).rejects.toThrow(UnknownKey)
    await expect(rotateSecret(database, boxOf(young), id)).rejects.toThrow(UnknownKey)
    expect(await sealedOf(id)).toHaveLength(1)
  })

  it('that is lost can be replaced by rotating the secrets', async () => {
    const { database } = testDatabase
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, boxOf(old), accountId, 'https://hooks.example.com/')
    expect(await rotateSecret(database, boxOf(young), id, { keyLost: true })).toMatchObject({
      oldUntil: null,
    })
    await prepareSecrets(database, boxOf(young))
    expect(openSecrets(boxOf(young), id, await sealedOf(id))).toHaveLength(1)
  })
})

describe('a server without one of the keys', () => {
  it('claims only deliveries that it can sign, and leaves the others to another server', async () => {
    const { database } = testDatabase
    const [receiver, reachable] = [await startReceiver(), await startReceiver()]
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, boxOf(old), accountId, receiver.url)
    const other = await makeWebhook(database, boxOf(old), accountId, reachable.url)
    await rotateSecret(database, boxOf(young), other.id, { keyLost: true })
    const without = startDeliveries(database, { env: { SECRETS_KEY: young.toString('base64') } })
    // A claim goes to the webhooks of an account in any order: after a few, it has met both.
    for (let jobs = 1; jobs <= 8; jobs++) {
      await endJobs(database, accountId)
      await reachable.until(jobs)
    }
    await without.stop()
    expect(receiver.connections).toBe(0)
    expect(await statesOf(database, id)).toEqual({ due: 8 })
    expect(await attemptsOf(database, id)).toEqual([])
    startDeliveries(database, { env: { SECRETS_KEY: old.toString('base64') } })
    await receiver.until(8)
    expect(receiver.events[0]!.headers['webhook-attempt']).toBe('1')
  })
})

describe('rotating a secret', () => {
  it('is refused for webhooks that are revoked or unknown', async () => {
    const { database } = testDatabase
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, boxOf(old), accountId, 'https://hooks.example.com/')
    await revokeWebhook(database, accountId, id)
    expect(await rotateSecret(database, boxOf(old), id)).toEqual({ rotated: false, because: 'revoked' })
    expect(await rotateSecret(database, boxOf(old), accountId)).toEqual({
      rotated: false,
      because: 'no such webhook',
    })
  })

  it('twice within a day leaves all three secrets signing, latest first', async () => {
    const { database } = testDatabase
    const accountId = await makeAccount(database)
    const { id, secret } = await makeWebhook(database, boxOf(old), accountId, 'https://hooks.example.com/')
    const secrets = [secret]
    for (let times = 0; times < 2; times++) {
      const rotation = await rotateSecret(database, boxOf(old), id)
      if (rotation.rotated) secrets.unshift(rotation.secret)
    }
    const opened = openSecrets(boxOf(old), id, await sealedOf(id))
    expect(opened.map((bytes) => `whsec_${bytes.toString('base64')}`)).toEqual(secrets)
  })
})
