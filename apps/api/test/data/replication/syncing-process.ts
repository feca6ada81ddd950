// A process that synchronizes sources when they are due, as every process that runs jobs does, but looks for them every few
// milliseconds.
//
//   node syncing-process.ts DATABASE_URL      prints a line when it looks for the first time, and its log

import { pino } from 'pino'
import { startSyncing } from '../../../src/data/replication/start-syncing.ts'
import { connectDatabase } from '../../../src/infrastructure/database/database.ts'

const url = new URL(process.argv[2]!)
const database = connectDatabase({
  target: {
    host: decodeURIComponent(url.host),
    user: url.username,
    database: url.pathname.slice(1),
    ssl: false,
  },
  poolSize: 6,
})
startSyncing(database, pino(), { lookEveryMs: 20 })
process.stdout.write('looks for sources\n')
