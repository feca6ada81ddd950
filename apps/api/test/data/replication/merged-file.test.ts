// A connected file whose rows have only the fields that changed.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { syncSource } from '../../../src/data/replication/run-source.ts'
import { addSource } from '../../../src/data/replication/source-store.ts'
import { createDatasetProvider } from '../../../src/data/sources/dataset/dataset-provider.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { withTestDatabase } from '../../setup/test-database.ts'

const test = withTestDatabase()
afterEach(async () => {
  await test.database.query('truncate listings, connected_sources cascade')
})

it.each([
  ['its settings', { merge: true }, ''],
  ['its mapping', {}, 'rows: merge'],
])('a file changes only the fields that its rows have if %s say so', async (_name, settings, line) => {
  const stored = {
    zpid: '9000',
    homeStatus: 'FOR_SALE',
    price: 5,
    address: { city: 'Tacoma', state: 'WA', zipcode: '98406' },
  }
  await importListings(test.database, [{ line: 1, record: structuredClone(stored) }], { source: 'county' })
  const location = join(await makeTemporaryDirectory(), 'changes.csv')
  await writeFile(location, 'parcel,price\n9000,6\n')
  const mapping = `${line}\nrecord: { zpid: "{parcel}", price: "{price}" }`
  await addSource(
    test.database,
    'county',
    { kind: 'file', location, mapping, complete: false, ...settings },
    900,
  )
  expect(await syncSource(test.database, 'county')).toMatchObject({
    outcome: 'synced',
    total: { read: 1, updated: 1, inserted: 0 },
  })
  const found = await createDatasetProvider(test.database).findByZpid('9000', {
    signal: new AbortController().signal,
  })
  expect(found?.record).toEqual({ ...stored, price: 6 })
})
