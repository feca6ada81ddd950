// Data of schema 1, written under load and left by a kill, is brought to a later schema: the data directory, the backup, and a database
// that both versions use at a time. The later version is the present one with two more migrations, because the present schema may be
// schema 1 itself.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Database, openDatabase } from '../../src/infrastructure/database/database.ts'
import type { TestProcess } from '../setup/child-process.ts'
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts'
import { createTestDatabase } from '../setup/test-database.ts'
import { expectBooksToBalance, expectSightingsInBooks } from './books.ts'
import { startClients } from './clients.ts'
import { laterRelease, type Release, releaseOfSchema1 } from './release.ts'

const SECRETS_KEY = 'c2VjcmV0LWtleS1vZi0zMi1ieXRlcy1mb3ItdGVzdHM='
const ENV = { LOG_LEVEL: 'silent', SECRETS_KEY }
const LATER = {
  '9001_later.sql': `
    create table later (n integer primary key);
    alter table jobs add column later text not null default 'before';
    insert into later values (1);`,
  '9002_latest.sql': `
    alter table accounts add column later text not null default 'before';
    insert into later values (2);`,
}
const PATHS = [
  '/v1/properties/48749425',
  '/v1/listings?bbox=-122.36,47.63,-122.34,47.645&max_items=7',
  '/v1/me',
  '/v1/properties/0',
]
const JOB = { urls: ['https://www.zillow.com/homedetails/48749425_zpid/'] }
const WATCH = { name: 'One home', zpids: ['48749425'] }

async function urlOf(server: TestProcess): Promise<string> {
  return (await server.line(/serves (http:\S+)/))[1]!
}

async function outputOf(command: TestProcess): Promise<string> {
  const { code } = await command.exited
  expect([code, code === 0 ? '' : command.err.join('\n')]).toEqual([0, ''])
  return command.out.join('\n')
}

async function openKey(release: Release, env: Readonly<Record<string, string>>): Promise<string> {
  const args = ['accounts', 'create', '--plan', 'custom', '--credits', '50000', '--rate', '100000', '--json']
  return JSON.parse(await outputOf(release.lotline(args, env))).key
}

async function post(url: string, path: string, key: string, body: unknown) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBeLessThan(300)
  return (await response.json()).data as { job_id: string }
}

async function jobEnds(url: string, key: string, id: string): Promise<void> {
  const status = async () => {
    const response = await fetch(`${url}/v1/jobs/${id}`, { headers: { authorization: `Bearer ${key}` } })
    return (await response.json()).data.status
  }
  await expect.poll(status, { timeout: 20_000 }).toBe('succeeded')
}

/** Holds a lock that a change of the table waits for, until `release`. */
async function holdAccounts(database: Database): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const held = database.transaction(
    async (tx) => {
      await tx.query('lock table accounts in access share mode')
      locked.resolve()
      await gate.promise
    },
    { statementTimeoutMs: 0 },
  )
  await locked.promise
  return async () => {
    gate.resolve()
    await held
  }
}

/** Ends the process with `kill -9` while it waits for the lock, and waits until the database has noticed. */
async function killWhileItWaits(database: Database, child: TestProcess): Promise<void> {
  const release = await holdAccounts(database)
  const waiting = async () => {
    const { rows } = await database.query<{ waiting: number }>(
      "select count(*)::integer as waiting from pg_locks where not granted and relation = 'accounts'::regclass",
    )
    return rows[0]!.waiting
  }
  await expect
    .poll(async () => [await waiting(), child.lines.join('\n')], { timeout: 20_000 })
    .toEqual([1, expect.anything()])
  child.kill('SIGKILL')
  await child.exited
  await release()
  await expect.poll(waiting).toBe(0)
}

const namesOf = async (database: Database) =>
  (await database.query<{ name: string }>('select name from lotline_migrations order by number')).rows.map(
    ({ name }) => name,
  )

describe('data of schema 1', () => {
  let old: Release
  let later: Release

  beforeAll(async () => {
    const trees = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'lotline-release-'))))
    ;[old, later] = await Promise.all([releaseOfSchema1(trees[0]!), laterRelease(trees[1]!, LATER)])
    return async () => {
      for (const tree of trees) await rm(tree, { recursive: true })
    }
  })

  it('is brought to a later schema from its data directory and from its backup, although each is killed once', async () => {
    const dataDir = join(await makeTemporaryDirectory(), 'data')
    const backup = join(await makeTemporaryDirectory(), 'schema-1.backup')
    const env = { ...ENV, DATA_DIR: dataDir }
    const server = old.start({ ...env, SAMPLE_DATA: 'on' })
    const url = await urlOf(server)
    const keys = await Promise.all([openKey(old, env), openKey(old, env)])
    const clients = startClients(keys, PATHS)
    clients.url = url
    await jobEnds(url, keys[0]!, (await post(url, '/v1/properties/batch', keys[0]!, JOB)).job_id)
    await post(url, '/v1/watches', keys[0]!, WATCH)
    await expect.poll(() => clients.seen.length, { timeout: 20_000 }).toBeGreaterThan(30)
    await outputOf(old.lotline(['backup', backup], env))
    const atBackup = clients.seen.length
    const open = await post(url, '/v1/properties/batch', keys[1]!, JOB)
    await expect.poll(() => clients.seen.length).toBeGreaterThan(atBackup + 10)
    server.kill('SIGKILL')
    await server.exited
    clients.url = undefined
    await clients.stop()

    // The data directory.
    const database = await openDatabase({
      config: { dataDir, databaseUrl: undefined },
      as: 'command',
      migrate: false,
    })
    onTestFinished(() => database.close())
    await killWhileItWaits(database, later.start({ ...env, SAMPLE_DATA: 'off' }))
    expect((await namesOf(database)).at(-1)).toBe('9001_later.sql')
    const upgraded = later.start({ ...env, SAMPLE_DATA: 'off' })
    const upgradedUrl = await urlOf(upgraded)
    await jobEnds(upgradedUrl, keys[1]!, open.job_id)
    expect((await namesOf(database)).slice(-2)).toEqual(Object.keys(LATER))
    expect((await database.query('select n from later order by n')).rows).toEqual([{ n: 1 }, { n: 2 }])
    await expectSightingsInBooks(database, clients.seen)
    await expectBooksToBalance(database)
    await outputOf(later.lotline(['credits', 'audit'], env))
    upgraded.kill('SIGTERM')
    await upgraded.exited

    // The backup.
    const made = await createTestDatabase({ schema: 'empty' })
    onTestFinished(() => made.drop())
    const target = { ...ENV, DATABASE_URL: made.url }
    await outputOf(later.lotline(['accounts', 'list'], target))
    await killWhileItWaits(made.database, later.lotline(['restore', backup, '--yes'], target))
    const left = () =>
      made.database.query(
        "select from accounts union all select from pg_namespace where nspname = 'lotline_restore'",
      )
    expect((await left()).rows).toEqual([])
    await outputOf(later.lotline(['restore', backup, '--yes'], target))
    expect((await namesOf(made.database)).slice(-2)).toEqual(Object.keys(LATER))
    await expectBooksToBalance(made.database)
    await outputOf(later.lotline(['credits', 'audit'], target))
    expect((await made.database.query('select distinct later from accounts')).rows).toEqual([
      { later: 'before' },
    ])
    expect((await made.database.query('select from watches')).rowCount).toBe(1)
  }, 120_000)

  it('is used by a server of schema 1 and a worker of a later one at a time, and then by the later one alone', async () => {
    const made = await createTestDatabase({ schema: 'empty' })
    onTestFinished(() => made.drop())
    const env = { ...ENV, DATABASE_URL: made.url }
    const oldApi = old.start({ ...env, ROLE: 'api', SAMPLE_DATA: 'on' })
    const url = await urlOf(oldApi)
    const keys = await Promise.all([openKey(old, env), openKey(old, env)])
    const clients = startClients(keys, PATHS)
    clients.url = url
    const job = await post(url, '/v1/properties/batch', keys[0]!, JOB)
    await expect.poll(() => clients.seen.length, { timeout: 20_000 }).toBeGreaterThan(20)
    const worker = later.start({ ...env, ROLE: 'worker', SAMPLE_DATA: 'off' })
    // The older server accepted it before the migration.
    await jobEnds(url, keys[0]!, job.job_id)
    expect((await namesOf(made.database)).slice(-2)).toEqual(Object.keys(LATER))
    await jobEnds(url, keys[1]!, (await post(url, '/v1/properties/batch', keys[1]!, JOB)).job_id)
    await post(url, '/v1/watches', keys[1]!, WATCH)
    const since = clients.seen.length
    await expect.poll(() => clients.seen.length).toBeGreaterThan(since + 20)

    clients.url = undefined
    await sleep(50)
    oldApi.kill('SIGTERM')
    const newApi = later.start({ ...env, ROLE: 'api', SAMPLE_DATA: 'off' })
    clients.url = await urlOf(newApi)
    await jobEnds(
      clients.url,
      keys[0]!,
      (await post(clients.url, '/v1/properties/batch', keys[0]!, JOB)).job_id,
    )
    await clients.stop()
    expect(clients.seen.filter(({ status }) => status >= 500)).toEqual([])
    await expectSightingsInBooks(made.database, clients.seen)
    await expectBooksToBalance(made.database)

    // An older server refuses to start over what it does not know.
    const refused = old.start(env)
    expect((await refused.exited).code).not.toBe(0)
    expect(refused.err.join('\n')).toMatch(
      /The database has the migration \d{4}_\w+\.sql, which this program does not know/,
    )
    for (const each of [oldApi, worker, newApi]) {
      each.kill('SIGTERM')
      await each.exited
    }
  }, 120_000)
})
