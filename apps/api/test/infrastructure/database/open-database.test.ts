import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import {
  DatabaseUnavailable,
  openDatabase,
  StartError,
} from '../../../src/infrastructure/database/database.ts'
import { findPostmasterFile } from '../../../src/infrastructure/database/embedded/postmaster-file.ts'
import { Secret } from '../../../src/infrastructure/platform/secret.ts'
import { makePreparedDataDirectory } from '../../setup/prepared-cluster.ts'
import { createTestDatabase, withTestDatabase } from '../../setup/test-database.ts'

const own = withTestDatabase()

async function refusal(databaseUrl: string): Promise<string> {
  const opened = openDatabase({
    config: { dataDir: '/nonexistent', databaseUrl: new Secret(databaseUrl) },
    as: 'server',
  })
  const error = await opened.then(
    async (database) => {
      await database.close()
      throw new Error('It was opened.')
    },
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(StartError)
  const { message } = error as StartError
  expect(message).not.toContain('\n')
  expect(message).not.toContain('hunter2')
  return message
}

async function listenOnTcp(onConnection: (socket: Socket) => void): Promise<Server & { port: number }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    onConnection(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return Object.assign(server, { port: (server.address() as AddressInfo).port })
}

test('a DATABASE_URL without a server is refused with a one-line error', async () => {
  const closed = await listenOnTcp(() => {})
  await new Promise((resolve) => closed.close(resolve))
  expect(await refusal(`postgresql://lot:hunter2@127.0.0.1:${closed.port}/lots`)).toBe(
    `The database at 127.0.0.1:${closed.port}/lots cannot be reached: connect ECONNREFUSED 127.0.0.1:${closed.port}. Check DATABASE_URL and that it runs.`,
  )
})

test('a server that accepts connections but never answers is refused within a bounded time', async () => {
  const { port } = await listenOnTcp(() => {})
  expect(await refusal(`postgresql://lot:hunter2@127.0.0.1:${port}/lots`)).toMatch(
    /cannot be reached within 5 s: /,
  )
})

test('a server that does not speak the PostgreSQL protocol is refused with a one-line error', async () => {
  const { port } = await listenOnTcp((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  expect(await refusal(`postgresql://lot:hunter2@127.0.0.1:${port}/lots`)).toMatch(/cannot be reached: /)
})

test('an unknown database, host, or socket is refused with a one-line error', async () => {
  const { host, user } = own.target
  const socket = encodeURIComponent(host)
  expect(await refusal(`postgresql://${user}:hunter2@${socket}/absent`)).toMatch(
    /database "absent" does not exist/,
  )
  expect(await refusal(`postgresql://stranger:hunter2@${socket}/${own.name}`)).toMatch(
    /role "stranger" does not exist/,
  )
  expect(await refusal('postgresql://lot:hunter2@%2Fnonexistent/lots')).toMatch(
    /at \/nonexistent\/lots .*ENOENT/,
  )
})

test('a database with another encoding than UTF-8 is refused with a one-line error', async () => {
  const { user, host } = own.target
  await own.database.query(
    "create database latin template template0 encoding 'LATIN1' locale 'C' locale_provider libc",
  )
  try {
    expect(await refusal(`postgresql://${user}@${encodeURIComponent(host)}/latin`)).toMatch(
      /has the encoding LATIN1/,
    )
  } finally {
    await own.database.query('drop database latin')
  }
})

test('the database of DATABASE_URL is migrated and needs no DATA_DIR', async () => {
  const empty = await createTestDatabase({ schema: 'empty' })
  onTestFinished(() => empty.drop())
  const config = { dataDir: '/nonexistent', databaseUrl: new Secret(empty.url) }
  const database = await openDatabase({ config, as: 'server' })
  expect((await database.query('select * from lotline_migrations')).rowCount).toBeGreaterThan(0)
  await database.close()
  await database.close()
})

test('restarts under load cause no error other than DatabaseUnavailable, and calls soon succeed again', async () => {
  const dataDir = await makePreparedDataDirectory()
  const log: string[] = []
  const note = (line: string) => void log.push(line)
  const config = { dataDir, databaseUrl: undefined }
  const database = await openDatabase({
    config,
    as: 'server',
    log: { debug: note, info: note, warn: note },
    migrate: false,
  })
  onTestFinished(() => database.close())
  await database.query('create table done (id text primary key)')

  let running = true
  const confirmed: string[] = []
  const strange: unknown[] = []
  let refused = 0
  const clients = Array.from({ length: 20 }, async (_, client) => {
    for (let n = 0; running; n++) {
      const id = `${client}-${n}`
      try {
        if (n % 2 === 0) await database.query('insert into done values ($1)', [id], { name: 'insert' })
        else await database.transaction((tx) => tx.query('insert into done values ($1)', [id]))
        confirmed.push(id)
      } catch (error) {
        if (error instanceof DatabaseUnavailable) refused++
        else strange.push(error)
      }
    }
  })
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    await sleep(300)
    const starts = () => log.filter((line) => /^PostgreSQL [\d.]+ runs/.test(line)).length
    const before = starts()
    process.kill((await findPostmasterFile(join(dataDir, 'postgres', 'cluster')))!.pid, signal)
    for (let attempt = 0; starts() === before && attempt < 1500; attempt++) await sleep(10)
    expect(starts()).toBe(before + 1)
  }
  await sleep(300)
  running = false
  await Promise.all(clients)

  expect(strange).toEqual([])
  expect(refused).toBeGreaterThan(0)
  const { rows } = await database.query<{ id: string }>('select id from done')
  const kept = new Set(rows.map((row) => row.id))
  expect(confirmed.filter((id) => !kept.has(id))).toEqual([])
})
