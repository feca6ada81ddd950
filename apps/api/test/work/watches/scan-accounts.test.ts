// Watches over a remote data source, and changes of their accounts: credits, plans, suspensions.

import { describe, expect, it } from 'vitest'
import { type Database, DatabaseUnavailable } from '../../../src/infrastructure/database/database.ts'
import { resumeAccount, suspendAccount } from '../../../src/money/accounts/suspend.ts'
import { MAX_FAILED_COMPARISONS } from '../../../src/work/watches/compare-watch.ts'
import { scanStep } from '../../../src/work/watches/scan.ts'
import { letPass } from '../../money/credits/money.ts'
import { until } from '../../setup/receiver.ts'
import { FILTERS, NEVER, withRemoteWatches } from '../../setup/remote-watches.ts'
import { homes, PRICE } from './watch-tools.ts'

const { reference, database, usageOf, tools, scan, create } = withRemoteWatches()

describe('a watch over a remote data source', () => {
  it('gets a new baseline after a top-up if its filters changed while it was out of credits, and blocks no other watch', async () => {
    await reference.setRecords(homes(1, 21))
    const watch = await create({ filters: FILTERS }, 'custom', 6)
    const other = await create({ filters: FILTERS })
    await scan()
    await reference.setRecords(homes(1, 21, { price: 1 }))
    await scan()
    expect(await watch.shown()).toMatchObject({ status: 'paused', paused_reason: 'out_of_credits' })
    const body = { filters: { ...FILTERS, price: { max: 600_000 } } }
    const changed = await watch.change(body)
    expect(changed.status).toBe(200)
    await database().query('select top_up($1, 100)', [watch.accountId])
    await reference.setRecords(homes(1, 21, { price: 2 }))
    await scan()
    expect(await watch.shown()).toMatchObject({ status: 'active', count: 20, last_seq: 5 })
    expect(await other.shown()).toMatchObject({ status: 'active', last_seq: 40 })
  })

  it('continues without credits when its plan renews, even if no client calls', async () => {
    await reference.setRecords(homes(1, 21))
    const watch = await create({ filters: FILTERS }, 'custom', 6)
    await scan()
    await reference.setRecords([...homes(1, 4, { price: 1 }), ...homes(4, 21)])
    const spend = `select adjust_credits(id, -(balance - held - 1), 'Spent elsewhere') from accounts where id = $1`
    await database().query(spend, [watch.accountId])
    await database().query(
      `update watches set status = 'paused', paused_reason = 'out_of_credits' where id = $1`,
      [watch.id],
    )
    await scan()
    const status = 'select status from watches where id = $1'
    expect((await database().query(status, [watch.id])).rows).toEqual([{ status: 'paused' }])
    await letPass(database(), watch, '1 month')
    await scan()
    expect((await database().query(status, [watch.id])).rows).toEqual([{ status: 'active' }])
  })

  it('of a suspended account is neither searched nor charged, and reports the net change when the account is active again', async () => {
    await reference.setRecords(homes(1, 11))
    const watch = await create({ filters: FILTERS })
    await scan()
    await reference.setRecords(homes(1, 11, { price: 1 }))
    await suspendAccount(database(), watch.accountId)
    await reference.takeAsked()
    await scan()
    expect(await reference.takeAsked()).toEqual([])
    expect(await usageOf(watch.accountId)).toEqual({ units: 0, credits: 0 })
    await resumeAccount(database(), watch.accountId)
    await scan()
    expect(await usageOf(watch.accountId)).toEqual({ units: 10, credits: 10 })
  })

  it('is searched again soon after a database outage, without waiting for its lease to expire', async () => {
    await reference.setRecords(homes(1, 11))
    const watch = await create({ filters: FILTERS })
    await reference.fail({ kind: 'status', status: 500 })
    let away = 3
    const query: Database['query'] = (...statement) => {
      if (!statement[0].includes('scan_token = null') || away === 0) return database().query(...statement)
      away -= 1
      return Promise.reject(new DatabaseUnavailable('away'))
    }
    await scanStep({ ...tools(), database: { ...database(), query } }, NEVER)
    expect(away).toBe(0)
    const { rows } = await database().query(
      'select scan_token, scan_until, baseline_at from watches where id = $1',
      [watch.id],
    )
    expect(rows).toEqual([{ scan_token: null, scan_until: null, baseline_at: null }])
  })

  it('with an unwritable result is searched at growing intervals, and is paused with the reason after ten failures', async () => {
    await reference.setRecords(homes(1, 11))
    const watch = await create({ filters: FILTERS })
    await scan()
    // The number of its next event is taken.
    await database().query(
      `insert into watch_events (account_id, watch_id, seq, id, type, zpid, observed_at, body, metadata)
       select account_id, id, last_seq + 1, 'evt_blocked', 'listing.new', '1', now(), '{}', '{}' from watches where id = $1`,
      [watch.id],
    )
    await reference.setRecords(homes(1, 11, { price: 1 }))
    const failed: (string | undefined)[] = []
    const price = () => ({ ...PRICE, onError: (_error: unknown, id?: string) => failed.push(id) })
    const fail = async () => {
      await database().query('update watches set due_at = now() where id = $1', [watch.id])
      expect(await scanStep({ ...tools(), price }, NEVER)).toBe(true)
      const { rows } = await database().query<{ wait: number; failures: number }>(
        `select extract(epoch from due_at - now())::float8 as wait, failed_comparisons as failures
         from watches where id = $1 and scan_token is null`,
        [watch.id],
      )
      return rows[0]!
    }
    const first = await fail()
    expect(first.failures).toBe(1)
    // A failure of the source does not count.
    await reference.fail({ kind: 'status', status: 500 })
    expect((await fail()).failures).toBe(1)
    await reference.recover()
    await until(async () => (await fail()).failures === 3, 'the circuit of the provider to close')
    const later = await fail()
    expect(later.failures).toBe(4)
    // Eight times as long, but for the random part of each.
    expect(later.wait).toBeGreaterThan(3 * first.wait)
    while (failed.length < MAX_FAILED_COMPARISONS) {
      expect(await watch.shown()).toMatchObject({ status: 'active', last_seq: 0 })
      await fail()
    }
    expect(await watch.shown()).toMatchObject({ status: 'paused', paused_reason: 'evaluation_failed' })
    expect(new Set(failed)).toEqual(new Set([watch.id]))
    expect(await usageOf(watch.accountId)).toEqual({ units: 0, credits: 0 })

    await database().query(`delete from watch_events where id = 'evt_blocked'`)
    expect(await watch.change({ paused: false })).toMatchObject({ status: 200 })
    await scan()
    expect(await watch.shown()).toMatchObject({ status: 'active', last_seq: 10 })
    const failures = 'select failed_comparisons as count from watches where id = $1'
    expect((await database().query(failures, [watch.id])).rows).toEqual([{ count: 0 }])
  })

  it('with a list larger than its plan allows is paused with the count', async () => {
    await reference.setRecords(homes(1, 131))
    const watch = await create({ zpids: ['1'] }, 'free', 10)
    await scan()
    expect(await watch.shown()).toMatchObject({ status: 'active', count: 1 })
    const body = { zpids: Array.from({ length: 130 }, (_, at) => String(at + 1)) }
    expect(await watch.change(body)).toMatchObject({ status: 200 })
    await scan()
    expect(await watch.shown()).toMatchObject({
      status: 'paused',
      paused_reason: 'too_many_matches',
      count: 130,
    })
  })

  it('that was quarantined reports a home that was listed before the implausible search as listed', async () => {
    await reference.setRecords(homes(1, 31))
    const watch = await create({ filters: FILTERS })
    await scan()
    const scannedAt = async () =>
      (await database().query<{ at: Date }>('select scanned_at as at from watches where id = $1', [watch.id]))
        .rows[0]!.at
    const before = await scannedAt()
    await reference.setRecords(homes(1, 11))
    await scan()
    expect(await watch.shown()).toMatchObject({ status: 'quarantined' })
    expect(await scannedAt()).toEqual(before)
  })
})
