import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import {
  connectDatabase,
  type Database,
  DatabaseUnavailable,
} from '../../../src/infrastructure/database/database.ts'
import { withTestDatabase } from '../../setup/test-database.ts'

const own = withTestDatabase()

function openAnother(): Database {
  const database = connectDatabase({ target: own.target, poolSize: 1 })
  onTestFinished(() => database.close())
  return database
}

async function until(condition: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 1000 && !condition(); attempt++) await sleep(10)
  expect(condition()).toBe(true)
}

/** Ends the connections that listen. */
async function interrupt(): Promise<void> {
  await own.database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen %'`,
  )
}

test('notifications after listen has resolved arrive in order, on their channel only', async () => {
  const listener = openAnother()
  const heard: string[] = []
  await listener.listen('news', (payload) => heard.push(payload))
  await listener.listen('Other "news"', (payload) => heard.push(`other ${payload}`))
  await own.database.query(`select pg_notify('news', '1'); select pg_notify('Other "news"', '2')`)
  await own.database.transaction((tx) => tx.query("select pg_notify('news', '3'), pg_notify('nobody', '4')"))
  await until(() => heard.length === 3)
  expect(heard).toEqual(['1', 'other 2', '3'])
})

test('a listener gets notifications until it stops, and the others continue', async () => {
  const listener = openAnother()
  const heard: string[] = []
  const stopFirst = await listener.listen('steps', (payload) => heard.push(`first ${payload}`))
  const stopSecond = await listener.listen('steps', (payload) => heard.push(`second ${payload}`))
  await own.database.query("select pg_notify('steps', 'a')")
  await until(() => heard.length === 2)
  await stopFirst()
  await own.database.query("select pg_notify('steps', 'b')")
  await until(() => heard.length === 3)
  await stopSecond()
  await own.database.query("select pg_notify('steps', 'c')")
  const done = await listener.listen('done', (payload) => heard.push(payload))
  await own.database.query("select pg_notify('done', 'done')")
  await until(() => heard.at(-1) === 'done')
  expect(heard).toEqual(['first a', 'second a', 'second b', 'done'])
  await done()
})

test('after a lost connection every listener is called once with an empty payload, and then gets notifications again', async () => {
  const listener = openAnother()
  const heard: string[] = []
  await listener.listen('one', (payload) => heard.push(`one:${payload}`))
  await listener.listen('two', (payload) => heard.push(`two:${payload}`))
  for (let round = 0; round < 2; round++) {
    heard.length = 0
    await interrupt()
    await until(() => heard.includes('one:') && heard.includes('two:'))
    await own.database.query("select pg_notify('two', 'again')")
    await until(() => heard.includes('two:again'))
  }
})

test('a listener that throws affects neither the others nor the connection', async () => {
  const listener = openAnother()
  const heard: string[] = []
  await listener.listen('hard', () => {
    throw new Error('cannot')
  })
  await listener.listen('hard', (payload) => heard.push(payload))
  await own.database.query("select pg_notify('hard', '1')")
  await own.database.query("select pg_notify('hard', '2')")
  await until(() => heard.length === 2)
})

test('listen waits for an unavailable database, and rejects when the database is closed', async () => {
  const nowhere = connectDatabase({ target: { ...own.target, host: '/nonexistent' }, poolSize: 1 })
  const listening = nowhere.listen('news', () => {})
  const refused = expect(listening).rejects.toBeInstanceOf(DatabaseUnavailable)
  await sleep(100)
  await nowhere.close()
  await refused
})
