import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeEvents } from '../../../src/work/events/write-events.ts'
import { retryDelayMs } from '../../../src/work/webhooks/deliver-events.ts'
import { MAX_PAUSE_MS, pauseOf } from '../../../src/work/webhooks/send-message.ts'
import { attemptsOf, box, startDeliveries, statesOf } from '../../setup/deliveries.ts'
import { startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { makeAccount, makeWebhook } from '../../setup/webhook-jobs.ts'

const testDatabase = withTestDatabase()

describe('the waits between attempts', () => {
  it('are a minute and four minutes, plus or minus a tenth', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (random) => {
        const [first, second] = [1, 2].map((failed) => retryDelayMs(failed, 60_000, () => random))
        expect(first).toBeGreaterThanOrEqual(54_000)
        expect(first).toBeLessThanOrEqual(66_000)
        expect(second).toBeGreaterThanOrEqual(216_000)
        expect(second).toBeLessThanOrEqual(264_000)
      }),
    )
    expect(retryDelayMs(1, 60_000, () => 0.5)).toBe(60_000)
    expect(retryDelayMs(2, 60_000, () => 0.5)).toBe(240_000)
  })
})

describe("a receiver's Retry-After", () => {
  const now = Date.parse('2026-11-22T10:00:00Z')

  it.each([
    [undefined, 0],
    ['', 0],
    ['soon', 0],
    ['-5', 0],
    ['0', 0],
    ['30', 30_000],
    [' 90 ', 90_000],
    ['Sun, 22 Nov 2026 10:02:00 GMT', 120_000],
    ['Sun, 22 Nov 2026 09:00:00 GMT', 0],
    ['86400', MAX_PAUSE_MS],
    ['9'.repeat(400), MAX_PAUSE_MS],
  ])('%j means a pause of %i ms', (header, pauseMs) => {
    expect(pauseOf(header, now)).toBe(pauseMs)
  })

  it('in a 429 pauses all events of the webhook until then, and uses up only the refused attempt', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver((response, _event, count) =>
      response.writeHead(count === 1 ? 429 : 204, { 'retry-after': '2' }).end(),
    )
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, box, accountId, receiver.url, ['watch.changes'])
    const other = await startReceiver()
    const { id: otherId } = await makeWebhook(database, box, accountId, other.url, ['watch.changes'])
    const write = (zpid: string) =>
      database.transaction((tx) =>
        writeEvents(tx, {
          accountId,
          subject: { type: 'watch', id: zpid },
          type: 'watch.changes',
          happenedAt: new Date(),
          data: { events: [{ zpid, previous: {}, current: {} }] },
        }),
      )
    startDeliveries(database)
    await write('1')
    await until(async () => (await attemptsOf(database, id))[0]?.ended_at != null, 'the first attempt')
    await write('2')
    await until(async () => (await statesOf(database, otherId)).delivered === 2, 'the other webhook')
    await until(async () => (await statesOf(database, id)).delivered === 2, 'both events')
    const attempts = await attemptsOf(database, id)
    expect(attempts.map(({ attempt, status_code }) => [attempt, status_code]).sort()).toEqual([
      [1, 204],
      [1, 429],
      [2, 204],
    ])
    // By the clock of the database, which wrote both.
    const { rows } = await database.query<{ isLater: boolean }>(
      `select bool_and(attempted_at >= (select ended_at + interval '2 s' from webhook_attempts
          where webhook_id = $1 and status_code = 429)) as "isLater"
       from webhook_attempts where webhook_id = $1 and status_code = 204`,
      [id],
    )
    expect(rows[0]!.isLater).toBe(true)
  })
})
