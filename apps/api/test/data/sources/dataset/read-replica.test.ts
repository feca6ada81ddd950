// Searches on a real streaming replica: two PostgreSQL servers from the embedded binaries, the second made from a copy of the first’s
// files. A test that needs the replica to be behind pauses its replay.

import { execFile } from 'node:child_process'
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../../../src/data/ingest/import-listings.ts'
import { createDatasetProvider } from '../../../../src/data/sources/dataset/dataset-provider.ts'
import {
  openReadReplica,
  type ReadReplica,
  searchOnReplica,
} from '../../../../src/data/sources/dataset/read-replica.ts'
import {
  connectDatabase,
  type Database,
  type Queryable,
} from '../../../../src/infrastructure/database/database.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../../src/infrastructure/database/embedded/embedded-postgres.ts'
import { findPostmasterFile } from '../../../../src/infrastructure/database/embedded/postmaster-file.ts'
import { Secret } from '../../../../src/infrastructure/platform/secret.ts'
import { openAccount } from '../../../../src/money/accounts/open-account.ts'
import { startServer } from '../../../process/start/server-process.ts'
import { copyPreparedCluster, TEMPLATE } from '../../../setup/prepared-cluster.ts'
import { rowsOf } from './rows.ts'

const SILENT = { debug() {}, info() {}, warn() {} }
const log = pino({ level: 'silent' })
const SETTINGS = { wal_level: 'replica', max_wal_senders: '4', hot_standby: 'on', fsync: 'off' }
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')

const run = promisify(execFile)

describe('a read replica', () => {
  let directory: string
  let primary: EmbeddedPostgres
  let replica: EmbeddedPostgres
  let database: Database
  let follower: Database
  const place = (name: string) => join(directory, name)
  const start = (name: string, settings: Record<string, string> = {}) =>
    startEmbeddedPostgres({
      dataDir: place(name),
      as: 'command',
      log: SILENT,
      settings: { ...SETTINGS, ...settings },
    })
  const targetOf = ({ connection: { host, user } }: EmbeddedPostgres) =>
    ({ host, user, database: TEMPLATE, ssl: false }) as const
  const urlOf = ({ connection: { host, user } }: EmbeddedPostgres) =>
    `postgresql://${user}@${encodeURIComponent(host)}/${TEMPLATE}`
  const startReplica = () =>
    start('replica', {
      primary_conninfo: `host=${primary.connection.host} user=postgres`,
    })

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lotline-replica-'))
    await run('mkdir', [place('primary'), place('replica')])
    await copyPreparedCluster(place('primary'), SILENT)
    // Only from now on does its WAL have everything that a replica needs.
    await (await start('primary')).stop()
    await run('cp', ['-a', place('primary/postgres'), place('replica')])
    const signal = place('replica/postgres/cluster/standby.signal')
    await writeFile(signal, '')
    const { uid, gid } = await stat(place('replica/postgres/cluster/PG_VERSION'))
    await chown(signal, uid, gid)
    primary = await start('primary')
    replica = await startReplica()
    database = connectDatabase({ target: targetOf(primary), poolSize: 4 })
    follower = connectDatabase({ target: targetOf(replica), poolSize: 2 })
    await insert(1, 20)
  })

  afterEach(async () => {
    await asSuperuser((admin) => admin.query('select pg_wal_replay_resume()')).catch(() => {})
  })

  afterAll(async () => {
    await follower?.close()
    await database?.close()
    await replica?.stop()
    await primary?.stop()
    if (directory) await rm(directory, { recursive: true, force: true })
  })

  /** Runs on the replica. */
  async function asSuperuser(work: (admin: Database) => Promise<unknown>): Promise<void> {
    const admin = connectDatabase({ target: { ...targetOf(replica), user: 'postgres' }, poolSize: 1 })
    await work(admin).finally(() => admin.close())
  }

  /** Inserts homes for sale in one place. */
  async function insert(from: number, to: number): Promise<void> {
    const lines = Array.from({ length: to - from + 1 }, (_, at) => {
      const zpid = String(900_000 + from + at)
      const [longitude, latitude] = [-122.35, 47.63]
      return { zpid, price: 500_000 + at, homeStatus: 'FOR_SALE', longitude, latitude }
    })
    await importListings(database, rowsOf(lines))
  }

  /** The total of a search of the place. */
  async function searchAt(url: string, key: string): Promise<{ total: number; status: number }> {
    const response = await fetch(`${url}/v1/listings?bbox=-122.36,47.62,-122.34,47.64&max_items=1`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const { meta } = (await response.json()) as { meta?: { total?: number } }
    return { status: response.status, total: meta?.total ?? -1 }
  }

  async function outcomes(url: string): Promise<Record<string, number>> {
    const text = await (await fetch(`${url}/metrics`)).text()
    const lines = text.matchAll(/^lotline_replica_searches_total\{outcome="(\w+)"\} (\d+)/gm)
    return Object.fromEntries([...lines].map(([, outcome, count]) => [outcome, Number(count)]))
  }

  async function untilFollowed(): Promise<void> {
    const { rows } = await database.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
    await expect
      .poll(
        async () =>
          (
            await follower.query<{ done: boolean }>('select pg_last_wal_replay_lsn() >= $1::pg_lsn as done', [
              rows[0]!.lsn,
            ])
          ).rows[0]!.done,
        { timeout: 20_000, interval: 20 },
      )
      .toBe(true)
  }

  it('answers searches while it is as new as the primary, never from an older state, and is skipped while it is away', async () => {
    await untilFollowed()
    const { key } = await openAccount(database, { plan: 'custom', credits: 1_000, ratePerMinute: 10_000 })
    const server = await startServer({
      DATABASE_URL: urlOf(primary),
      DATABASE_READ_URL: urlOf(replica),
      SECRETS_KEY,
      SAMPLE_DATA: 'off',
    })
    expect(await searchAt(server.url, key)).toEqual({ status: 200, total: 20 })
    expect(await outcomes(server.url)).toEqual({ answered: 1 })

    // A search sees an import immediately that the replica has received and not replayed.
    await asSuperuser((admin) => admin.query('select pg_wal_replay_pause()'))
    await insert(21, 27)
    expect(await searchAt(server.url, key)).toEqual({ status: 200, total: 27 })
    expect(await outcomes(server.url)).toEqual({ answered: 1, behind: 1 })
    await asSuperuser((admin) => admin.query('select pg_wal_replay_resume()'))
    await untilFollowed()
    expect(await searchAt(server.url, key)).toEqual({ status: 200, total: 27 })
    expect(await outcomes(server.url)).toEqual({ answered: 2, behind: 1 })

    // Imports and searches alternate, with a replica that is sometimes behind: each search sees the imports before it.
    for (let round = 1; round <= 15; round++) {
      await insert(27 + round, 27 + round)
      expect(await searchAt(server.url, key)).toEqual({ status: 200, total: 27 + round })
    }

    await follower.close()
    await replica.stop()
    expect(await searchAt(server.url, key)).toEqual({ status: 200, total: 42 })
    expect(await searchAt(server.url, key)).toEqual({ status: 200, total: 42 })
    const { failed, away } = await outcomes(server.url)
    expect([failed, away]).toEqual([1, 1])
    expect(server.err.filter((line) => line.includes('the read replica is away'))).toHaveLength(1)

    replica = await startReplica()
    follower = connectDatabase({ target: targetOf(replica), poolSize: 2 })
    await untilFollowed()
    const { answered = 0 } = await outcomes(server.url)
    await expect
      .poll(
        async () => {
          expect(await searchAt(server.url, key)).toEqual({ status: 200, total: 42 })
          return (await outcomes(server.url)).answered ?? 0
        },
        { timeout: 20_000, interval: 200 },
      )
      .toBeGreaterThan(answered)
    expect(server.err.filter((line) => line.includes('the read replica answers again'))).toHaveLength(1)

    // A frozen replica delays one search by a second.
    const file = await findPostmasterFile(place('replica/postgres/cluster'))
    const family = await processesOf(file!.pid)
    for (const pid of family) process.kill(pid, 'SIGSTOP')
    try {
      expect(await searchAt(server.url, key)).toEqual({ status: 200, total: 42 })
      expect(await searchAt(server.url, key)).toEqual({ status: 200, total: 42 })
    } finally {
      for (const pid of family) process.kill(pid, 'SIGCONT')
    }
    expect((await outcomes(server.url)).failed).toBe(2)
    server.kill('SIGTERM')
    expect((await server.exited).code).toBe(0)
  })

  it('runs no search that the primary has run meanwhile', async () => {
    await untilFollowed()
    const statements: string[] = []
    const transaction: Database['transaction'] = (work, options) =>
      follower.transaction((tx) => {
        const query: Queryable['query'] = (text, ...rest) => {
          statements.push(text)
          return tx.query(text, ...rest)
        }
        return work({ ...tx, query })
      }, options)
    const counted: Database = Object.create(follower, { transaction: { value: transaction } })
    const outcomes: string[] = []
    const provider = searchOnReplica(createDatasetProvider(database), {
      primary: database,
      log,
      observer: { searchedOnReplica: (outcome) => outcomes.push(outcome) },
      replica: { database: counted, isAway: false, close: async () => {} },
    })
    const bbox = { west: -122.36, south: 47.62, east: -122.34, north: 47.64 }
    const wanted = [{ status: 'for_sale', bbox }, { limit: 0 }] as const
    const search = async (signal = new AbortController().signal) =>
      (await provider.search(...wanted, { signal })).total
    const { total } = await createDatasetProvider(database).search(...wanted, {
      signal: new AbortController().signal,
    })
    // All connections to the replica are in use.
    const held = Promise.withResolvers<void>()
    const busy = [1, 2].map(() => follower.transaction(() => held.promise))
    const left = new AbortController()
    const ofLeft = search(left.signal).catch((error) => error)
    const ofOther = search()
    left.abort(new Error('left'))
    expect(await ofOther).toBe(total)
    held.resolve()
    await Promise.all(busy)
    expect(await ofLeft).toEqual(new Error('left'))
    // Queued behind those that waited.
    await Promise.all([follower.query('select 1'), follower.query('select 1')])
    expect(statements).toEqual([])
    expect(outcomes).toEqual(['failed'])
  })

  it('must be a replica of the same database, and is tried again if it cannot be reached at the start', async () => {
    const open = (url: string) => openReadReplica(new Secret(url), database, log)
    await expect(open(urlOf(primary))).rejects.toThrow(/DATABASE_READ_URL .* is not a replica/)
    await expect(open(urlOf(replica).replace(/[^/]+$/, 'postgres'))).rejects.toThrow(
      /DATABASE_READ_URL cannot be used: it is another database than DATABASE_URL/,
    )
    const url = urlOf(replica)
    await follower.close()
    await replica.stop()
    const opened = (await open(url)) as ReadReplica
    expect(opened.isAway).toBe(true)
    replica = await startReplica()
    follower = connectDatabase({ target: targetOf(replica), poolSize: 2 })
    await expect.poll(() => opened.isAway, { timeout: 20_000 }).toBe(false)
    await opened.close()
  })
})

/** A process and its children. */
async function processesOf(pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => ({ stdout: '' }))
  return [pid, ...stdout.split('\n').filter(Boolean).map(Number)]
}
