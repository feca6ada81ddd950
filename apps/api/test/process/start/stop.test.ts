// Stopping a service: it finishes running calls, writes pending records, and leaves no process running.

import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Database, openDatabase } from '../../../src/infrastructure/database/database.ts'
import { findPostmasterFile } from '../../../src/infrastructure/database/embedded/postmaster-file.ts'
import { issueKey, openAccount } from '../../../src/money/accounts/open-account.ts'
import { expectBooksToBalance, expectSightingsInBooks } from '../../crash/books.ts'
import { type Sighting, startClients } from '../../crash/clients.ts'
import { makePreparedDataDirectory } from '../../setup/prepared-cluster.ts'
import { startHeldProvider } from './held-provider.ts'
import { startServer } from './server-process.ts'

/** Works on the embedded database beside a server or without one, and lets go of it. */
async function withBooks<T>(dataDir: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ config: { dataDir, databaseUrl: undefined }, as: 'command' })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Keys of one account with plenty of credits. */
function openKeys(dataDir: string, count: number): Promise<string[]> {
  return withBooks(dataDir, async (database) => {
    const account = await openAccount(database, { plan: 'custom', credits: 100_000, ratePerMinute: 100_000 })
    const keys = [account.key]
    while (keys.length < count) keys.push((await issueKey(database, account.accountId)).key)
    return keys
  })
}

async function postgresOf(dataDir: string): Promise<number> {
  return (await findPostmasterFile(join(dataDir, 'postgres', 'cluster')))!.pid
}

async function untilGone(pid: number): Promise<void> {
  for (const end = performance.now() + 30_000; isAlive(pid); await sleep(20)) {
    if (performance.now() > end) throw new Error(`Process ${pid} still runs.`)
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Calls a home and reports what was seen of it. */
async function callHome(url: string, key: string, zpid: string): Promise<Sighting> {
  const answer = await fetch(`${url}/v1/properties/${zpid}`, { headers: { authorization: `Bearer ${key}` } })
  await answer.arrayBuffer()
  const charged = Number(answer.headers.get('x-credits-charged'))
  return { status: answer.status, requestId: answer.headers.get('x-request-id')!, charged }
}

describe('a stopped service', () => {
  it('finishes and charges running calls, reports that it is not ready, and exits with 0', async () => {
    const dataDir = await makePreparedDataDirectory()
    const provider = await startHeldProvider()
    const server = await startServer({ DATA_DIR: dataDir, ...provider.env })
    const [raw, ...keys] = await openKeys(dataDir, 6)
    const postgres = await postgresOf(dataDir)

    const calls = Promise.all(keys.map((key, at) => callHome(server.url, key, String(100 + at))))
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let received = ''
    socket.on('data', (bytes) => (received += bytes))
    socket.write(`GET /v1/properties/99 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${raw}\r\n\r\n`)
    await provider.untilWaiting(6)

    server.kill('SIGTERM')
    await server.line(/"stopping"/)
    // No new connection is accepted, and on a connection that is still open the service says why.
    await expect(fetch(`${server.url}/readyz`)).rejects.toThrow()
    socket.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n')
    const closed = once(socket, 'close')
    await sleep(50)
    expect(received).toBe('')
    provider.release()

    const seen = await calls
    expect(seen.map(({ status, charged }) => [status, charged])).toEqual(keys.map(() => [200, 1]))
    await closed
    const statuses = [...received.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)
    expect(statuses).toEqual(['200', '503'])
    expect(received).toContain('{"status":"stopping"}')
    expect(await server.exited).toEqual({ code: 0, signal: null })
    expect(isAlive(postgres)).toBe(false)
    await withBooks(dataDir, async (database) => {
      await expectSightingsInBooks(database, seen)
      await expectBooksToBalance(database)
    })
  })

  it('loses nothing and fails no call under load, and does not wait for idle connections', async () => {
    const dataDir = await makePreparedDataDirectory()
    const provider = await startHeldProvider()
    provider.release()
    const server = await startServer({ DATA_DIR: dataDir, ...provider.env })
    const postgres = await postgresOf(dataDir)
    const paths = ['/v1/properties/48749425', '/v1/me', '/v1/properties/abc', '/v1/usage?limit=3']
    const clients = startClients(await openKeys(dataDir, 12), paths)
    clients.url = server.url
    while (clients.seen.length < 200) await sleep(5)

    server.kill('SIGTERM')
    expect(await server.exited).toEqual({ code: 0, signal: null })
    clients.url = undefined
    await clients.stop()
    expect(isAlive(postgres)).toBe(false)
    expect(new Set(clients.seen.map(({ status }) => status))).toEqual(new Set([200, 400]))
    await withBooks(dataDir, async (database) => {
      await expectSightingsInBooks(database, clients.seen)
      await expectBooksToBalance(database)
    })
  })

  it('exits immediately at the second signal; its PostgreSQL stops too, and the next start is clean', async () => {
    const dataDir = await makePreparedDataDirectory()
    const provider = await startHeldProvider()
    const env = { DATA_DIR: dataDir, ...provider.env }
    const server = await startServer(env)
    const [key, other] = await openKeys(dataDir, 2)
    const postgres = await postgresOf(dataDir)
    const cutOff = expect(callHome(server.url, key!, '1')).rejects.toThrow()
    await provider.untilWaiting(1)

    server.kill('SIGINT')
    await server.line(/"stopping"/)
    server.kill('SIGINT')
    expect((await server.exited).code).toBe(1)
    await cutOff
    await untilGone(postgres)

    provider.release()
    const next = await startServer(env)
    const seen = await callHome(next.url, other!, '2')
    expect(seen).toMatchObject({ status: 200, charged: 1 })
    await withBooks(dataDir, async (database) => {
      const { rows } = await database.query('select status_code, credits_charged from usage_rows')
      expect(rows).toEqual([{ status_code: 200, credits_charged: 1 }])
      await expectBooksToBalance(database)
    })
    next.kill('SIGINT')
    expect((await next.exited).code).toBe(0)
  })
})
