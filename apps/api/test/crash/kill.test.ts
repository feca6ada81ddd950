import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadSample } from '../../src/data/ingest/load-sample.ts'
import { openDatabase } from '../../src/infrastructure/database/database.ts'
import { findPostmasterFile } from '../../src/infrastructure/database/embedded/postmaster-file.ts'
import { issueKey, openAccount } from '../../src/money/accounts/open-account.ts'
import { startProcess } from '../setup/child-process.ts'
import { makePreparedDataDirectory } from '../setup/prepared-cluster.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { expectBooksToBalance, expectSightingsInBooks } from './books.ts'
import { startClients } from './clients.ts'

const MAIN = join(import.meta.dirname, '../../src/process/main.ts')
const KILLS = process.env.LOTLINE_FULL ? 20 : 3
const testDatabase = withTestDatabase()

const PATHS = [
  '/v1/properties/48749425',
  '/v1/properties/48749425/photos',
  '/v1/listings?bbox=-122.36,47.63,-122.34,47.645&max_items=7',
  '/v1/me',
  '/v1/properties/0',
  '/v1/properties/abc',
  '/v1/properties/by-address?address=2114+Bigelow+Ave+N,+Seattle,+WA+98109',
  '/v1/nowhere',
]

async function startServer(env: Readonly<Record<string, string>>) {
  const server = startProcess(MAIN, [], { env: { PORT: '0', LOG_LEVEL: 'silent', ...env } })
  const [, url] = await server.line(/serves (http:\S+)/)
  return { server, url: url! }
}

describe('a server that is killed under load', () => {
  it(`has charged each successful response exactly once, at its price, after ${KILLS} kills`, async () => {
    const { database, url: databaseUrl } = testDatabase
    await loadSample(database)
    const accounts = await Promise.all(
      [60_000, 60_000, 300, 40].map((credits) =>
        openAccount(database, { plan: 'custom', credits, ratePerMinute: 100_000 }),
      ),
    )
    const keys = accounts.map(({ key }) => key)
    for (const { accountId } of accounts) keys.push((await issueKey(database, accountId)).key)

    const clients = startClients(keys, PATHS)
    for (let kill = 0; kill < KILLS; kill++) {
      const { server, url } = await startServer({ DATABASE_URL: databaseUrl, SAMPLE_DATA: 'off' })
      clients.url = url
      const before = clients.seen.length
      // At a different time in each round, but never before there is something to lose.
      while (clients.seen.length < before + 20) await sleep(1)
      await sleep(kill * 7)
      server.kill('SIGKILL')
      clients.url = undefined
      await server.exited
    }
    await clients.stop()

    expect(clients.seen.filter(({ status }) => status === 200).length).toBeGreaterThan(KILLS)
    expect(clients.seen.filter(({ status }) => status >= 500)).toEqual([])
    await expectSightingsInBooks(database, clients.seen)
    await expectBooksToBalance(database)
  }, 180_000)
})

describe('a server whose database is killed under load', () => {
  // The torture runs measure how fast it recovers. This bound only ends the test.
  it('answers 503 and never 500 during the outage, recovers by itself, and its ledger balances', async () => {
    const dataDir = await makePreparedDataDirectory()
    const { url } = await startServer({ DATA_DIR: dataDir, SAMPLE_DATA: 'on' })
    const database = await openDatabase({ config: { dataDir, databaseUrl: undefined }, as: 'command' })
    onTestFinished(() => database.close())
    const accounts = await Promise.all(
      Array.from({ length: 6 }, () =>
        openAccount(database, { plan: 'custom', credits: 100_000, ratePerMinute: 100_000 }),
      ),
    )
    const clients = startClients(
      accounts.map(({ key }) => key),
      PATHS,
    )
    clients.url = url
    const succeeded = () => clients.seen.filter(({ status }) => status === 200).length
    for (let kill = 0; kill < 3; kill++) {
      const before = succeeded()
      await until(() => succeeded() > before + 20, 30_000)
      const postmaster = (await findPostmasterFile(join(dataDir, 'postgres', 'cluster')))!.pid
      process.kill(postmaster, 'SIGKILL')
      const whenKilled = succeeded()
      await until(() => succeeded() > whenKilled + 20, 30_000)
    }
    await clients.stop()

    const failures = new Set(clients.seen.map(({ status }) => status).filter((status) => status >= 500))
    expect([...failures].filter((status) => status !== 503)).toEqual([])
    await expectSightingsInBooks(database, clients.seen)
    await expectBooksToBalance(database)
  }, 180_000)
})

async function until(holds: () => boolean, boundMs: number): Promise<void> {
  for (const end = performance.now() + boundMs; !holds(); await sleep(5)) {
    if (performance.now() > end) throw new Error(`It did not come to that within ${boundMs} ms.`)
  }
}
