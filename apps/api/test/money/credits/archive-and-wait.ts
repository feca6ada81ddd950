// Archives the ledger of DATABASE_URL like the command, and reports the start, so that archive.test.ts can kill it at any time.

import { connectDatabase } from '../../../src/infrastructure/database/database.ts'
import { archiveBooks } from '../../../src/money/credits/archive/write-archive.ts'

const [month, file] = process.argv.slice(2)
const database = connectDatabase({ target: { connectionString: process.env.DATABASE_URL! }, poolSize: 1 })
await database.query('select 1')
process.stdout.write('begins\n')
await archiveBooks(database, { before: new Date(`${month}-01T00:00:00Z`), file: file!, retentionMonths: 13 })
await database.close()
