// The key of webhook secrets is made at the first start, so that a copy of it can be made with the first backup.

import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startProcess } from '../../setup/child-process.ts'
import { makePreparedDataDirectory } from '../../setup/prepared-cluster.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startServer } from './server-process.ts'

const testDatabase = withTestDatabase()
const ENV = { SAMPLE_DATA: 'off', LOG_LEVEL: 'warn' }

it('the first start makes secrets.key for this user only, and a later start keeps it', {
  timeout: 60_000,
}, async () => {
  const DATA_DIR = await makePreparedDataDirectory()
  const file = join(DATA_DIR, 'secrets.key')
  const contents: string[] = []
  for (let start = 0; start < 2; start++) {
    const server = await startServer({ ...ENV, DATA_DIR })
    contents.push(await readFile(file, 'utf8'))
    server.kill('SIGTERM')
    await server.exited
  }
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(contents[0]).toMatch(/^[A-Za-z0-9+/]{43}=\n$/)
  expect(contents[1]).toBe(contents[0])
})

it('no file is made if SECRETS_KEY is set', { timeout: 60_000 }, async () => {
  const DATA_DIR = await makeTemporaryDirectory()
  const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')
  await startServer({ ...ENV, DATA_DIR, DATABASE_URL: testDatabase.url, SECRETS_KEY })
  expect(await readdir(DATA_DIR)).not.toContain('secrets.key')
})

it('processes that make the file at the same time all have the same key', { timeout: 60_000 }, async () => {
  const dataDir = await makeTemporaryDirectory()
  const script = join(import.meta.dirname, 'make-secrets-key.ts')
  const makers = Array.from({ length: 4 }, () => startProcess(script, [dataDir]))
  const keys = await Promise.all(makers.map(async (maker) => (await maker.line(/^key (\w{8})$/))[1]))
  expect(new Set(keys).size).toBe(1)
  expect(await readdir(dataDir)).toEqual(['secrets.key'])
})

it('a DATA_DIR that cannot hold the file is reported, and the service starts', {
  timeout: 60_000,
}, async () => {
  // Even root cannot make files in it.
  const server = await startServer({ ...ENV, DATA_DIR: '/proc/self/task', DATABASE_URL: testDatabase.url })
  await server.line(/cannot make secrets\.key in DATA_DIR/)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})
