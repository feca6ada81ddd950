// The stored record of a deleted watch, and its retention.

import { describe, expect, it } from 'vitest'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { removeExpired } from '../../../src/work/retention/remove-expired.ts'
import { deleteWatch } from '../../../src/work/watches/delete-watch.ts'
import { WATCH_EVENTS } from '../../../src/work/watches/home-event.ts'
import { createWatch } from '../../../src/work/watches/watch-store.ts'
import { withTestDatabase } from '../../setup/test-database.ts'

const test = withTestDatabase()

async function makeWatch(): Promise<{
  accountId: string
  id: string
  create: () => ReturnType<typeof createWatch>
}> {
  const { accountId, keyId } = await openAccount(test.database, { plan: 'custom', credits: 10 })
  const wanted = {
    accountId,
    keyId,
    name: 'Homes',
    watched: { zpids: ['1'] },
    events: WATCH_EVENTS,
    metadata: {},
  }
  const create = () => createWatch(test.database, wanted, { watches: 1, matches: 10 })
  const made = await create()
  if (!made.created) throw new Error(made.because)
  return { accountId, id: made.id, create }
}

describe('a deleted watch', () => {
  it('is remembered for 30 days', async () => {
    const { accountId, id } = await makeWatch()
    expect(await deleteWatch(test.database, accountId, id)).toBe(true)
    for (const [age, isKnown] of [
      ['29 days 23 hours', true],
      ['30 days 1 minute', false],
    ] as const) {
      await test.database.query(
        'update deleted_watches set deleted_at = now() - $2::interval where id = $1',
        [id, age],
      )
      await removeExpired(test.database, 'deleted_watches')
      expect(await deleteWatch(test.database, accountId, id), age).toBe(isKnown)
    }
  })

  it('does not count toward any limit', async () => {
    const { accountId, id, create } = await makeWatch()
    expect(await create()).toEqual({ created: false, because: 'watch_limit' })
    await deleteWatch(test.database, accountId, id)
    expect(await create()).toMatchObject({ created: true })
  })

  it('leaves one row, however many calls delete it concurrently', async () => {
    const { accountId, id } = await makeWatch()
    const calls = [1, 2, 3, 4].map(() => deleteWatch(test.database, accountId, id))
    expect(await Promise.all(calls)).toEqual([true, true, true, true])
    const { rows } = await test.database.query('select id from deleted_watches where account_id = $1', [
      accountId,
    ])
    expect(rows).toEqual([{ id }])
  })
})
