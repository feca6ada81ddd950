// The command over an embedded database: beside the server that runs it, and without one.

import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startProcess } from '../../setup/child-process.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { jsonOf, lotlineProcess } from './run-lotline.ts'

const testDatabase = withTestDatabase()
const SERVER = join(import.meta.dirname, '../../../src/process/main.ts')

it('the command works without a server, beside one that sees changes within a second, and after it', {
  timeout: 180_000,
}, async () => {
  const directory = await makeTemporaryDirectory()
  const env = { DATA_DIR: join(directory, 'data'), LOG_LEVEL: 'warn' }
  const lotline = lotlineProcess(env)
  const early = await jsonOf(lotline, 'accounts', 'create', '--plan', 'monthly')

  const server = startProcess(SERVER, [], { env: { ...env, PORT: '0', SAMPLE_DATA: 'off' } })
  const url = (await server.line(/^Lotline serves (http:\S+)/))[1]!
  const me = (key: string) => fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${key}` } })
  const status = (key: string) => expect.poll(async () => (await me(key)).status, { interval: 50 })
  await status(early.key).toBe(200)

  const opened = await jsonOf(lotline, 'accounts', 'create', '--plan', 'monthly')
  await status(opened.key).toBe(200)
  await jsonOf(lotline, 'credits', 'topup', '--account', opened.account_id, '--amount', '5')
  await expect.poll(async () => (await me(opened.key)).headers.get('x-credits-remaining')).toBe('1005')
  const { tables } = await jsonOf(lotline, 'backup', join(directory, 'beside.backup'))
  expect(tables).toContainEqual(expect.objectContaining({ table: 'accounts', rows: 2 }))
  expect(await jsonOf(lotline, 'credits', 'audit')).toMatchObject({ clean: true, checked: { accounts: 2 } })
  await jsonOf(lotline, 'keys', 'revoke', opened.key_id, '--yes')
  await status(opened.key).toBe(401)
  // A restore under the running server: without the safety journal, the revoked key works again; with it, it does not.
  await jsonOf(lotline, 'restore', join(directory, 'beside.backup'), '--yes', '--no-journal')
  await status(opened.key).toBe(200)
  await jsonOf(lotline, 'restore', join(directory, 'beside.backup'), '--yes')
  await status(opened.key).toBe(401)

  server.kill('SIGTERM')
  expect((await server.exited).code).toBe(0)
  expect(await jsonOf(lotline, 'accounts', 'list')).toHaveLength(2)
  expect((await lotline('credits', 'audit')).code).toBe(0)
})

it('the command reports on stderr which database it uses, and whether it just created it', async () => {
  const dataDir = join(await makeTemporaryDirectory(), 'data')
  const lotline = lotlineProcess({ DATA_DIR: dataDir })
  const first = await lotline('accounts', 'list', '--json')
  expect([first.json, first.named]).toEqual([
    [],
    `lotline: created the embedded database in ${dataDir}. It was empty: if you expected data, check DATA_DIR and DATABASE_URL.\n`,
  ])
  const second = await lotline('accounts', 'list')
  expect([second.stderr, second.named]).toEqual(['', `lotline: using the embedded database in ${dataDir}\n`])
})

it('the command names the host and database of a database server, but neither user nor password', async () => {
  const { named, json } = await lotlineProcess({ DATABASE_URL: testDatabase.url })(
    'accounts',
    'list',
    '--json',
  )
  expect(json).toEqual([])
  expect(named).toMatch(/^lotline: using the database at \S+\n$/)
  expect(named).toContain(`/${testDatabase.name}\n`)
  expect(named).not.toMatch(/@|password/)
})
