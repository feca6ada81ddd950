// Bounds of the console's database load, and complete results for sources and full ids despite these bounds.

import { answerOperator, type ConsoleApi, layOutConsole, type PageAnswer } from '@lotline/portal/console'
import { expect, it } from 'vitest'
import { addSource } from '../../../src/data/replication/source-store.ts'
import { createAuditRunner } from '../../../src/interfaces/console/audit-runner.ts'
import { shared, withBounds } from '../../../src/interfaces/console/bounded-reads.ts'
import { createConsoleApi } from '../../../src/interfaces/console/console-api.ts'
import { listAccounts } from '../../../src/money/accounts/find-accounts.ts'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const db = () => testDatabase.database
const ANA = { operator: 'Ana', operatorId: undefined, role: 'owner', signIn: 'link' } as const

it('the console runs at most two concurrent statements, of 5 seconds each', async () => {
  let [now, most] = [0, 0]
  const counted: typeof testDatabase.database = {
    ...db(),
    transaction: async (work, options) => {
      most = Math.max(most, ++now)
      return db()
        .transaction(work, options)
        .finally(() => now--)
    },
  }
  const bounded = withBounds(counted)
  const read = () => bounded.query<{ statement_timeout: string }>('show statement_timeout')
  const failing = expect(bounded.query('select 1 / 0')).rejects.toThrow('division by zero')
  const results = await Promise.all([...Array(8)].map(read))
  await failing
  expect(results.map(({ rows }) => rows[0]!.statement_timeout)).toEqual(Array(8).fill('5s'))
  expect([now, most]).toEqual([0, 2])
})

it('an expensive read runs once for all concurrent readers, and again after a failure or when it is too old', async () => {
  let runs = 0
  const read = shared(async () => {
    if (++runs === 1) throw new Error('first')
    return runs
  }, 60_000)
  await Promise.all([read(), read()].map((run) => expect(run).rejects.toThrow('first')))
  expect(await Promise.all([read(), read(), read()])).toEqual([2, 2, 2])
  expect(await read()).toBe(2)
  const short = shared(async () => ++runs, 0)
  expect([await short(), await short()]).toEqual([3, 4])
})

it('rejected rows of every source are listed, however many one source has', async () => {
  for (const name of ['a-feed', 'b-feed', 'c-feed']) {
    await addSource(db(), name, { kind: 'file', location: '/none', complete: false }, 900)
    await db().query(
      `insert into source_records (source, source_key, state, reason, sweep)
       select $1, $1 || '-' || lpad(n::text, 3, '0'), 'rejected', 'broken', 0 from generate_series(1, 40) n`,
      [name],
    )
  }
  await db().query(
    `insert into listing_sources (name, imported_at, read_rows, rejected_rows, warnings, rejections)
     select 'import-' || s, now(), 20, 20, 0,
       (select jsonb_agg(jsonb_build_object('line', line, 'reason', 'broken')) from generate_series(1, 20) line)
     from generate_series(1, 30) s`,
  )
  const { rejected } = await createConsoleApi(server.app, createAuditRunner(server.app))(ANA).readDataSet()
  const sources = Map.groupBy(rejected, ({ source }) => source)
  expect(sources.size).toBe(33)
  for (const rows of sources.values()) expect(rows).toHaveLength(6)
  expect(sources.get('b-feed')![0]!.place).toBe('b-feed-001')
})

it('an account is found by its full id, the id of its key, or its email', async () => {
  const { accountId, keyId } = await openAccount(db(), { plan: 'free', email: 'kim@example.com' })
  await openAccount(db(), { plan: 'free', email: 'also-kim@example.com' })
  const find = async (text: string, filter = {}) =>
    (await listAccounts(db(), { text, limit: 10, ...filter })).map(({ email }) => email)
  for (const text of [accountId, accountId.toUpperCase(), keyId, 'Kim@example.com'])
    expect(await find(text), text).toEqual(['kim@example.com'])
  expect(await find('kim@')).toEqual(['also-kim@example.com', 'kim@example.com'])
  expect(await find(accountId.slice(0, 13))).toEqual(['kim@example.com'])
  expect(await find(accountId, { status: 'suspended' })).toEqual([])
})

it('a search that takes too long suggests a more specific search', async () => {
  const page = await answerOperator({
    method: 'GET',
    path: '/accounts',
    query: new URLSearchParams('q=a'),
    form: new URLSearchParams(),
    session: { ...ANA, csrfToken: '', expiresAt: new Date() },
    console: { plans: [], findAccounts: async () => undefined } as unknown as ConsoleApi,
  })
  expect(layOutConsole(page as PageAnswer, undefined)).toContain('Search for the whole email')
})

it('rejected records have their own index', async () => {
  await db().transaction(async (tx) => {
    await tx.query('set local enable_seqscan = off')
    const { rows } = await tx.query<{ 'QUERY PLAN': string }>(
      `explain select source_key from source_records where source = 'a-feed' and state = 'rejected' order by source_key limit 20`,
    )
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('source_records_rejected')
  })
})
