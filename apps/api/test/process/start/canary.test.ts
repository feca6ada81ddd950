// At its most verbose level, the log contains no key, secret, address, or client input, however calls end.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { loadSample } from '../../../src/data/ingest/load-sample.ts'
import { connectDatabase, openDatabase } from '../../../src/infrastructure/database/database.ts'
import { findPostmasterFile } from '../../../src/infrastructure/database/embedded/postmaster-file.ts'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { makePreparedDataDirectory } from '../../setup/prepared-cluster.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { callWithCanaries, findCanaries, hangUp, UNKNOWN_KEY, untilJobsEnd } from './canaries.ts'
import { startServer } from './server-process.ts'

const testDatabase = withTestDatabase()

const DATABASE_PASSWORD = 'open-sesame-42'
const SECRET_SETTINGS = {
  PROVIDER_TOKEN: 'provider-token-77',
  SECRETS_KEY: 'c2VjcmV0LWtleS1vZi0zMi1ieXRlcy1mb3ItdGVzdHM=',
  METRICS_TOKEN: 'metrics-token-99',
}
const ENV = { LOG_LEVEL: 'trace', SAMPLE_DATA: 'off', WEBHOOK_BACKOFF_MS: '20', ...SECRET_SETTINGS }
const ACCOUNT = { plan: 'custom', credits: 1000, ratePerMinute: 10_000 } as const

function expectClean(log: readonly string[], key: string): void {
  expect(log.length).toBeGreaterThan(30)
  expect(log.filter((line) => !line.startsWith('{'))).toEqual([])
  const secrets = [DATABASE_PASSWORD, ...Object.values(SECRET_SETTINGS)]
  const found = log.filter((line) => findCanaries(line, [key, UNKNOWN_KEY], secrets).length > 0)
  expect(found).toEqual([])
}

it('over a data set: calls that succeed, are refused, fail, are aborted, or find no database leave no secret in the log', async () => {
  const { database, name, target } = testDatabase
  await loadSample(database, { homes: 20 })
  const { key } = await openAccount(database, ACCOUNT)
  const url = testDatabase.url.replace('@', `:${DATABASE_PASSWORD}@`)
  const server = await startServer({ ...ENV, DATABASE_URL: url })
  const calm = await callWithCanaries(server.url, key)
  expect([...new Set(calm)]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 413, 414, 415]))
  await hangUp(server.url, key)
  await untilJobsEnd(server.url, key)

  // Statements that fail tell PostgreSQL's whole story, with the rows that they were about.
  // One at a time: together they would hold one table's lock while they wait for the other's.
  await database.query('delete from cached_records')
  await database.query("alter table cached_records add constraint nothing check (zpid = '') not valid")
  await database.query('alter table usage_rows add constraint no_more check (id < 0) not valid')
  expect(await callWithCanaries(server.url, key)).toContain(500)
  await database.query('alter table usage_rows drop constraint no_more')
  await database.query('alter table cached_records drop constraint nothing')

  const admin = connectDatabase({ target: { ...target, database: inject('cluster').database }, poolSize: 1 })
  onTestFinished(() => admin.close())
  await admin.query(`alter database ${name} with allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  expect(await callWithCanaries(server.url, key)).toContain(503)
  await admin.query(`alter database ${name} with allow_connections true`)

  server.kill('SIGTERM')
  await server.exited
  expectClean(server.err, key)
})

it('over a failing provider that repeats its input, and a killed database, the log contains no secret', async () => {
  const provider = createServer(async (request, response) => {
    let body = ''
    for await (const bytes of request) body += bytes
    const echo = `${request.url} ${decodeURIComponent(request.url!)} ${JSON.stringify(request.headers)} ${body}`
    const status = request.url!.startsWith('/properties/by') ? 400 : 500
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { code: 'failure', message: echo } }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    provider.closeAllConnections()
    provider.close()
  })
  const dataDir = await makePreparedDataDirectory()
  const { port } = provider.address() as AddressInfo
  const env = { DATA_DIR: dataDir, PROVIDER: 'http', PROVIDER_URL: `http://127.0.0.1:${port}` }
  const server = await startServer({ ...ENV, ...env })
  const database = await openDatabase({ config: { dataDir, databaseUrl: undefined }, as: 'command' })
  const { key } = await openAccount(database, ACCOUNT)
  await database.close()
  expect(await callWithCanaries(server.url, key)).toContain(502)
  await untilJobsEnd(server.url, key)

  process.kill((await findPostmasterFile(join(dataDir, 'postgres', 'cluster')))!.pid, 'SIGKILL')
  await callWithCanaries(server.url, key)
  server.kill('SIGTERM')
  await server.exited
  expectClean(server.err, key)
})
