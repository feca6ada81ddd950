// Checks the ledger against itself and against what clients received.

import { expect } from 'vitest'
import type { Database } from '../../src/infrastructure/database/database.ts'
import type { Sighting } from './clients.ts'

/** Expects that every successful response has exactly one usage row with the same credits, and that no failure was charged. */
export async function expectSightingsInBooks(database: Database, seen: readonly Sighting[]): Promise<void> {
  const { rows } = await database.query<{ request_id: string; status_code: number; credits_charged: number }>(
    'select request_id, status_code, credits_charged from usage_rows where request_id = any ($1)',
    [seen.map(({ requestId }) => requestId)],
  )
  const booked = new Map<string, { status_code: number; credits_charged: number }[]>()
  for (const row of rows) booked.set(row.request_id, [...(booked.get(row.request_id) ?? []), row])
  for (const { status, requestId, charged } of seen) {
    const [row, ...more] = booked.get(requestId) ?? []
    expect(more).toHaveLength(0)
    if (status === 200) expect(row).toMatchObject({ status_code: 200, credits_charged: charged })
    else if (row) expect([status, row.credits_charged]).toEqual([status, 0])
  }
}

/** Expects the invariants that hold for every account at any time. */
export async function expectBooksToBalance(database: Database): Promise<void> {
  const { rows } = await database.query(`
    select a.id, a.balance, a.held,
      (select coalesce(sum(p.amount), 0) from postings p where p.account_id = a.id) as posted,
      (select coalesce(sum(p.held_change), 0) from postings p where p.account_id = a.id) as posted_held,
      (select coalesce(-sum(p.amount), 0) from postings p where p.account_id = a.id and p.kind = 'charge') as charged,
      (select coalesce(sum(u.credits_charged), 0) from usage_rows u where u.account_id = a.id) as used
    from accounts a`)
  for (const account of rows as Record<
    'balance' | 'held' | 'posted' | 'posted_held' | 'charged' | 'used',
    number
  >[]) {
    expect(account.posted).toBe(account.balance)
    expect(account.posted_held).toBe(account.held)
    expect(account.used).toBe(account.charged)
    expect(account.held).toBeGreaterThanOrEqual(0)
    expect(account.balance).toBeGreaterThanOrEqual(account.held)
  }
  const { rows: doubled } = await database.query(
    `select request_id from usage_rows group by account_id, request_id, stage having count(*) > 1`,
  )
  expect(doubled).toHaveLength(0)
}
