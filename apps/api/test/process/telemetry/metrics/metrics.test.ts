import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { importListings } from '../../../../src/data/ingest/import-listings.ts'
import { removeListings } from '../../../../src/data/ingest/remove-listings.ts'
import { ProviderFailure } from '../../../../src/data/sources/provider.ts'
import { recordAudit } from '../../../../src/money/credits/audit.ts'
import { createMetrics } from '../../../../src/process/telemetry/metrics/metrics.ts'
import { createBreakableDatabase } from '../../../setup/breakable-database.ts'
import { createMemoryProvider } from '../../../setup/memory-provider.ts'
import { withTestDatabase } from '../../../setup/test-database.ts'
import { withTestServer } from '../../../setup/test-server.ts'
import { type MetricsRead, parseMetrics, readMetrics } from './read-metrics.ts'

const ZPID = '48749425'
const testDatabase = withTestDatabase()
const provider = createMemoryProvider()
const server = withTestServer(testDatabase, { parts: { provider } })

const read = () => readMetrics(server.url)

/** What has been added to a counter since. */
function grown(before: MetricsRead, after: MetricsRead) {
  return (name: string, labels: Record<string, string> = {}) =>
    after.sum(name, labels) - before.sum(name, labels)
}

/** A request is counted when its connection is done with it, which may be a moment after its answer was read. */
async function until(condition: (now: MetricsRead) => boolean): Promise<MetricsRead> {
  for (let attempt = 0; attempt < 2_000; attempt++, await sleep(10)) {
    const now = await read()
    if (condition(now)) return now
  }
  throw new Error('the metrics never said so')
}

const COUNT = 'lotline_http_request_duration_seconds_count'

describe('metrics of requests', () => {
  it('use the path template and the status, never the path itself', async () => {
    const { key } = await server.openAccount()
    const before = await read()
    await server.get(`/v1/properties/${ZPID}`, { key })
    await server.get(`/v1/properties/${ZPID}?fields=zpid`, { key })
    await server.get('/v1/properties/999999', { key })
    await server.get('/v1/me')
    for (let i = 0; i < 30; i++) await server.get(`/v1/nothing-${i}`, { key })
    for (let i = 0; i < 5; i++) await fetch(`${server.url}/wp-login-${i}.php`)
    await server.send('DELETE', '/v1/me', { key })
    const route = '/v1/properties/{zpid}'
    const after = await until(
      (now) => now.sum(COUNT, { route: 'none' }) - before.sum(COUNT, { route: 'none' }) >= 36,
    )
    const by = grown(before, after)
    expect(by(COUNT, { route, method: 'GET', status: '200' })).toBe(2)
    expect(by(COUNT, { route, method: 'GET', status: '404' })).toBe(1)
    expect(by(COUNT, { route: '/v1/me', status: '401' })).toBe(1)
    expect(by(COUNT, { route: 'none', status: '404' })).toBe(35)
    expect(by(COUNT, { route: 'none', status: '405' })).toBe(1)
    expect(/nothing-|wp-login|properties\/\d/.exec(after.text)).toBe(null)
  })

  it('count a disconnected client as 499', async () => {
    const { key } = await server.openAccount()
    const before = await read()
    const end = Promise.withResolvers<never>()
    provider.trouble = () => end.promise
    try {
      await expect(
        server.get('/v1/properties/100001', { key, signal: AbortSignal.timeout(100) }),
      ).rejects.toThrow()
      await until((now) => grown(before, now)(COUNT, { status: '499' }) === 1)
    } finally {
      provider.trouble = undefined
      end.reject(new ProviderFailure('over'))
    }
  })

  it('report how requests were admitted or why they were refused', async () => {
    const { key } = await server.openAccount({ ratePerMinute: 2 })
    const before = await read()
    await server.get('/v1/me', { key })
    await server.get('/v1/properties/x1', { key })
    await server.get('/v1/me', { key })
    await server.get('/v1/me', { key: 'lot_wrong' })
    const admitted = (now: MetricsRead, outcome: string) =>
      grown(before, now)('lotline_admissions_total', { outcome })
    const after = await until(
      (now) => admitted(now, 'invalid_api_key') === 1 && admitted(now, 'rate_limited') === 1,
    )
    expect(admitted(after, 'admitted')).toBe(2)
    expect(grown(before, after)('lotline_refusals_total', { code: 'invalid_zpid' })).toBe(1)
  })
})

describe("metrics of a call's stages", () => {
  it('measure slot, charge, group, cache, and provider', async () => {
    const { key } = await server.openAccount()
    await testDatabase.database.query('delete from cached_records')
    server.app.records.forget({ source: provider.name, zpid: ZPID })
    const before = await read()
    for (let i = 0; i < 3; i++) expect((await server.get(`/v1/properties/${ZPID}`, { key })).status).toBe(200)
    server.app.records.forget({ source: provider.name, zpid: ZPID })
    await server.get(`/v1/properties/${ZPID}/photos`, { key })
    await server.get('/v1/properties/424242', { key })
    const by = grown(before, await read())
    expect(by('lotline_record_lookups_total', { found_in: 'provider' })).toBe(1)
    expect(by('lotline_record_lookups_total', { found_in: 'memory' })).toBe(2)
    expect(by('lotline_record_lookups_total', { found_in: 'table' })).toBe(1)
    expect(by('lotline_record_lookups_total', { found_in: 'nowhere' })).toBe(1)
    expect(by('lotline_provider_seconds_count', { query: 'findByZpid', outcome: 'answered' })).toBe(2)
    expect(by('lotline_credits_charged_total', { operation: 'getProperty' })).toBe(3)
    expect(by('lotline_credits_charged_total', { operation: 'getPropertyPhotos' })).toBe(1)
    expect(by('lotline_slot_wait_seconds_count', { outcome: 'entered' })).toBe(5)
    expect(by('lotline_settle_seconds_count', { outcome: 'settled' })).toBe(5)
    expect(by('lotline_settle_group_calls_sum')).toBe(5)
    expect(by('lotline_settle_group_seconds_count')).toBe(5)
  })

  it('count failures of a provider, and show an open circuit breaker', async () => {
    const { key } = await server.openAccount()
    const before = await read()
    provider.trouble = () => Promise.reject(new ProviderFailure('no'))
    await server.get('/v1/properties/100002', { key })
    provider.trouble = undefined
    const after = await read()
    expect(grown(before, after)('lotline_provider_seconds_count', { outcome: 'failed' })).toBe(1)
    expect(after.sum('lotline_provider_circuit_open')).toBe(0)
  })

  it('describe the pool, the process, and the runtime', async () => {
    const now = await read()
    expect(now.sum('lotline_database_connections')).toBeGreaterThan(0)
    expect(now.sum('lotline_database_up')).toBe(1)
    expect(now.sum('lotline_info', { role: 'all', provider: 'dataset' })).toBe(1)
    expect(now.sum('process_resident_memory_bytes')).toBeGreaterThan(0)
    expect(now.families).toContain('nodejs_eventloop_lag_seconds')
  })

  it('contain no key, account, address, or request id', async () => {
    const { key, accountId } = await server.openAccount()
    const { status } = await server.get(
      '/v1/properties/by-address?address=2114+Bigelow+Ave+N+Seattle+WA+98109',
      { key },
    )
    expect([200, 404]).toContain(status)
    const { text, samples } = await read()
    for (const said of [key, accountId, 'Bigelow', 'req_', ' lot_', '"lot_'])
      expect(text.includes(said), said).toBe(false)
    const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)))
    for (const label of ['account', 'account_id', 'key', 'path', 'url', 'request_id'])
      expect(labels).not.toContain(label)
  })
})

describe('metrics from the database', () => {
  it('show open jobs, the outbox, and the last audit', async () => {
    const { database } = testDatabase
    const { accountId } = await server.openAccount()
    await recordAudit(database, { accounts: 2, holds: 0, postings: 3, usageRows: 4, drifts: 7 })
    await database.query(
      `insert into webhook_deliveries (account_id, event_id, webhook_id, state, due_at) values
        ($1, 'evt_1', gen_random_uuid(), 'due', now() - interval '90 s'),
        ($1, 'evt_2', gen_random_uuid(), 'waiting', now() - interval '30 s'),
        ($1, 'evt_3', gen_random_uuid(), 'waiting', now() + interval '30 s')`,
      [accountId],
    )
    const { app } = server
    const fresh = await createMetrics(app.config, database).read()
    const now = parseMetrics(fresh.text)
    expect(now.sum('lotline_ledger_drift')).toBe(7)
    expect(now.sum('lotline_ledger_audited_timestamp_seconds')).toBeGreaterThan(1.7e9)
    expect(now.sum('lotline_ledger_kept_since_timestamp_seconds')).toBe(0)
    expect(now.sum('lotline_webhook_outbox')).toBe(2)
    expect(Math.floor(now.sum('lotline_webhook_outbox_lag_seconds') / 10)).toBe(9)
    expect(now.families).toContain('lotline_jobs')
  })

  it('show the last import of each source, until its listings are removed', async () => {
    const { database } = testDatabase
    const place = { latitude: 47.6, longitude: -122.3 }
    const rows = [
      { zpid: '7001', homeStatus: 'FOR_SALE', ...place },
      { zpid: '7002', homeStatus: 'ACTIVE', ...place },
      { zpid: 'x' },
    ].map((record, at) => ({ line: at + 1, record }))
    await importListings(database, rows, { source: 'county' })
    const read = async () => parseMetrics((await createMetrics(server.app.config, database).read()).text)
    const now = await read()
    const of = (outcome: string) => now.sum('lotline_listings_import_rows', { source: 'county', outcome })
    expect([of('read'), of('rejected'), of('warning')]).toEqual([3, 1, 1])
    const at = now.sum('lotline_listings_imported_timestamp_seconds', { source: 'county' })
    expect(at).toBeGreaterThan(Date.now() / 1000 - 600)
    await removeListings(database, { source: 'county' })
    expect((await read()).samples.filter(({ labels }) => labels.source === 'county')).toEqual([])
  })

  it('are omitted while the database is unavailable, and the others are shown', async () => {
    const broken = createBreakableDatabase(() => testDatabase.database)
    broken.fault = () => new Error('gone')
    const { text } = await createMetrics(server.app.config, broken).read()
    const now = parseMetrics(text)
    expect(now.sum('lotline_database_up')).toBe(0)
    expect(now.samples.some(({ name }) => name === 'lotline_jobs')).toBe(false)
    expect(now.sum('lotline_info')).toBe(1)
  })
})
