// A restore does not undo what was revoked, suspended, removed, or withheld since the backup. With the real command, a real server, and an
// embedded database.

import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../money/oauth/oauth-client.ts'
import { startServer } from '../../process/start/server-process.ts'
import { makePreparedDataDirectory } from '../../setup/prepared-cluster.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { createVisitor } from '../portal/visitor.ts'
import { jsonOf, lotlineProcess } from './run-lotline.ts'

const home = (zpid: string, rights: object = {}) => ({
  zpid,
  price: 500_000,
  homeStatus: 'FOR_SALE',
  homeType: 'CONDO',
  latitude: 47.6,
  longitude: -122.3,
  address: { streetAddress: `${zpid} Pine St`, city: 'Seattle', state: 'WA', zipcode: '98101' },
  InternetEntireListingDisplayYN: true,
  InternetAddressDisplayYN: true,
  ...rights,
})

async function fileOf(name: string, homes: readonly object[]): Promise<string> {
  const file = join(await makeTemporaryDirectory(), name)
  await writeFile(file, homes.map((one) => `${JSON.stringify(one)}\n`).join(''))
  return file
}

async function linesIn(dataDir: string): Promise<string[]> {
  const folder = join(dataDir, 'safety-journal')
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
  return files.join('').trimEnd().split('\n')
}

describe('a restore', () => {
  it('gives back no revoked key, no suspended account, no removed or withheld home, and no session', {
    timeout: 360_000,
  }, async () => {
    const DATA_DIR = await makePreparedDataDirectory()
    const adminPort = await freePort()
    const env = { DATA_DIR, SAMPLE_DATA: 'off', ADMIN_PORT: String(adminPort), LOG_LEVEL: 'warn' }
    const lotline = lotlineProcess(env)
    const backup = join(await makeTemporaryDirectory(), 'lotline.backup')
    let server = await startServer(env)
    const get = (path: string, key: string) =>
      fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
    const statusOf = async (path: string, key: string) => (await get(path, key)).status
    const create = () => jsonOf(lotline, 'accounts', 'create', '--plan', 'monthly')

    const [leaked, suspended, resumed, customer] = [
      await create(),
      await create(),
      await create(),
      await create(),
    ]
    await jsonOf(
      lotline,
      'listings',
      'import',
      await fileOf(
        'metro.ndjson',
        ['1', '2', '3', '4'].map((zpid) => home(zpid)),
      ),
    )
    const link = async () => (await jsonOf(lotline, 'console', 'link', '--name', 'Ana')).url as string
    const operator = createVisitor({ url: `http://127.0.0.1:${adminPort}` }, '/no-such-page')
    const signIn = async (url: string) =>
      (await operator.post(new URL(url).pathname, {}, { csrf: undefined })).to
    expect(await signIn(await link())).toBe('/')
    const usedAfterBackup = await link()
    for (const [name, role] of [
      ['Eve', 'owner'],
      ['Bob', 'owner'],
    ] as const)
      await jsonOf(lotline, 'operators', 'add', name, '--role', role)
    await jsonOf(lotline, 'backup', backup)

    await jsonOf(lotline, 'keys', 'revoke', leaked.key_id, '--yes')
    await jsonOf(lotline, 'operators', 'remove', 'Eve')
    await jsonOf(lotline, 'operators', 'role', 'Bob', 'support')
    await jsonOf(lotline, 'accounts', 'suspend', suspended.account_id)
    await jsonOf(lotline, 'accounts', 'suspend', resumed.account_id)
    await jsonOf(lotline, 'accounts', 'resume', resumed.account_id)
    await jsonOf(lotline, 'listings', 'remove', '1', '2')
    const changed = await fileOf('metro.ndjson', [
      home('2'),
      home('3', { InternetEntireListingDisplayYN: false }),
      home('4', { InternetAddressDisplayYN: false }),
    ])
    await jsonOf(lotline, 'listings', 'import', changed)
    const session = operator.cookie
    expect((await operator.get('/accounts')).status).toBe(200)
    expect((await operator.post('/sign-out')).status).toBe(303)
    expect(await signIn(usedAfterBackup)).toBe('/')
    const added = await jsonOf(lotline, 'keys', 'create', '--account', customer.account_id)
    await jsonOf(lotline, 'credits', 'topup', '--account', customer.account_id, '--amount', '50')
    const late = await create()

    server.kill('SIGTERM')
    await server.exited
    const restored = await jsonOf(lotline, 'restore', backup, '--yes')
    expect(restored.warnings).toEqual([])
    expect(restored.journal.applied).toEqual({
      keys_revoked: [leaked.key_id],
      accounts: [{ account_id: suspended.account_id, status: 'suspended' }],
      operators: { removed: 1, with_another_role: 1 },
      homes: { removed: 2, withheld: 1, without_address: 1 },
    })
    expect(await jsonOf(lotline, 'operators', 'list')).toMatchObject([
      { name: 'operator' },
      { name: 'Bob', role: 'support' },
    ])
    expect(restored.journal.lost).toEqual({
      accounts: [late.account_id],
      keys: expect.arrayContaining([
        { key_id: added.key_id, account_id: customer.account_id },
        { key_id: late.key_id, account_id: late.account_id },
      ]),
      orders: [],
      credits: [{ account_id: customer.account_id, kind: 'topup', credits: 50 }],
    })
    server = await startServer(env)
    expect(await statusOf('/v1/me', leaked.key)).toBe(401)
    expect(await statusOf('/v1/me', suspended.key)).toBe(403)
    expect(await statusOf('/v1/me', resumed.key)).toBe(200)
    expect(await statusOf('/v1/me', added.key)).toBe(401)
    expect(await statusOf('/v1/properties/1', customer.key)).toBe(404)
    expect(await statusOf('/v1/properties/2', customer.key)).toBe(200)
    expect(await statusOf('/v1/properties/3', customer.key)).toBe(404)
    const hidden = await get('/v1/properties/4', customer.key)
    expect([hidden.status, (await hidden.text()).includes('4 Pine St')]).toEqual([200, false])
    operator.cookie = session
    expect((await operator.get('/accounts')).status).not.toBe(200)
    operator.cookie = ''
    expect(await signIn(usedAfterBackup)).not.toBe('/')
    expect((await lotline('credits', 'audit')).code).toBe(0)
    server.kill('SIGTERM')
    await server.exited

    // The same backup again: the entries of the restored database count too.
    const again = await jsonOf(lotline, 'restore', backup, '--yes')
    expect(again.journal.applied).toMatchObject({ keys_revoked: [leaked.key_id], homes: { removed: 2 } })
    const kept = await jsonOf(lotline, 'restore', backup, '--yes', '--keep-removed-homes')
    expect(kept.journal.applied).toMatchObject({ keys_revoked: [leaked.key_id], homes: { removed: 1 } })
    const without = await lotline('restore', backup, '--yes', '--no-journal')
    expect(without.stderr).toContain('keys that were revoked since the backup work again')

    // On another machine: without the folder the command warns, with a copy it applies it.
    const elsewhere = lotlineProcess({ DATA_DIR: await makePreparedDataDirectory() })
    expect((await elsewhere('restore', backup)).stderr).toMatch(
      /No safety journal of the database of this backup/,
    )
    const copied = await jsonOf(
      elsewhere,
      'restore',
      backup,
      '--yes',
      '--journal',
      join(DATA_DIR, 'safety-journal'),
    )
    expect(copied).toMatchObject({ warnings: [], journal: { applied: { keys_revoked: [leaked.key_id] } } })
    expect((await linesIn(DATA_DIR)).join('\n')).not.toMatch(/lot_|Pine St|example\.com|Ana/)
  })

  it('of which the journal has a line that was cut off, skips the line and says so', {
    timeout: 120_000,
  }, async () => {
    const DATA_DIR = await makePreparedDataDirectory()
    const lotline = lotlineProcess({ DATA_DIR })
    const backup = join(await makeTemporaryDirectory(), 'lotline.backup')
    const { key_id } = await jsonOf(lotline, 'accounts', 'create', '--plan', 'monthly')
    await jsonOf(lotline, 'backup', backup)
    const [file] = await readdir(join(DATA_DIR, 'safety-journal'))
    await appendFile(join(DATA_DIR, 'safety-journal', file!), '{"era":"x","id":9,"kind":"key_re')
    await jsonOf(lotline, 'keys', 'revoke', key_id, '--yes')
    const { warnings, journal } = await jsonOf(lotline, 'restore', backup, '--yes')
    expect(journal.applied.keys_revoked).toEqual([key_id])
    expect(warnings).toEqual([
      'Skipped 1 damaged lines of the safety journal: what they say was not applied.',
    ])
  })
})

describe('a safety journal that cannot be written', () => {
  it('delays no revocation, is reported by commands, log, and metrics, and is written later', {
    timeout: 120_000,
  }, async () => {
    const DATA_DIR = await makePreparedDataDirectory()
    const folder = join(DATA_DIR, 'safety-journal')
    // A file in the place of the folder.
    await writeFile(folder, '')
    const env = { DATA_DIR, SAMPLE_DATA: 'off', LOG_LEVEL: 'warn' }
    const server = await startServer(env)
    const lotline = lotlineProcess(env)
    const created = await lotline('accounts', 'create', '--plan', 'monthly', '--json')
    expect([created.code, created.stderr]).toEqual([
      0,
      expect.stringMatching(
        /^lotline: The command was carried out, but .* cannot be written .*: a restore could undo it/,
      ),
    ])
    const { key, key_id } = created.json
    const revoked = await lotline('keys', 'revoke', key_id, '--yes')
    expect([revoked.code, revoked.stderr]).toEqual([0, expect.stringContaining('cannot be written')])
    const me = () => fetch(`${server.url}/v1/me`, { headers: { authorization: `Bearer ${key}` } })
    await expect.poll(async () => (await me()).status).toBe(401)
    await server.line(/cannot write the safety journal to DATA_DIR/)
    const metrics = async () => await (await fetch(`${server.url}/metrics`)).text()
    expect(await metrics()).toContain('\nlotline_safety_journal_failing 1\n')

    await rm(folder)
    await expect.poll(metrics, { timeout: 30_000 }).toContain('\nlotline_safety_journal_failing 0\n')
    expect((await linesIn(DATA_DIR)).join('\n')).toContain(`"kind":"key_revoked","account"`)
  })
})

describe('lotline restore --check', () => {
  it('accepts a complete backup without a database, and refuses a damaged one', {
    timeout: 60_000,
  }, async () => {
    const lotline = lotlineProcess({ DATA_DIR: await makePreparedDataDirectory() })
    const file = join(await makeTemporaryDirectory(), 'lotline.backup')
    const { tables, rows, schema } = await jsonOf(lotline, 'backup', file)
    const nowhere = lotlineProcess({ DATA_DIR: '/proc/nowhere' })
    expect(await jsonOf(nowhere, 'restore', '--check', file)).toMatchObject({ tables, rows, schema })
    const bytes = await readFile(file)
    await writeFile(file, bytes.subarray(0, bytes.length - 20))
    const cut = await nowhere('restore', '--check', file)
    expect([cut.code, cut.stderr]).toEqual([
      1,
      expect.stringContaining('The file is damaged: it was cut off'),
    ])
  })
})
