// Before all test files: one embedded PostgreSQL for the whole run, in a temporary directory, with a migrated template
// that each test file's own database is copied from (test-database.ts). It is stopped and removed at the end.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { connectDatabase } from '../../src/database/database.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.ts'
import { migrate } from '../../src/database/migrate.ts'

export interface TestCluster {
  /** Directory of the socket. */
  readonly host: string
  readonly user: string
  /** The database to ask for other databases. */
  readonly database: string
  /** A migrated database that nobody is connected to. */
  readonly template: string
}

declare module 'vitest' {
  interface ProvidedContext {
    cluster: TestCluster
  }
}

const TEMPLATE = 'migrated'

const log = { debug() {}, info() {}, warn: (message: string) => console.warn(message) }

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'lotline-test-'))
  const postgres = await startEmbeddedPostgres({
    dataDir: directory,
    as: 'command',
    log,
    // Its data is thrown away: only a crash of the whole machine could lose any of it.
    settings: { fsync: 'off', max_connections: '200' },
  })
  async function tearDown(): Promise<void> {
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
  try {
    await makeTemplate(postgres.connection)
  } catch (error) {
    await tearDown()
    throw error
  }
  project.provide('cluster', { ...postgres.connection, template: TEMPLATE })
  return tearDown
}

async function makeTemplate(connection: { host: string; user: string; database: string }): Promise<void> {
  const admin = connectDatabase({ target: connection, poolSize: 1 })
  const template = connectDatabase({ target: { ...connection, database: TEMPLATE }, poolSize: 1, log })
  try {
    await admin.query(`create database ${TEMPLATE}`)
    await migrate(template)
  } finally {
    await Promise.all([admin.close(), template.close()])
  }
}
