// Waits until the service has finished what it has accepted: every job has ended, and so has every delivery.

import pg from 'pg'
import { nowMs } from './clock.ts'
import type { TortureSet } from './set/torture-set.ts'
import { until } from './set/until.ts'

const LIMIT_MS = 120_000

const UNDONE = `
  select (select count(*)::integer from jobs where completed_at is null) as jobs,
    (select count(*)::integer from webhook_deliveries where ended_at is null) as deliveries`

/** Returns a line about it. The auditor finds work that is not done within the limit. */
export async function untilDone({ database }: Pick<TortureSet, 'database'>): Promise<string> {
  const client = new pg.Client(database)
  const since = nowMs()
  await client.connect()
  try {
    const left = async () => (await client.query<{ jobs: number; deliveries: number }>(UNDONE)).rows[0]!
    await until(async () => Object.values(await left()).every((count) => count === 0), LIMIT_MS, 100)
    const { jobs, deliveries } = await left()
    const seconds = ((nowMs() - since) / 1_000).toFixed(1)
    return `${seconds} s after the last call, ${jobs} jobs and ${deliveries} deliveries are still under way`
  } finally {
    await client.end()
  }
}
