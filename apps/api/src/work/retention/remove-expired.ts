// Deletes expired rows. Every process runs it; concurrent runs skip each other's locked rows.

import type { Logger } from 'pino'
import type { Database } from '../../infrastructure/database.ts'
import { type Interval, startChores } from '../../infrastructure/platform.ts'
import { removeOldJobs } from '../jobs/store/sweeper.ts'
import { EXPIRED_ROWS, type ExpiredRows } from './expired-rows.ts'

const REMOVE_EVERY_MS = 60_000

export type ExpiringTable = (typeof EXPIRED_ROWS)[number]['table']

/** Deletes a batch of expired rows of each table, or of the named tables. True: there may be more. */
export async function removeExpired(database: Database, ...tables: ExpiringTable[]): Promise<boolean> {
  let isMore = false
  for (const rows of EXPIRED_ROWS) {
    if (tables.length > 0 && !tables.includes(rows.table)) continue
    if (await removePiece(database, rows)) isMore = true
  }
  return isMore
}

/** A failure for one table does not stop the others. */
export function startRemovingExpired(database: Database, log: Logger, everyMs = REMOVE_EVERY_MS): Interval {
  const pieces = [
    ...EXPIRED_ROWS.map((rows) => ({ of: rows.table, remove: () => removePiece(database, rows) })),
    { of: 'jobs', remove: () => removeOldJobs(database) },
  ]
  async function removeAll(): Promise<boolean> {
    let isMore = false
    for (const { of, remove } of pieces) {
      try {
        if (await remove()) isMore = true
      } catch (error) {
        log.warn({ err: error, table: of }, 'cannot delete expired rows; the next run tries again')
      }
    }
    return isMore
  }
  return startChores(log, { name: 'remove expired rows', everyMs, run: removeAll })
}

async function removePiece(
  database: Database,
  { table, expired, order, atATime, also = [] }: ExpiredRows,
): Promise<boolean> {
  const { rowCount } = await database.query(`
    with old as (
      delete from ${table} where ctid = any (array(
        select ctid from ${table} where ${expired} ${order ? `order by ${order}` : ''} limit ${atATime}
        for update skip locked))
      returning *
    )${also.map((statement, at) => `, also_${at} as (${statement})`).join('')}
    select from old`)
  return rowCount === atATime
}
