// For every resource with GET and PATCH: sending the result of a GET to PATCH changes nothing.

import { type OperationId, operationIds, operations } from '@lotline/contract'
import { describe, expect, it } from 'vitest'
import { importListings } from '../../src/data/ingest/import-listings.ts'
import { rowsOf } from '../data/sources/dataset/rows.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'
import { homes } from '../work/watches/watch-tools.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const URL = 'https://hooks.example.com/lotline'
const BBOX = { west: -123, south: 47, east: -122, north: 48 }

/** The collections where resources are created, with bodies that create one of each kind. */
const MADE: Readonly<Record<string, readonly object[]>> = {
  '/v1/watches': [
    { name: 'Search', filters: { bbox: BBOX, price: { max: 900_000 } }, metadata: { list: '7' } },
    {
      name: 'Homes',
      zpids: ['1', '2'],
      events: ['listing.removed'],
      min_change: { percent: 1 },
      paused: true,
    },
  ],
  '/v1/webhooks': [
    { url: URL },
    { url: URL, description: 'note', events: ['credits.low'], credits_threshold: 100 },
  ],
  '/v1/keys': [
    { name: 'All' },
    { name: 'Some', allowed_operations: ['listUsage'], credit_limit: { credits: 5, per: 'day' } },
    { name: 'Ends', expires_at: '2100-01-01T00:00:00Z' },
  ],
}

const patches = operationIds.filter((id) => operations[id].method === 'PATCH')
const readerOf = (patch: OperationId) =>
  operationIds.find((id) => operations[id].method === 'GET' && operations[id].path === operations[patch].path)

describe('the result of a GET', () => {
  it.each(patches)('can be sent to %s, which changes and ignores nothing', async (patch) => {
    await importListings(testDatabase.database, rowsOf(homes(1, 9) as never[]), { source: 'mls' })
    expect(readerOf(patch), 'a resource that can be changed can be read').toBeDefined()
    const collection = operations[patch].path.replace('/{id}', '')
    const { key } = await server.openAccount({ credits: 50 })
    expect(MADE[collection], collection).toBeDefined()
    for (const body of MADE[collection]!) {
      const made = await server.post(collection, body, { key })
      expect(made.status, made.text).toBe(201)
      const path = `${collection}/${made.json.data.id}`
      const before = (await server.get(path, { key })).json.data
      const sent = await server.send('PATCH', path, { key, body: before })
      expect([sent.status, sent.json.meta?.ignored], sent.text).toEqual([200, undefined])
      expect(sent.json.data).toEqual(before)
      expect((await server.get(path, { key })).json.data).toEqual(before)
    }
  })

  it('keeps the baseline of a watch, and causes no event about it', async () => {
    const { key, accountId } = await server.openAccount({ credits: 50 })
    await server.post('/v1/webhooks', { url: URL, events: ['watch.ready'] }, { key })
    const made = await server.post('/v1/watches', { name: 'Search', filters: { bbox: BBOX } }, { key })
    const path = `/v1/watches/${made.json.data.id}`
    const baseline = async () => {
      const { rows } = await testDatabase.database.query<{ at: Date; events: number }>(
        `select baseline_at as at, (select count(*) from webhook_events where account_id = $1) as events
         from watches where account_id = $1`,
        [accountId],
      )
      return rows[0]
    }
    const before = await baseline()
    await server.send('PATCH', path, { key, body: (await server.get(path, { key })).json.data })
    expect(await baseline()).toEqual(before)
    await server.send('PATCH', path, { key, body: { filters: { bbox: { ...BBOX, west: -122.9 } } } })
    expect(await baseline()).not.toEqual(before)
  })

  it('lists read-only fields of other resources and misspelled fields as ignored', async () => {
    const { key } = await server.openAccount({ credits: 50 })
    const made = await server.post('/v1/watches', { name: 'Homes', zpids: ['1'] }, { key })
    const path = `/v1/watches/${made.json.data.id}`
    const body = { ...made.json.data, status: 'paused', last_seq: 7, nmae: 'Other' }
    const sent = await server.send('PATCH', path, { key, body })
    expect(sent.json.meta.ignored.toSorted()).toEqual(['nmae', 'status'])
    expect(sent.json.data).toMatchObject({ status: 'active', last_seq: 0, name: 'Homes' })
  })
})

describe('null in a PATCH', () => {
  it('clears a field of a webhook, while an absent field stays', async () => {
    const { key } = await server.openAccount({ credits: 50 })
    const wanted = { url: URL, description: 'note', events: ['credits.low'], credits_threshold: 100 }
    const made = await server.post('/v1/webhooks', wanted, { key })
    const path = `/v1/webhooks/${made.json.data.id}`
    const left = await server.send('PATCH', path, { key, body: { active: true } })
    expect(left.json.data).toMatchObject(wanted)
    const body = { description: null, events: null, credits_threshold: null }
    const cleared = await server.send('PATCH', path, { key, body })
    expect(cleared.json.data).toMatchObject({
      description: '',
      events: ['job.succeeded', 'job.failed', 'job.timed_out', 'job.aborted'],
      credits_threshold: null,
    })
  })

  it('clears a field of a watch, but not its target', async () => {
    const { key } = await server.openAccount({ credits: 50 })
    const made = await server.post(
      '/v1/watches',
      { name: 'W', zpids: ['1'], events: ['listing.new'], metadata: { a: 'b' }, min_change: { amount: 1 } },
      { key },
    )
    const path = `/v1/watches/${made.json.data.id}`
    const body = { zpids: null, events: null, metadata: null, min_change: null }
    const { json } = await server.send('PATCH', path, { key, body })
    expect(json.data).toMatchObject({ zpids: ['1'], metadata: {}, min_change: null })
    expect(json.data.events).toHaveLength(5)
  })

  it.each([
    ['/v1/watches', { name: null, every: null, paused: null, filters: null, zpids: null }],
    ['/v1/webhooks', { url: null, active: null }],
    ['/v1/keys', { name: null }],
  ])('changes nothing in a field of %s that cannot be cleared', async (collection, body) => {
    await importListings(testDatabase.database, rowsOf(homes(1, 9) as never[]), { source: 'mls' })
    const { key } = await server.openAccount({ credits: 50 })
    for (const wanted of MADE[collection]!) {
      const made = await server.post(collection, wanted, { key })
      const path = `${collection}/${made.json.data.id}`
      const before = (await server.get(path, { key })).json.data
      const sent = await server.send('PATCH', path, { key, body })
      expect([sent.status, sent.json.meta?.ignored], sent.text).toEqual([200, undefined])
      expect((await server.get(path, { key })).json.data).toEqual(before)
    }
  })

  it('is also accepted under the other spelling of a field name', async () => {
    const { key } = await server.openAccount({ credits: 50 })
    const made = await server.post('/v1/webhooks', { url: URL, creditsThreshold: 7 }, { key })
    expect([made.json.data.credits_threshold, made.json.meta]).toEqual([7, undefined])
    const path = `/v1/webhooks/${made.json.data.id}`
    const both = await server.send('PATCH', path, {
      key,
      body: { credits_threshold: 8, creditsThreshold: 9 },
    })
    expect([both.json.data.credits_threshold, both.json.meta.ignored]).toEqual([8, ['creditsThreshold']])
    const cleared = await server.send('PATCH', path, { key, body: { creditsThreshold: null } })
    expect(cleared.json.data.credits_threshold).toBe(null)
  })
})
