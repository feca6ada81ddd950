// A process that opens the database described by its argument (JSON), reports it, and closes it shortly after a signal.

import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, StartError } from '../../../src/infrastructure/database/database.ts'
import { startEmbeddedPostgres } from '../../../src/infrastructure/database/embedded/embedded-postgres.ts'
import { Secret } from '../../../src/infrastructure/platform/secret.ts'

export interface OpenAndWait {
  readonly as: 'server' | 'command'
  readonly dataDir: string
  readonly databaseUrl?: string
  /** Only PostgreSQL is started, in a way that lets it outlive this process. */
  readonly outlived?: boolean
}

const { as, dataDir, databaseUrl, outlived } = JSON.parse(process.argv[2] ?? '') as OpenAndWait
const log = { debug() {}, info: console.log, warn: console.log }

try {
  const { close, answer } = outlived ? await openOutlived() : await openWhole()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, async () => {
      await sleep(300)
      await answer()
      await close()
      console.log('closed')
      process.exit()
    })
  }
  console.log('open')
  setInterval(() => {}, 1000)
} catch (error) {
  if (!(error instanceof StartError)) throw error
  console.log(`refused: ${error.message}`)
  process.exitCode = 1
}

async function openWhole() {
  const url = databaseUrl === undefined ? undefined : new Secret(databaseUrl)
  const database = await openDatabase({ config: { dataDir, databaseUrl: url }, as, log })
  return { close: database.close, answer: () => database.query('select 1') }
}

async function openOutlived() {
  const { stop } = await startEmbeddedPostgres({ dataDir, as, log, dieWithStarter: false })
  return { close: stop, answer: async () => {} }
}
