import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import type { Database } from '../../../src/infrastructure/database/database.ts'
import { EXPIRED_ROWS } from '../../../src/work/retention/expired-rows.ts'
import { removeExpired, startRemovingExpired } from '../../../src/work/retention/remove-expired.ts'
import { withTestDatabase } from '../../setup/test-database.ts'

const test = withTestDatabase()

it('each table in the retention list exists, with the columns of its entry', async () => {
  for (const { table } of EXPIRED_ROWS) expect(await removeExpired(test.database, table), table).toBe(false)
})

it('a failed deletion in one table does not stop the others', async () => {
  const asked = new Set<string>()
  const failing: Database = {
    ...test.database,
    async query(...statement) {
      const table = /^\s*with old as \(\s*delete from (\w+)/.exec(statement[0])?.[1]
      if (table === undefined) return test.database.query(...statement) as never
      asked.add(table)
      if (table === 'webhook_pauses') throw new Error('for this table only')
      return test.database.query(...statement) as never
    },
  }
  const removing = startRemovingExpired(failing, pino({ level: 'silent' }))
  onTestFinished(() => removing.stop())
  await expect.poll(() => asked.size).toBe(EXPIRED_ROWS.length)
})
