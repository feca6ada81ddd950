import type { Property } from '@lotline/contract'
import { describe, expect, it } from 'vitest'
import { createRecordCache } from '../../../src/data/record-cache/record-cache.ts'
import type { Provider } from '../../../src/data/sources/provider.ts'
import type { SourceRecord } from '../../../src/domain/record/source-record.ts'
import { createLedger } from '../../../src/money/credits/ledger.ts'
import { findStale } from '../../../src/work/jobs/store/stale-records.ts'
import { callOf, openWith } from '../../money/credits/money.ts'
import { withTestDatabase } from '../../setup/test-database.ts'

const testDatabase = withTestDatabase()
const patient = { signal: new AbortController().signal }

/** A source of one kind of home that counts its queries. */
function sourceOf(find: (zpid: string) => Promise<SourceRecord | undefined>) {
  const asked: string[] = []
  const provider = {
    name: 'source',
    searchCap: 1,
    async findByZpid(zpid: string) {
      asked.push(zpid)
      return find(zpid)
    },
  } as unknown as Provider
  return { provider, asked }
}

const homeOf = (zpid: string): SourceRecord => ({ record: { zpid, price: 1 } as Property, generation: null })

describe('the record cache', () => {
  it('queries the source once for concurrent misses of one home', async () => {
    const { provider, asked } = sourceOf(async (zpid) => homeOf(zpid))
    const cache = createRecordCache(testDatabase.database, provider)
    const found = await Promise.all(Array.from({ length: 100 }, () => cache.find('100', patient)))
    expect(asked).toEqual(['100'])
    expect(new Set(found.map((entry) => entry?.json.toString()))).toEqual(
      new Set(['{"zpid":"100","price":1}']),
    )
  })

  it('serves a record that another process has stored, with the same fetched_at', async () => {
    const { provider, asked } = sourceOf(async (zpid) => homeOf(zpid))
    const first = await createRecordCache(testDatabase.database, provider).find('200', patient)
    const second = await createRecordCache(testDatabase.database, provider).find('200', patient)
    expect(asked).toEqual(['200'])
    expect(second?.fetchedAt).toEqual(first?.fetchedAt)
  })

  it('uses no more memory than the bytes of its records', async () => {
    const { provider } = sourceOf(async (zpid) => homeOf(zpid))
    const fresh = await createRecordCache(testDatabase.database, provider).find('250', patient)
    const shared = await createRecordCache(testDatabase.database, provider).find('250', patient)
    // Each record has a buffer of its own and keeps no larger buffer alive.
    expect(fresh?.json.buffer.byteLength).toBe(fresh?.json.length)
    expect(shared?.json.buffer.byteLength).toBe(shared?.json.length)
  })

  it('queries again after 24 hours on the clock of the database', async () => {
    const { provider, asked } = sourceOf(async (zpid) => homeOf(zpid))
    await createRecordCache(testDatabase.database, provider).find('300', patient)
    const age = (interval: string) =>
      testDatabase.database.query(
        `update cached_records set fetched_at = now() - interval '${interval}' where zpid = '300'`,
      )
    await age('23 hours 59 minutes')
    await createRecordCache(testDatabase.database, provider).find('300', patient)
    expect(asked).toHaveLength(1)
    await age('24 hours 1 second')
    await createRecordCache(testDatabase.database, provider).find('300', patient)
    expect(asked).toHaveLength(2)
  })

  it('has one lifetime for the lookup, the charge, and the rows of a job', async () => {
    const { database } = testDatabase
    const { provider, asked } = sourceOf(async (zpid) => homeOf(zpid))
    const cached = (await createRecordCache(database, provider).find('350', patient))!
    const account = await openWith(database, 10)
    const ledger = createLedger(database)
    const verdict = async () =>
      (
        await ledger.settle(
          callOf(account, 'getProperty', 1, { record: { source: 'source', zpid: '350', generation: null } }),
        )
      ).verdict
    const lifetime = (hours: number) =>
      database.query(
        `create or replace function cached_record_lifetime() returns interval language sql immutable
         return interval '${hours} hours'`,
      )

    await database.query(
      `update cached_records set fetched_at = now() - interval '2 hours' where zpid = '350'`,
    )
    expect(await verdict()).toBe('settled')
    expect(await findStale(database, [cached])).toEqual(new Set())

    await lifetime(1)
    try {
      expect(await verdict()).toBe('stale')
      expect(await findStale(database, [cached])).toEqual(new Set(['350']))
      await createRecordCache(database, provider).find('350', patient)
      expect(asked).toEqual(['350', '350'])
      // After it was fetched again, it is current for all three.
      expect(await verdict()).toBe('settled')
      expect(await findStale(database, [cached])).toEqual(new Set())
    } finally {
      await lifetime(24)
    }
  })

  it('serves no record of another source', async () => {
    const { provider } = sourceOf(async (zpid) => homeOf(zpid))
    await createRecordCache(testDatabase.database, provider).find('400', patient)
    const other = sourceOf(async () => undefined)
    const renamed = { ...other.provider, name: 'other' }
    expect(await createRecordCache(testDatabase.database, renamed).find('400', patient)).toBeUndefined()
    expect(other.asked).toEqual(['400'])
  })

  it('keeps separate records and charges if two sources have the same zpid', async () => {
    const { database } = testDatabase
    const { provider } = sourceOf(async (zpid) => homeOf(zpid))
    const other = {
      ...sourceOf(async (zpid) => ({
        record: { zpid, price: 2 } as Property,
        generation: null,
        sourceKey: 'b-1',
      })).provider,
      name: 'other',
    }
    const caches = () => [provider, other].map((each) => createRecordCache(database, each))
    for (const cache of caches()) await cache.find('410', patient)
    // Read from the shared table, not from the memory of the caches that stored the records.
    const found = await Promise.all(caches().map((cache) => cache.find('410', patient)))
    expect(found.map((record) => JSON.parse(record!.json.toString()).price)).toEqual([1, 2])
    expect(found.map((record) => record!.source)).toEqual(['source', 'other'])

    await database.query(
      "update cached_records set fetched_at = now() - interval '2 days' where zpid = '410' and source = 'other'",
    )
    const account = await openWith(database, 10)
    const verdictOf = async (source: string) =>
      (
        await createLedger(database).settle(
          callOf(account, 'getProperty', 1, { record: { source, zpid: '410', generation: null } }),
        )
      ).verdict
    expect([await verdictOf('source'), await verdictOf('other')]).toEqual(['settled', 'stale'])

    const { rows } = await database.query(
      "select source, source_key from record_identities where zpid = '410' order by source desc",
    )
    expect(rows).toEqual([
      { source: 'source', source_key: '410' },
      { source: 'other', source_key: 'b-1' },
    ])
  })

  it('keeps a preferred listing only if its zpid can mean no other', async () => {
    const { provider, asked } = sourceOf(async (zpid) => homeOf(zpid))
    const cache = createRecordCache(testDatabase.database, provider)
    const sold = (zpid: string, generation: number | null): SourceRecord => ({
      record: { zpid, price: 2 } as Property,
      generation,
    })
    await testDatabase.database.query(
      `insert into listings (zpid, kind, has_pool, has_garage, is_waterfront, sale_type, is_pending, is_senior,
         is_building, summary, record)
       values ('460', 'recently_sold', false, false, false, 'by_agent', false, false, false, '{}', '{}')`,
    )
    await cache.keep(sold('450', null), 'RECENTLY_SOLD', patient)
    await cache.keep(sold('460', 1), 'RECENTLY_SOLD', patient)
    for (const reader of [cache, createRecordCache(testDatabase.database, provider)]) {
      expect((await reader.find('450', patient))?.json.toString()).toBe('{"zpid":"450","price":1}')
      expect((await reader.find('460', patient))?.json.toString()).toBe('{"zpid":"460","price":2}')
    }
    expect(asked).toEqual(['450'])
  })

  it('keeps the records of a job with a stand-in only for jobs with the same one', async () => {
    const { provider, asked } = sourceOf(async (zpid) => homeOf(zpid))
    const cache = createRecordCache(testDatabase.database, { ...provider, members: ['first', 'second'] })
    const pinned = { ...patient, provider: 'second' }
    const listing = { record: { zpid: '470', price: 2 } as Property, generation: null, provider: 'second' }
    await cache.keep(listing, 'FOR_SALE', pinned)
    expect((await cache.find('470', pinned))?.json.toString()).toBe('{"zpid":"470","price":2}')
    expect((await cache.find('470', patient))?.json.toString()).toBe('{"zpid":"470","price":1}')
    expect(asked).toEqual(['470'])
  })

  it('keeps no failure: the next caller queries again', async () => {
    let isBroken = true
    const { provider, asked } = sourceOf(async (zpid) => {
      if (isBroken) throw new Error('broken')
      return homeOf(zpid)
    })
    const cache = createRecordCache(testDatabase.database, provider)
    await expect(cache.find('500', patient)).rejects.toThrow('broken')
    isBroken = false
    expect(await cache.find('500', patient)).toBeDefined()
    expect(asked).toHaveLength(2)
  })

  it('lets a caller leave while the others still get the result', async () => {
    const answer = Promise.withResolvers<SourceRecord>()
    const { provider } = sourceOf(() => answer.promise)
    const cache = createRecordCache(testDatabase.database, provider)
    const leaving = new AbortController()
    const left = cache.find('600', leaving)
    const staying = cache.find('600', patient)
    leaving.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    answer.resolve(homeOf('600'))
    expect((await staying)?.zpid).toBe('600')
  })

  it('sends no query for a client that has disconnected, and survives a failure after all clients have left', async () => {
    const answer = Promise.withResolvers<SourceRecord>()
    const { provider, asked } = sourceOf(() => answer.promise)
    const cache = createRecordCache(testDatabase.database, provider)
    const gone = { signal: AbortSignal.abort(new Error('gone')) }
    await expect(cache.find('700', gone)).rejects.toThrow('gone')
    expect(asked).toEqual([])
    const leaving = new AbortController()
    const left = cache.find('700', leaving)
    await expect.poll(() => asked).toEqual(['700'])
    leaving.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    // A rejection without a handler would be reported here.
    answer.reject(new Error('broken'))
    await expect(answer.promise).rejects.toThrow('broken')
  })
})
