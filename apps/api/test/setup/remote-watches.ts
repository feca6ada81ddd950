// Watches on a remote provider, which runs as a process. The test triggers the searches.

import { pino } from 'pino'
import { beforeEach, expect } from 'vitest'
import { plans } from '../../src/money/accounts/plans.ts'
import { type ScanTools, scanStep } from '../../src/work/watches/scan.ts'
import { PRICE, watchTools } from '../work/watches/watch-tools.ts'
import { ENV } from './deliveries.ts'
import { withReferenceProvider } from './reference-provider/start.ts'
import { withTestDatabase } from './test-database.ts'
import { withTestServer } from './test-server.ts'

/** A search that finds the homes of `watch-tools.ts`. */
export const FILTERS = { status: 'for_sale', bbox: { west: -123, south: 47, east: -122, north: 48 } }
/** A signal that never aborts. */
export const NEVER = new AbortController().signal

/** A fixture for the test file that calls this at its top. Before each test, watches and faults are removed. */
export function withRemoteWatches() {
  const reference = withReferenceProvider({ records: [] })
  const test = withTestDatabase()
  const settings = {
    ...ENV,
    PROVIDER: 'http',
    // It listens from beforeAll on.
    get PROVIDER_URL() {
      return reference.url
    },
  }
  const server = withTestServer(test, { env: settings })
  const database = () => test.database
  const { empty, eventsOf, usageOf } = watchTools(database)

  beforeEach(async () => {
    await empty()
    await reference.recover()
  })

  /** What searches need. @param queriesPerHour default: as many as the plan of the account allows */
  const tools = (queriesPerHour?: number): ScanTools => ({
    database: database(),
    log: pino({ level: 'silent' }),
    provider: server.app.provider,
    price: () => PRICE,
    limitsOf(plan) {
      const { maxWatchMatches: matches, watchQueriesPerHour } = plans[plan as 'free']
      return { matches, queriesPerHour: queriesPerHour ?? watchQueriesPerHour }
    },
  })

  /** Makes all watches due, and searches each once. */
  async function scan(): Promise<void> {
    await database().query('update watches set due_at = now()')
    while (await scanStep(tools(), NEVER)) {
      // One after the other.
    }
  }

  /** Creates a watch of an account of its own. `shown` is what GET answers. */
  async function create(body: object, plan: 'free' | 'custom' = 'custom', credits = 1_000) {
    const { accountId, key } = await server.openAccount({ plan, credits })
    const created = await server.post('/v1/watches', { name: 'Remote', every: '1h', ...body }, { key })
    expect(created.status).toBe(201)
    expect(created.json.data).toMatchObject({ status: 'pending', count: 0 })
    const { id } = created.json.data as { id: string }
    const shown = async () => (await server.get(`/v1/watches/${id}`, { key })).json.data
    const change = (changes: object) => server.send('PATCH', `/v1/watches/${id}`, { key, body: changes })
    return { accountId, id, key, shown, change, count: 0 }
  }

  return { reference, server, database, eventsOf, usageOf, tools, scan, create }
}
