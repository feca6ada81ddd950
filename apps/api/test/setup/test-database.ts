// A database for each test file: a copy of the migrated template, dropped at the end, when it is also proven that the
// tests have left no transaction and no connection open, and that their books are in order.

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, inject } from 'vitest'
import { connectDatabase, type Database } from '../../src/infrastructure/database/database.ts'
import type { Drift } from '../../src/money/credits/audit.ts'
import { driftOf } from '../money/credits/drift.ts'

export interface TestDatabase {
  readonly name: string
  /** Open, and closed by `drop`. */
  readonly database: Database
  /** For DATABASE_URL of a process that is to work on the same data. */
  readonly url: string
  /** For connections of pg itself. */
  readonly target: {
    readonly host: string
    readonly user: string
    readonly database: string
    readonly ssl: false
  }
  /** Closes and drops it. Throws when something was left open. */
  drop(): Promise<void>
}

export interface TestDatabaseOptions {
  /** Default: 10. */
  readonly poolSize?: number
  /** `empty` has no tables. Default: `migrated`. */
  readonly schema?: 'migrated' | 'empty'
  /** Default: `in order`. `made up` are books that tests wrote past the ledger, to see what is made of them. */
  readonly books?: 'in order' | 'made up'
}

/** A database that lives as long as the test file (or `describe`) that calls this at its top. */
export function withTestDatabase(options?: TestDatabaseOptions): TestDatabase {
  let made: TestDatabase | undefined
  beforeAll(async () => {
    made = await createTestDatabase(options)
  })
  afterAll(async () => made?.drop())
  const get = (): TestDatabase => {
    if (made === undefined) throw new Error('The test database exists from beforeAll on.')
    return made
  }
  return {
    get name() {
      return get().name
    },
    get database() {
      return get().database
    },
    get url() {
      return get().url
    },
    get target() {
      return get().target
    },
    drop: () => get().drop(),
  }
}

/** A database of one's own. `drop` it. */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { host, user, database: adminDatabase, template, copying } = inject('cluster')
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = connectDatabase({ target: { host, user, database: adminDatabase, ssl: false }, poolSize: 1 })
  const source = options.schema === 'empty' ? 'template0' : template
  await admin.query(`create database ${name} template ${source} strategy ${copying}`)
  const target = { host, user, database: name, ssl: false } as const
  const database = connectDatabase({ target, poolSize: options.poolSize ?? 10 })
  const hasBooks = options.schema !== 'empty' && options.books !== 'made up'
  async function auditOnce(): Promise<Drift[]> {
    const auditor = connectDatabase({ target, poolSize: 1 })
    try {
      return await driftOf(auditor)
    } finally {
      await auditor.close()
    }
  }
  async function drop(): Promise<void> {
    try {
      const open = await untilNone(() => findSessions(admin, name, "and state <> 'idle'"))
      await database.close()
      const drift = hasBooks ? await auditOnce() : []
      const connected = await untilNone(() => findSessions(admin, name, ''))
      // With force, PostgreSQL would refuse to end its own autovacuum worker; without, it waits for it.
      await admin.query(`drop database ${name} ${connected.length > 0 ? 'with (force)' : ''}`)
      if (open.length > 0)
        throw new Error(`The tests left a statement or transaction open:\n${open.join('\n')}`)
      if (connected.length > 0) throw new Error(`The tests left somebody connected:\n${connected.join('\n')}`)
      if (drift.length > 0) throw new Error(`The books have drifted: ${JSON.stringify(drift)}`)
    } finally {
      await admin.close()
    }
  }
  return { name, database, url: `postgresql://${user}@${encodeURIComponent(host)}/${name}`, target, drop }
}

async function findSessions(admin: Database, name: string, condition: string): Promise<string[]> {
  const { rows } = await admin.query<{ session: string }>(
    `select format('%s, %s, after: %s', application_name, state, query) as session
     from pg_stat_activity where datname = $1 and backend_type = 'client backend' ${condition}`,
    [name],
  )
  return rows.map((row) => row.session)
}

/** What is still there after a moment for ending. */
async function untilNone(find: () => Promise<string[]>): Promise<string[]> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if ((await find()).length === 0) return []
    await sleep(20)
  }
  return find()
}
