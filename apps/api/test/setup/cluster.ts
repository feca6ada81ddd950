// Before all test files: one embedded PostgreSQL for the whole run, in a temporary directory, with a migrated template
// that each test file's own database is copied from (test-database.ts). It is stopped and removed at the end. Its files
// are a copy of a prepared cluster that earlier runs left under node_modules/.cache (prepared-cluster.ts).

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/infrastructure/database/embedded/embedded-postgres.ts'
import { ADMIN_DATABASE, copyPreparedCluster, TEMPLATE } from './prepared-cluster.ts'
import { isInMemory } from './temporary-root.ts'

export interface TestCluster {
  /** Directory of the socket. */
  readonly host: string
  readonly user: string
  /** The database to ask for other databases. */
  readonly database: string
  /** A migrated database without connections. */
  readonly template: string
  /** The strategy of `create database` that takes the least processor time. */
  readonly copying: 'file_copy' | 'wal_log'
}

declare module 'vitest' {
  interface ProvidedContext {
    cluster: TestCluster
  }
}

const log = { debug() {}, info() {}, warn: (message: string) => console.warn(message) }

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(project.config.env.TMPDIR ?? tmpdir(), 'lotline-test-'))
  try {
    await copyPreparedCluster(directory, log)
    const postgres = await startEmbeddedPostgres({
      dataDir: directory,
      as: 'command',
      log,
      // Its data is thrown away: only a crash of the whole machine could lose any of it. Compressing the log was a tenth of the run.
      settings: {
        fsync: 'off',
        full_page_writes: 'off',
        wal_compression: 'off',
        // It would come to a database at any moment, and hold a table that a test needs, but in few runs.
        autovacuum: 'off',
        max_connections: '200',
      },
    })
    const copying = isInMemory(directory) ? 'file_copy' : 'wal_log'
    project.provide('cluster', {
      ...postgres.connection,
      database: ADMIN_DATABASE,
      template: TEMPLATE,
      copying,
    })
    return async () => {
      await postgres.stop()
      await rm(directory, { recursive: true, force: true })
    }
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}
