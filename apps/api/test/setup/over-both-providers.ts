// Provides the sample as a data set and through a remote provider that supports only boxes, so that tests can show that searches
// mean the same with both.

import type { Property } from '@lotline/contract'
import { beforeAll, describe } from 'vitest'
import { importListings } from '../../src/data/ingest/import-listings.ts'
import { rowsOf } from '../data/sources/dataset/rows.ts'
import { SAMPLE } from '../domain/record/sample-records.ts'
import { withWorker } from '../work/jobs/job-calls.ts'
import { settingsFor, withReferenceProvider } from './reference-provider/start.ts'
import { type TestDatabase, withTestDatabase } from './test-database.ts'
import { type TestServer, withTestServer } from './test-server.ts'

const FOR_SALE = ['FOR_SALE', 'PENDING', 'COMING_SOON']

export const zpidOf = ({ zpid }: Pick<Property, 'zpid'>) => String(zpid)

/** The homes of the sample that a search without filters on their facts finds: for sale, with a position. */
export const homesForSale = SAMPLE.filter(
  ({ homeStatus, isBuilding, longitude }) =>
    FOR_SALE.includes(homeStatus!) && isBuilding !== true && typeof longitude === 'number',
)

export interface BothProviders {
  readonly testDatabase: TestDatabase
  readonly reference: ReturnType<typeof withReferenceProvider>
  /** A `describe` for each of the two providers. */
  describeEach(tests: (over: OverProvider) => void): void
}

export interface OverProvider {
  readonly name: 'the data set' | 'a remote provider'
  /** Also runs jobs. */
  readonly server: TestServer
  /** Its fields are set from `beforeAll` on. */
  readonly account: { readonly key: string; readonly accountId: string }
}

/** Both providers have the sample. Call it at the top of a test file. */
export function withBothProviders(): BothProviders {
  const testDatabase = withTestDatabase()
  const reference = withReferenceProvider({ records: SAMPLE })
  beforeAll(async () => {
    await importListings(testDatabase.database, rowsOf(SAMPLE))
  })
  const describeEach: BothProviders['describeEach'] = (tests) => {
    describe.each(['the data set', 'a remote provider'] as const)('over %s', (name) => {
      const server = withTestServer(testDatabase, {
        get env() {
          return name === 'the data set' ? {} : settingsFor(reference)
        },
      })
      withWorker(server)
      let opened: OverProvider['account'] | undefined
      beforeAll(async () => {
        opened = await server.openAccount({ credits: 1_000_000 })
      })
      const account = {
        get key() {
          return opened!.key
        },
        get accountId() {
          return opened!.accountId
        },
      }
      tests({ name, server, account })
    })
  }
  return { testDatabase, reference, describeEach }
}
