// An import that does not end by itself, into the database whose URL is its argument. It prints how many rows it has staged.

import { setImmediate as turn } from 'node:timers/promises'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import type { SourceRow } from '../../../src/data/ingest/source-row.ts'
import { connectDatabase } from '../../../src/infrastructure/database/database.ts'

async function* rows(): AsyncGenerator<SourceRow> {
  for (let line = 1; ; line++) {
    yield { line, record: { zpid: String(line), price: 2 } }
    if (line % 1000 === 0) await turn()
  }
}

const database = connectDatabase({ target: { connectionString: process.argv[2]! }, poolSize: 1 })
await importListings(database, rows(), {
  onProgress: (progress) => {
    if (progress.phase === 'reading' && progress.read === 2000) console.log('2000 rows')
  },
})
